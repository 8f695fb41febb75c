/** `yolofs run`: one command in the view; its exit code is ours. */
import type { Command } from 'commander';
import type { CallState } from '../../agents/calls.ts';
import { quoteWord } from '../../agents/shell-quote.ts';
import { viewpointOf } from '../../agents/show-path.ts';
import { renderBrief, renderSummary, snapshotIn } from '../../agents/summary-text.ts';
import type { Layout } from '../../history/layout.ts';
import { uniqueName } from '../../sys/crypto-lazy.ts';
import { EROFS, SystemError } from '../../sys/errno.ts';
import { replaceText } from '../../sys/files/text-files.ts';
import { isDistorted } from '../../sys/process/word-bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { type Caller, SELF } from '../caller.ts';
import { keptFromSession } from '../connection.ts';
import { runInView } from '../run/launch.ts';
import { shellProgram } from '../run/shell-program.ts';
import { snapshotName } from '../run/snapshot-name.ts';
import { madeSessionOf } from '../session.ts';
import { paintFor } from '../text/terminal.ts';

interface Options {
  readonly c?: string;
  readonly commandFile?: string;
  readonly name?: string;
  readonly snapshot: boolean;
  readonly quiet?: true;
  readonly call?: string;
  readonly tell?: true;
  readonly keepDirectory?: true;
}

interface Work {
  readonly program: readonly string[];
  readonly text: string;
}

export function define(command: Command, caller: Caller = SELF): void {
  command
    .usage("[options] -- COMMAND…\n       yolofs run [options] -c 'SHELL TEXT'")
    .argument('[command...]', 'the command and its arguments')
    .option('-c <text>', 'run text through a shell')
    .option('--name <name>', 'name the snapshot that follows')
    .option('--no-snapshot', 'take no snapshot afterwards')
    .option('--quiet', 'do not tell what changed')
    .addOption(command.createOption('--call <id>', 'note for a hook what the command came to').hideHelp())
    .addOption(command.createOption('--tell', 'with --call: print all that the hook is told, too').hideHelp())
    .addOption(command.createOption('--keep-directory', 'with --call: note where a text ended, too').hideHelp())
    .addOption(command.createOption('--command-file <file>', 'as -c, with text that a hook left in a file').hideHelp())
    .passThroughOptions()
    .action((words: string[], options: Options) => run(words, options, { command, caller }));
}

interface Asked {
  readonly command: Command;
  readonly caller: Caller;
}

async function run(words: readonly string[], options: Options, { command, caller }: Asked): Promise<void> {
  refuseUnclear(words, options, command);
  const session = madeSessionOf(command, caller);
  const work = await workOf(words, options);
  const snapshot = options.snapshot ? snapshotName(options.name ?? '') : undefined;
  const note = await notesOf(session.project, options.call);
  note({ state: 'started' });
  const from = viewpointOf(session.project, caller.cwd);
  const place = options.keepDirectory && options.call !== undefined ? notingPlace(work.text) : undefined;
  const { code, summary, tmp } = await runInView(session, { ...work, ...place, snapshot }, caller).catch(
    (error: Error) => {
      note({ state: 'ended', text: `yolofs: the command could not run in the view: ${error.message}` });
      throw error;
    },
  );
  caller.end(code);
  if (code === 0 && place !== undefined) await notePlace(session, { call: options.call ?? '', ...place, tmp, caller });
  note({ state: 'ended', text: renderSummary(summary, from), ...snapshotIn(summary) });
  if (summary.notice !== undefined) caller.err(`yolofs: ${summary.notice}\n`);
  if (options.quiet && summary.unstored !== undefined) caller.err(`yolofs: ${summary.unstored}\n`);
  if (options.quiet) return;
  const isToldByHook = options.call !== undefined && options.tell === undefined;
  caller.err(isToldByHook ? renderBrief(summary) : renderSummary(summary, from, paintFor(caller, caller.env)));
}

/** Notes how far the call has come that a hook knows by `id`. */
async function notesOf(project: string, id: string | undefined): Promise<(state: CallState) => void> {
  if (id === undefined) return () => undefined;
  const { noteCall } = await import('../../agents/calls.ts');
  return (state) => {
    try {
      noteCall(project, id, state);
    } catch (error) {
      if (error instanceof SystemError && error.errno === EROFS) throw keptFromSession();
      throw error;
    }
  };
}

/** The text as a program that says at its end, in a file of the view's /tmp, where it is; as the shells of agents do it. */
function notingPlace(text: string): { name: string; program: readonly string[] } {
  const name = `.yolofs-${uniqueName()}`;
  return { name, program: shellProgram(`eval ${quoteWord(text)} && pwd -P >| /tmp/${name}`) };
}

interface Place {
  readonly call: string;
  readonly name: string;
  readonly tmp: string | undefined;
  readonly caller: Caller;
}

async function notePlace(session: Layout, { call, name, tmp, caller }: Place): Promise<void> {
  const { directoryFile } = await import('../../agents/calls.ts');
  const { lastDirectory } = await import('../run/last-directory.ts');
  const directory = lastDirectory(tmp, name, caller);
  if (directory !== undefined) replaceText(directoryFile(session.project, call), `${directory}\n`, 0o600);
}

function refuseUnclear(words: readonly string[], options: Options, command: Command): void {
  const given = [words.length > 0, options.c !== undefined, options.commandFile !== undefined].filter(Boolean).length;
  if (given !== 1) command.error(given === 0 ? 'a command is missing' : 'either -c TEXT or a command');
  const distorted = [...words, options.c ?? ''].find(isDistorted);
  if (distorted === undefined) return;
  throw new UserError(
    `not UTF-8, so it cannot be passed on: ${distorted}`,
    "name it by a pattern: yolofs run -c 'TEXT'",
  );
}

async function workOf(words: readonly string[], options: Options): Promise<Work> {
  const text = options.commandFile === undefined ? options.c : await fromFile(options.commandFile);
  if (text !== undefined) return { program: shellProgram(text), text };
  return {
    program: words,
    text: words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word))).join(' '),
  };
}

async function fromFile(path: string): Promise<string> {
  const { takeCommandFile } = await import('../../agents/command-file.ts');
  const text = takeCommandFile(path);
  if (text === undefined) throw new UserError(`${path}: not a command that a hook of yolofs has left`);
  return text;
}
