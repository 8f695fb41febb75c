/**
 * `npm test`: every compiled `*.test.js`, with `--all` every `*.long.js` too, with `--unit` those that need no view;
 * other arguments are parts of file names to choose by. As root it prepares what the suites need for their ordinary user. It fails when a test fails, or when a
 * process, a mount or a temporary directory is left behind. What failed is named once more at the end.
 *
 * With YOLOFS_TEST_AGAIN=1 a file with a failure runs once more, when nothing else runs: a test that fails twice is a
 * failure, one that fails once is named as unsteady.
 */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { isRoot } from './support/accounts.ts';
import { hostState, newOnHost } from './support/host-state.ts';
import { chooseOrdinaryUser, runFromCopy } from './support/prepare.ts';
import { Failures } from './support/report/failures.ts';
import { joinRuns } from './support/report/join-runs.ts';
import { unitFiles } from './support/report/unit-files.ts';
import { BUILT } from './support/session.ts';

const TESTS = join(BUILT, 'test');
/** Suites that measure time, or change what all processes of the host share: disks, mounts. */
const ALONE =
  /^(?:cli\/within|conformance\/(?:host-changes|mounts)|crash\/resources|daemon\/timed|full-disk\/(?:disk|full)|escape\/(?:starve|flood))/;
/** What takes longest, minutes to half a minute a file, begins first: at the end nothing is left that runs on by itself. */
const LONGEST = [
  /^(?:conformance\/conformance|crash\/(?:kill|orders)|differential\/files|model\/history\/history)/,
  /^(?:cli\/(?:commit|travel)|crash|daemon\/(?:cage|fast)|differential|escape|holes|model)\b/,
  /^(?:agents\/real|ask|bad-input|cli|daemon|opaque|routine)\b/,
];
/** The others wait for processes half of their time. */
const AT_ONCE = availableParallelism() + 4;
/** Files that run again: more than these are no accident. */
const MOST_AGAIN = 5;
const FILE_TIMEOUT_MS = 20 * 60_000;
const LONG_FILE_TIMEOUT_MS = 3 * 60 * 60_000;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--all' && arg !== '--unit');
  if (unknown !== undefined) throw new Error(`unknown option ${unknown}: there are --all, --unit, parts of file names`);
  if (isRoot) chooseOrdinaryUser();
  if (args.includes('--all')) process.env.YOLOFS_TEST_LONG = '1';
  const elsewhere = isRoot
    ? runFromCopy(process.cwd(), relative(process.cwd(), join(TESTS, 'run.js')), args)
    : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const before = hostState(BUILT);
  const failures = await runTwice(chooseFiles(args));
  const left = await newOnHost(before, BUILT);
  for (const line of left) process.stderr.write(`left behind: ${line}\n`);
  return failures.files.length > 0 || left.length > 0 ? 1 : 0;
}

/** Runs the files, where that is asked for those with a failure again, and returns what counts as failed. */
async function runTwice(files: readonly string[]): Promise<Failures> {
  const first = await runAll(files, AT_ONCE);
  const again = files.filter((file) => first.files.includes(file));
  const isFew = again.length === first.files.length && again.length > 0 && again.length <= MOST_AGAIN;
  if (process.env.YOLOFS_TEST_AGAIN !== '1' || !isFew) {
    say(first.lines('failed'));
    return first;
  }
  const second = await runAll(again, 1);
  say(first.lines('unsteady: failed beside the other suites'));
  say(second.lines('failed, also alone'));
  return second;
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function chooseFiles(args: readonly string[]): string[] {
  const kinds = args.includes('--all') ? /\.(?:test|long)\.js$/ : /\.test\.js$/;
  const parts = args.filter((arg) => !arg.startsWith('--'));
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => kinds.test(file) && (parts.length === 0 || parts.some((part) => file.includes(part))))
    // What an earlier build has left of a file that is gone is no test.
    .filter((file) => existsSync(join('test', file.replace(/\.js$/, '.ts'))))
    .sort()
    .sort((one, other) => rank(one) - rank(other));
  const chosen = args.includes('--unit') ? unitFiles(TESTS, files) : files;
  if (chosen.length === 0) throw new Error(`no test file is called ${parts.join(' or ')}`);
  return chosen;
}

/** Which of the files that take longest a file belongs to. */
function rank(file: string): number {
  const found = LONGEST.findIndex((files) => files.test(file));
  return found === -1 ? LONGEST.length : found;
}

/** Runs the files, so many at once of those that may share the machine, and returns what failed. */
async function runAll(files: readonly string[], atOnce: number): Promise<Failures> {
  const failures = new Failures(TESTS);
  const fileTimeout = process.env.YOLOFS_TEST_LONG === '1' ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS;
  const parts = [
    { files: files.filter((file) => !ALONE.test(file)), concurrency: atOnce },
    { files: files.filter((file) => ALONE.test(file)), concurrency: 1 },
  ].filter((part) => part.files.length > 0);
  const starts = parts.map((part) => () => {
    const paths = part.files.map((file) => join(TESTS, file));
    const stream = run({ files: paths, concurrency: part.concurrency, timeout: fileTimeout });
    return stream.on('test:fail', (failed) => failures.add(failed));
  });
  const events = Readable.from(joinRuns(starts));
  const report = process.stdout.isTTY ? events.compose(new spec()) : events.compose(tap);
  for await (const text of report) process.stdout.write(text);
  return failures;
}
