/**
 * `npm test` is what a developer waits for: the quick suites, with an ordinary user's account and a tenth of the random
 * cases. With `--ci` it is what CI runs, with `--all` everything (`support/report/tiers.ts` says what is which), with
 * `--unit` the quick suites that need no view. Other arguments are parts of file names to choose by: these run whole,
 * and a `*.long.ts` only with `--all`. `--times` prints how long each file took. With `--minutes=N` no long proof that CI
 * does not always run begins once N minutes have passed; what was not begun is named.
 *
 * As root it prepares what the suites need for their ordinary user. It fails when a test fails, or when a process, a
 * mount or a temporary directory is left behind. What failed is named once more at the end. With YOLOFS_TEST_AGAIN=1 a
 * file with a failure runs once more, when nothing else runs: a test that fails twice is a failure, one that fails once
 * is named as unsteady.
 */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { isRoot } from './support/accounts.ts';
import { IS_EMULATED, SLOWNESS } from './support/exec.ts';
import { hostState, newOnHost } from './support/host-state.ts';
import { shareCode } from './support/kept-code.ts';
import { chooseOrdinaryUser, runFromCopy } from './support/prepare.ts';
import { Failures } from './support/report/failures.ts';
import { joinRuns, type Start } from './support/report/join-runs.ts';
import { Begun, mayShare, type Part, partsOf } from './support/report/parts.ts';
import { SuiteTimes } from './support/report/suite-times.ts';
import { isLong, type Tier, takes } from './support/report/tiers.ts';
import { unitFiles } from './support/report/unit-files.ts';
import { unitProcesses } from './support/report/unit-processes.ts';
import { BUILT } from './support/session.ts';

const OPTIONS = ['--ci', '--all', '--unit', '--times'];
const MINUTES = /^--minutes=([1-9]\d*)$/;
const TESTS = join(BUILT, 'test');
/** What takes longest, minutes to half a minute a file, begins first, so that nothing is left running by itself. */
const LONGEST = [
  /^(?:conformance\/conformance|crash\/(?:kill|orders)|differential\/files|model\/history\/history)/,
  /^(?:cli\/(?:commit|travel)|crash|daemon\/(?:cage|fast)|differential|escape|holes|model)\b/,
  /^(?:agents\/real|ask|bad-input|cli|daemon|opaque|routine)\b/,
];
/** Most wait for processes half of their time; on an emulated machine each takes all there is. */
const AT_ONCE = IS_EMULATED ? 1 : availableParallelism() + 4;
/** Long proofs come last, and wait for nothing but a processor. */
const LONG_AT_ONCE = availableParallelism() + 1;
/** Files that run again: more than these are no accident. */
const MOST_AGAIN = 5;
const FILE_TIMEOUT_MS = 20 * 60_000 * SLOWNESS;
const LONG_FILE_TIMEOUT_MS = 3 * 60 * 60_000;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg.startsWith('-') && !OPTIONS.includes(arg) && !MINUTES.test(arg));
  if (unknown !== undefined)
    throw new Error(`unknown option ${unknown}: there are ${OPTIONS.join(', ')}, --minutes=N, file names`);
  if (isRoot) chooseOrdinaryUser();
  if (tierOfRun(args) === 'all') process.env.YOLOFS_TEST_LONG = '1';
  if (tierOfRun(args) === 'quick') process.env.YOLOFS_TEST_QUICK = '1';
  const elsewhere = isRoot
    ? runFromCopy(process.cwd(), relative(process.cwd(), join(TESTS, 'run.js')), args)
    : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const before = hostState(BUILT);
  const times = new SuiteTimes(TESTS);
  const removeCode = shareCode();
  const failures = await runTwice(chooseFiles(args), times, minutesOf(args)).finally(removeCode);
  if (args.includes('--times')) say(times.lines());
  const left = await newOnHost(before, BUILT);
  for (const line of left) process.stderr.write(`left behind: ${line}\n`);
  return failures.files.length > 0 || left.length > 0 ? 1 : 0;
}

/** How much to run; files that are named run as CI runs them. */
function tierOfRun(args: readonly string[]): Tier {
  if (args.includes('--all')) return 'all';
  return args.includes('--ci') || args.some((arg) => !arg.startsWith('-')) ? 'ci' : 'quick';
}

/** How long the run may go on before it begins no further long proof. */
function minutesOf(args: readonly string[]): number {
  const given = args.map((arg) => MINUTES.exec(arg)?.[1]).find((minutes) => minutes !== undefined);
  return given === undefined ? Number.POSITIVE_INFINITY : Number(given);
}

/** Runs the files, where that is asked for those with a failure again, and returns what counts as failed. */
async function runTwice(files: readonly string[], times: SuiteTimes, minutes: number): Promise<Failures> {
  const first = await runAll(files, times, { atOnce: AT_ONCE, minutes });
  const again = files.filter((file) => first.files.includes(file));
  const isFew = again.length === first.files.length && again.length > 0 && again.length <= MOST_AGAIN;
  if (process.env.YOLOFS_TEST_AGAIN !== '1' || !isFew) {
    say(first.lines('failed'));
    return first;
  }
  const second = await runAll(again, times, { atOnce: 1, minutes: Number.POSITIVE_INFINITY });
  say(first.lines('unsteady: failed beside the other suites'));
  say(second.lines('failed, also alone'));
  return second;
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function chooseFiles(args: readonly string[]): string[] {
  const parts = args.filter((arg) => !arg.startsWith('--'));
  const tier = tierOfRun(args);
  // Whoever names files of a long proof's folder waits for the others.
  const isWanted = (file: string): boolean =>
    takes(tier, file) &&
    (parts.length === 0 || (parts.some((part) => file.includes(part)) && (tier === 'all' || !isLong(file))));
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
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

interface Bounds {
  /** So many files at once, of those that may share the machine. */
  readonly atOnce: number;
  readonly minutes: number;
}

/** Runs the files, and returns what failed. */
async function runAll(files: readonly string[], times: SuiteTimes, { atOnce, minutes }: Bounds): Promise<Failures> {
  const failures = new Failures(TESTS);
  const isQuick = process.env.YOLOFS_TEST_QUICK === '1';
  const units = isQuick ? unitFiles(TESTS, files.filter(mayShare)) : [];
  const processes = unitProcesses(TESTS, units);
  const others = files.filter((file) => !units.includes(file));
  const parts = partsOf([...processes.programs, ...others], { atOnce, longAtOnce: Math.min(atOnce, LONG_AT_ONCE) });
  const begun = new Begun(minutes);
  try {
    await report(begun.of(parts), failures, times);
  } finally {
    processes.remove();
  }
  say(begun.left.map((file) => `# not begun after ${minutes} minutes: ${file}`));
  return failures;
}

/** Runs the parts one after the other, and prints what happens. */
async function report(parts: Iterable<Part>, failures: Failures, times: SuiteTimes): Promise<void> {
  const events = Readable.from(joinRuns(startsOf(parts, failures, times)));
  const printed = process.stdout.isTTY ? events.compose(new spec()) : events.compose(tap);
  for await (const text of printed) process.stdout.write(text);
}

function* startsOf(parts: Iterable<Part>, failures: Failures, times: SuiteTimes): Generator<Start, void> {
  const timeout = process.env.YOLOFS_TEST_LONG === '1' ? LONG_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS;
  for (const { files, concurrency } of parts) {
    yield () => {
      const stream = run({ files: files.map((file) => resolve(TESTS, file)), concurrency, timeout });
      stream.on('test:complete', (done) => {
        times.add(done);
        failures.complete(done);
      });
      return stream.on('test:fail', (failed) => failures.add(failed));
    };
  }
}
