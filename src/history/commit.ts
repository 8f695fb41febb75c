/**
 * Carries out the plan of a commit. Nothing is destroyed before everything is in place and on disk: until then
 * each step can be taken back, and a failure takes all of them back, last one first. Only then is removed what
 * was set aside.
 *
 *     steps ... syncfs | tidy up
 *     -- taken back on failure --
 *
 * The steps run on the thread that calls, with a pause now and then; the caller sees to it that the session does
 * not change meanwhile. To survive a crash in between, the steps, which are plain data, would have to be written
 * down before the first (an intent file).
 */

import { setImmediate as pause } from 'node:timers/promises';
import type { BytePath } from '../sys/bytes.ts';
import { label } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { describeErrno, OK } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../sys/stat.ts';
import type { Bench } from './apply/bench.ts';
import { Directory, OpenDirectories } from './apply/directories.ts';
import { exchange } from './apply/rename.ts';
import { revertStep, runStep } from './apply/run-step.ts';
import { Tidying } from './apply/tidy.ts';
import type { Plan } from './plan.ts';
import type { Step } from './steps.ts';
import { describeStep } from './steps.ts';

/** A step failed; the base is as it was, unless `leftover` says otherwise. */
export class CommitError extends Error {
  readonly path: BytePath;
  readonly errno: Errno;
  /** What could not be taken back, one line each; normally none. */
  readonly leftover: readonly string[];

  constructor(step: Step, errno: Errno, leftover: readonly string[]) {
    super(`cannot ${describeStep(step) ?? `change ${label(step.path)}`}: ${describeErrno(errno)}`);
    this.name = 'CommitError';
    this.path = step.path;
    this.errno = errno;
    this.leftover = leftover;
  }
}

export interface ApplyOptions {
  /** Called now and then; the last time with `done` equal to `total`. */
  readonly onProgress?: (done: number, total: number, what: string) => void;
  /** Called when everything is in place and durable, and can still be taken back; what it throws takes it back. */
  readonly onPlaced?: () => void;
  /** Make everything durable before the originals are removed (the default). */
  readonly sync?: boolean;
}

export interface Applied {
  readonly changes: number;
  /** Originals that are of no use any more but could not be removed, one line each; normally none. */
  readonly leftover: readonly string[];
}

/** Milliseconds of work between pauses. */
const SLICE = 20;

/** Carries out a plan. The objects it names belong to the base afterwards, so the caller ends the epoch. */
export async function applyPlan(plan: Plan, options: ApplyOptions = {}): Promise<Applied | CommitError> {
  const directories = new OpenDirectories();
  try {
    return await new Application(plan, { directories, store: plan.store, exchange }, options).run();
  } finally {
    directories.close();
  }
}

class Application {
  readonly #plan: Plan;
  readonly #bench: Bench;
  readonly #options: ApplyOptions;
  #sliceEnd = Date.now() + SLICE;

  constructor(plan: Plan, bench: Bench, options: ApplyOptions) {
    this.#plan = plan;
    this.#bench = bench;
    this.#options = options;
  }

  async run(): Promise<Applied | CommitError> {
    const { steps, changes } = this.#plan;
    for (const [i, step] of steps.entries()) {
      const errno = runStep(step, this.#bench);
      if (errno !== OK) return new CommitError(step, errno, this.#rollBack(i));
      if (Date.now() >= this.#sliceEnd) await this.#breathe(i + 1, 'apply');
    }
    if (this.#options.sync !== false) await this.#sync();
    this.#tellPlaced();
    const leftover = await this.#tidy();
    this.#options.onProgress?.(steps.length, steps.length, 'done');
    return { changes, leftover };
  }

  #tellPlaced(): void {
    try {
      this.#options.onPlaced?.();
    } catch (error) {
      this.#rollBack(this.#plan.steps.length);
      throw error;
    }
  }

  /** Takes back the first `count` steps; returns what could not be. */
  #rollBack(count: number): string[] {
    const leftover: string[] = [];
    for (const step of this.#plan.steps.slice(0, count).reverse()) {
      const errno = revertStep(step, this.#bench);
      if (errno !== OK) leftover.push(`${label(step.path)}: ${describeErrno(errno)}`);
    }
    return leftover;
  }

  async #breathe(done: number, what: string): Promise<void> {
    this.#options.onProgress?.(done, this.#plan.steps.length, what);
    await pause();
    this.#sliceEnd = Date.now() + SLICE;
  }

  /** Everything on disk, on each file system that steps worked on. */
  async #sync(): Promise<void> {
    const seen = new Set<number>();
    const statx = Buffer.alloc(STATX_SIZE);
    for (const directory of new Set(this.#plan.steps.flatMap(directoriesOf))) {
      const dirfd = this.#bench.directories.of(directory);
      if (dirfd < 0 || libc.fstatxInto(dirfd, statx) < 0) continue;
      const { dev } = decodeStatx(statx);
      if (seen.has(dev)) continue;
      const fd = libc.openAt(dirfd, '.', libc.O_RDONLY | libc.O_DIRECTORY);
      if (fd < 0) continue;
      seen.add(dev);
      await libc.syncfsAsync(fd);
      libc.close(fd);
    }
  }

  async #tidy(): Promise<string[]> {
    const { steps } = this.#plan;
    const tidying = new Tidying(this.#bench);
    const leftover: string[] = [];
    for (const [i, step] of steps.entries()) {
      const errno = tidying.step(step);
      if (errno !== OK) leftover.push(`${label(step.path)}: ${describeErrno(errno)}`);
      if (Date.now() >= this.#sliceEnd) await this.#breathe(i + 1, 'tidy up');
    }
    tidying.restoreTimes(steps);
    return leftover;
  }
}

function directoriesOf(step: Step): Directory[] {
  if (step.do === 'move') return [step.from.dir, step.to.dir];
  return step.at instanceof Directory ? [step.at] : [step.at.dir];
}
