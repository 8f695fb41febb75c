/**
 * Carries out the plan of a commit. Nothing is destroyed before everything is in place and on disk: until then
 * each step can be taken back, and a failure takes all of them back, last one first. Only then is removed what
 * was set aside.
 *
 *     steps ... syncfs | remove what was set aside
 *     ---- undone on failure ----
 *
 * The steps run on the thread that calls, with a pause now and then: the caller keeps the session from changing
 * meanwhile. Crash safety needs the steps written down before the first (an intent file); they are plain data.
 */

import { setImmediate as pause } from 'node:timers/promises';
import { objectPath } from '../staging/object-store.ts';
import type { BytePath } from '../sys/bytes.ts';
import { label } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { describeErrno, EACCES, OK } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../sys/stat.ts';
import type { At } from './apply/attributes.ts';
import { applyAttributes } from './apply/attributes.ts';
import type { Bench } from './apply/bench.ts';
import { open, slotOf } from './apply/bench.ts';
import type { Slot } from './apply/directories.ts';
import { Directory, OpenDirectories } from './apply/directories.ts';
import { replacedBy } from './apply/place-step.ts';
import { removeTree } from './apply/remove-tree.ts';
import { revertStep, runStep } from './apply/run-step.ts';
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
  readonly onProgress?: (done: number, total: number, what: string) => void;
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

/** Carries out a plan. The objects it names are in the base afterwards: the caller ends the epoch. */
export async function applyPlan(plan: Plan, options: ApplyOptions = {}): Promise<Applied | CommitError> {
  const directories = new OpenDirectories();
  try {
    return await new Application(plan, { directories, store: plan.store }, options).run();
  } finally {
    directories.close();
  }
}

class Application {
  readonly #plan: Plan;
  readonly #bench: Bench;
  readonly #options: ApplyOptions;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** Directories from which something was removed. */
  readonly #tidied = new Set<Directory>();
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
    const leftover = await this.#tidy();
    this.#options.onProgress?.(steps.length, steps.length, 'done');
    return { changes, leftover };
  }

  /** Takes back the first `count` steps; returns what could not be. */
  #rollBack(count: number): string[] {
    const leftover: string[] = [];
    for (let i = count - 1; i >= 0; i--) {
      const step = this.#plan.steps[i];
      const errno = step === undefined ? OK : revertStep(step, this.#bench);
      if (step !== undefined && errno !== OK) leftover.push(`${label(step.path)}: ${describeErrno(errno)}`);
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
    for (const directory of new Set(this.#plan.steps.flatMap(directoriesOf))) {
      const dirfd = this.#bench.directories.of(directory);
      if (dirfd < 0 || libc.fstatxInto(dirfd, this.#statx) < 0) continue;
      const { dev } = decodeStatx(this.#statx);
      if (seen.has(dev)) continue;
      seen.add(dev);
      const fd = libc.openAt(dirfd, '.', libc.O_RDONLY | libc.O_DIRECTORY);
      if (fd < 0) continue;
      await libc.syncfsAsync(fd);
      libc.close(fd);
    }
  }

  /** Removes what steps have set aside. From here on nothing is taken back any more. */
  async #tidy(): Promise<string[]> {
    const leftover: string[] = [];
    for (const [i, step] of this.#plan.steps.entries()) {
      const errno = this.#tidyStep(step);
      if (errno !== OK) leftover.push(`${label(step.path)}: ${describeErrno(errno)}`);
      if (Date.now() >= this.#sliceEnd) await this.#breathe(i + 1, 'tidy up');
    }
    // Removing entries changed the directories' times again.
    for (const step of this.#plan.steps) {
      if (step.do !== 'adjust' || !(step.at instanceof Directory) || !this.#tidied.has(step.at)) continue;
      const { mtime } = step.attributes;
      const at = open(this.#bench, slotOf(step.at));
      if (mtime !== undefined && typeof at === 'object') applyAttributes(at, { mtime });
    }
    return leftover;
  }

  #tidyStep(step: Step): Errno {
    const { store } = this.#bench;
    if (step.do === 'move' && step.why === 'aside') return this.#remove(step.to);
    if (step.do === 'move' && step.how === 'copied') return this.#remove(step.from);
    if (step.do === 'rewrite') {
      libc.unlinkAt(store.dirfd, step.backup);
      libc.unlinkAt(store.dirfd, objectPath(step.object));
    }
    if (step.do !== 'place') return OK;
    // After an exchange this is the original, after a copy the object.
    if (step.how?.source === 'copy' || step.how?.put === 'exchanged') store.remove(step.object);
    const replaced = replacedBy(step);
    return replaced === undefined ? OK : this.#remove(replaced);
  }

  #remove(slot: Slot): Errno {
    const at = open(this.#bench, slot);
    if (typeof at === 'number') return at;
    this.#tidied.add(slot.dir);
    const errno = removeTree(at.dirfd, at.name);
    return errno === EACCES ? this.#removeFromLocked(slot, at) : errno;
  }

  /** The directory has its final mode by now, which may be read-only. */
  #removeFromLocked(slot: Slot, at: At): Errno {
    const parent = open(this.#bench, slotOf(slot.dir));
    if (typeof parent === 'number' || libc.fstatxInto(at.dirfd, this.#statx) < 0) return EACCES;
    const mode = decodeStatx(this.#statx).mode & 0o7777;
    if (applyAttributes(parent, { mode: mode | 0o700 }) !== OK) return EACCES;
    const errno = removeTree(at.dirfd, at.name);
    return applyAttributes(parent, { mode }) || errno;
  }
}

function directoriesOf(step: Step): Directory[] {
  if (step.do === 'move') return [step.from.dir, step.to.dir];
  return step.at instanceof Directory ? [step.at] : [step.at.dir];
}
