/**
 * Puts the lines for sh and for Perl before the bundled main.ts, and into them the names of the commands that they hand to the launch
 * server, and what they say where there is no Node; for `npm run build`, as `write-launcher.js SOURCES PROGRAM`.
 */
import { HOOK_COMMAND, LAUNCHED_COMMANDS } from '../../daemon/sockets/served-commands.ts';
import { writeText } from '../../sys/files/files.ts';
import { readText } from '../../sys/files/text-files.ts';
import { UserError } from '../../sys/user-error.ts';

const [sources = '', program = ''] = process.argv.slice(2);
const NAMES: Readonly<Record<string, string>> = {
  '@LAUNCHED@': LAUNCHED_COMMANDS.join(' | '),
  '@HOOK@': HOOK_COMMAND,
  '@WITHOUT@': "Node 20 or newer is needed, and there is no 'node' in PATH",
};

const head = ['head.sh', 'launcher.pl'].map((file) => textOf(`${sources}/${file}`)).join('');
const named = head.replace(/@[A-Z]+@/g, (place) => NAMES[place] ?? place);
const bundle = textOf(program);
// Without the `#!` line of its own.
writeText(program, `${named}${bundle.slice(bundle.indexOf('\n') + 1)}`);

function textOf(path: string): string {
  const text = readText(path);
  if (text === undefined) throw new UserError(`${path} is missing`);
  return text;
}
