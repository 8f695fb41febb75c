/** Tries one fault: the unit tests that load its file, the nearest first, until one of them fails. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { needsOwnProcess } from '../support/report/unit-processes.ts';
import { REPOSITORY } from '../support/source-files.ts';
import type { Copy } from './copy.ts';
import type { Fault } from './faults.ts';
import { reaching } from './reaching.ts';

const TESTS = join(REPOSITORY, 'dist', 'test');
/** These are tried before the others of the folder: most faults are noticed by them. */
const NEAREST = 4;
/** A fault can make a loop endless; a machine that others use makes a run slow. */
const SLOWEST_MS = 300_000;

export interface Result {
  readonly fault: Fault;
  /** What noticed it; undefined when nothing did. */
  readonly by: string | undefined;
  readonly seconds: number;
}

export interface Trial {
  /** The unit tests of the checkout. */
  readonly units: readonly string[];
  /** Also the models, which take a minute where nothing is noticed. */
  readonly models: boolean;
}

export async function tryFault(copy: Copy, { units, models }: Trial, fault: Fault): Promise<Result> {
  const begun = performance.now();
  const files = reaching(units, fault.path);
  const own = files.filter((file) => file.startsWith(`${fault.path.split('/')[1]}/`));
  let by = await firstFailure(copy, fault, own.slice(0, NEAREST));
  by ??= await refusedByCompiler(copy, fault);
  by ??= await firstFailure(copy, fault, own.slice(NEAREST));
  if (models) {
    const others = files.filter((file) => file.startsWith('model/'));
    by ??= await firstFailure(copy, fault, others);
  }
  return { fault, by, seconds: Math.round((performance.now() - begun) / 1000) };
}

/** Runs test files until a test fails, in one process but for those that change theirs; says which, or undefined. */
export async function firstFailure(
  copy: Copy,
  fault: Fault | undefined,
  files: readonly string[],
): Promise<string | undefined> {
  const paths = files.map((file) => join(TESTS, file));
  const own = paths.filter(needsOwnProcess);
  const shared = paths.filter((path) => !own.includes(path));
  let failed: string | undefined;
  for (const modules of [shared, ...own.map((path) => [path])].filter(({ length }) => length > 0)) {
    if (failed !== undefined) break;
    const child = copy.start(fault, [process.execPath, '--test-reporter=tap', copy.program(modules)]);
    failed = await watch(child, (output) => /^\s*not ok \d+ - (.*)\n/m.exec(output)?.[1]);
  }
  return failed;
}

/** Also what only types hold is held: but not that something is unused, as what used it is what is missing. */
async function refusedByCompiler(copy: Copy, fault: Fault): Promise<string | undefined> {
  const options = ['--noEmit', '--incremental', 'false', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  const child = copy.start(fault, ['node_modules/.bin/tsc', '-p', 'tsconfig.json', ...options]);
  return await watch(child, (output) => /^src\/.*: error (TS\d+:.*)$/m.exec(output)?.[1]);
}

/** Until `failure` finds one in the output, the program ends, or takes too long. */
async function watch(
  child: ChildProcess,
  failure: (output: string) => string | undefined,
): Promise<string | undefined> {
  const output: string[] = [];
  let found: string | undefined;
  const timer = setTimeout(() => {
    found ??= 'a test that does not end';
    child.kill('SIGKILL');
  }, SLOWEST_MS);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.push(text);
    found ??= failure(output.join(''));
    if (found !== undefined) child.kill('SIGKILL');
  });
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (found !== undefined || code === 0) return found;
  return `exit ${code}: ${
    errors
      .join('')
      .split('\n')
      .find((line) => /Error/.test(line)) ?? output.join('').slice(-200)
  }`;
}
