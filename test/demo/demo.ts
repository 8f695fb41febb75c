/**
 * `npm run demo`: the main job on a real git project, through the real command line. An agent's session edits, builds,
 * renames and deletes; a second one runs a script with a hidden destructive effect. Every claim is checked; the
 * exit code is 0 only if all of them held.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoteWord } from '../../src/agents/shell-quote.ts';
import { git, makeProject, type Place } from './project.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

const PRINT_SLUG = "import('./dist/index.js').then(({ slug }) => console.log(slug('A good title')))";
const GIT_STATUS =
  ' M README.md\n D docs/old-plan.md\n M src/index.ts\n M src/slug.ts\nR  src/words.ts -> src/split.ts\n';

/** A sum over all that tar keeps of a file. */
const STATE =
  'tar --create --directory="$0" --format=posix --pax-option=delete=atime,delete=ctime --sort=name --exclude=.yolofs slugs home | sha256sum';

let failed = 0;

const root = mkdtempSync('/var/tmp/yolofs-demo-');
try {
  const place = makeProject(root);
  try {
    tell('A git project with three commits, and a home directory beside it:');
    show(git(place, ['log', '--oneline']));
    goodSession(place);
    badSession(place);
  } finally {
    yolofs(place, ['stop']);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
tell(failed === 0 ? 'Every claim held.' : `${failed} claims did not hold.`);
process.exitCode = failed === 0 ? 0 : 1;

/** Work that is worth keeping: the commit makes the real files what the view showed. */
function goodSession(place: Place): void {
  tell('An agent works in the view:');
  run(place, ['init']);
  const before = realState(place);
  run(place, ['run', '-c', `sed -i "s/join('_')/join('-')/" src/slug.ts && echo 'Joined by dashes.' >> README.md`]);
  run(place, ['run', '--name', 'built', '--', 'node_modules/.bin/tsc', '-p', '.']);
  run(place, ['run', '-c', 'git mv src/words.ts src/split.ts && sed -i s/words.js/split.js/ src/index.ts src/slug.ts']);
  run(place, ['run', '--', 'rm', 'docs/old-plan.md']);
  const built = run(place, ['run', '--quiet', '--', process.execPath, '--input-type=module', '-e', PRINT_SLUG]);
  claim('the view has the built program and it works', built.stdout === 'a-good-title\n');
  claim('each command left a snapshot', json<unknown[]>(place, ['log', '--json']).length === 4);

  tell('What is staged, before anything is real:');
  run(place, ['log']);
  run(place, ['status']);
  run(place, ['diff', '--', 'src', 'README.md']);
  claim('the real files are untouched, byte for byte', realState(place) === before);

  tell('It is good, so it is kept:');
  const view = viewState(place);
  run(place, ['commit', '--yes']);
  claim('the real files are what the view showed', realState(place) === view);
  claim('nothing is staged any more', json<{ changes: unknown[] }>(place, ['status', '--json']).changes.length === 0);
  claim('git sees the edit, the rename and the deletion', git(place, ['status', '--porcelain']) === GIT_STATUS);
}

/** A script that says one thing and does another: its summary shows it, and abort undoes it. */
function badSession(place: Place): void {
  const before = realState(place);
  tell('Later the agent cleans up with a script of the project. It says:');
  const cleaned = run(place, ['run', '--', 'sh', 'tools/clean.sh']);
  claim('the script reported success', cleaned.status === 0 && cleaned.stdout === 'cleaning build output\nclean\n');
  claim('the summary shows the loss in the home directory', cleaned.stderr.includes(join(place.home, 'letters')));
  claim('it says that the rules kept the photos', /refused +write \S*photos/.test(cleaned.stderr));
  const seen = run(place, ['run', '--quiet', '--', 'find', place.home, '-type', 'f']).stdout;
  claim('in the view the letters are gone, the photos are not', !seen.includes('2024.txt') && seen.includes('cat.jpg'));
  claim('the real home directory still has the letters', existsSync(join(place.home, 'letters/2024.txt')));

  tell('That was not wanted:');
  run(place, ['abort', '--yes']);
  claim('the real files are as they were, byte for byte', realState(place) === before);
  claim('the view shows them again', viewState(place) === before);
  claim(
    'the letter can be read in the view',
    run(place, ['run', '--quiet', '--', 'cat', join(place.home, 'letters/2024.txt')]).stdout ===
      readFileSync(join(place.home, 'letters/2024.txt'), 'utf8'),
  );
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of yolofs and shows it with all it says. */
function run(place: Place, args: readonly string[]): Outcome {
  process.stdout.write(
    `\n  $ yolofs ${args.map((arg) => (/[^\w@%+=:,./-]/.test(arg) ? quoteWord(arg) : arg)).join(' ')}\n`,
  );
  const outcome = yolofs(place, args);
  show(outcome.stdout + outcome.stderr);
  if (outcome.status !== 0) claim(`yolofs ${args[0]} succeeds`, false);
  return outcome;
}

function yolofs({ project, env }: Place, args: readonly string[]): Outcome {
  return spawnSync(process.execPath, [MAIN, ...args], { cwd: project, env, encoding: 'utf8', timeout: 120_000 });
}

function json<T>(place: Place, args: readonly string[]): T {
  return JSON.parse(yolofs(place, args).stdout || 'null') as T;
}

/** Everything in the project and the home directory, as the host has it: contents, modes, owners, times and links. */
function realState(place: Place): string {
  return stateOf(spawnSync('sh', ['-c', STATE, place.root], { env: place.env, encoding: 'utf8' }));
}

/** The same as the view shows it. */
function viewState(place: Place): string {
  return stateOf(yolofs(place, ['run', '--quiet', '--no-snapshot', '--', 'sh', '-c', STATE, place.root]));
}

/** Of a tar that failed there would be a sum, too. */
function stateOf({ stdout, stderr }: Outcome): string {
  if (stderr !== '') throw new Error(stderr);
  return stdout;
}

function claim(what: string, held: boolean): void {
  if (!held) failed += 1;
  process.stdout.write(`  ${held ? '✓' : '✗ DOES NOT HOLD:'} ${what}\n`);
}

function tell(text: string): void {
  process.stdout.write(`\n${text}\n`);
}

function show(text: string): void {
  process.stdout.write(text.replace(/^(?=.)/gm, '    '));
}
