/**
 * The ways through the steps of a commit: carrying them out, taking them back, tidying up after them, making all of
 * it durable. On the thread that calls, with a pause now and then; whoever calls sees to it that nothing else changes.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { ObjectStore } from '../../../staging/object-store.ts';
import type { ObjectId } from '../../../sys/bytes.ts';
import { label } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { describeErrno, OK } from '../../../sys/errno.ts';
import { OpenDirectories } from '../apply/directories.ts';
import { keepContent } from '../apply/place-step.ts';
import { exchange } from '../apply/rename.ts';
import { rerunStep, revertStep, runStep, takeBackStep } from '../apply/run-step.ts';
import { dropStaleNames } from '../apply/stale-names.ts';
import type { StepContext } from '../apply/step-context.ts';
import { Tidying } from '../apply/tidy.ts';
import type { Directory, Place, Step } from '../plan/steps.ts';
import type { CommitLog } from './commit-log.ts';
import { locateDirectories } from './locate.ts';
import { syncDisks } from './sync-disks.ts';

/** Called now and then with the number of steps done. */
export type OnProgress = (done: number, total: number, what: string) => void;

/** What went wrong on the way, one line each; normally nothing. */
export type Complaints = readonly string[];

/** Milliseconds of work between pauses. */
const SLICE = 20;
/** Steps between two looks at the clock. */
const LOOK_EVERY = 16;

export class CommitRunner {
  readonly log: CommitLog;
  readonly context: StepContext;
  readonly #onProgress: OnProgress;
  #sliceEnd = Date.now() + SLICE;
  /** Steps since the last look at the clock. */
  #unlooked = 0;

  /** The caller closes it. */
  constructor(log: CommitLog, store: ObjectStore, onProgress: OnProgress = () => undefined) {
    this.log = log;
    const { backups } = log.recorded;
    const seen = { copies: new Set<Directory>(), exchanged: new Set<Step>() };
    this.context = { directories: new OpenDirectories(), store, backups, notes: log, exchange, ...seen };
    this.#onProgress = onProgress;
  }

  get steps(): readonly Step[] {
    return this.log.recorded.steps;
  }

  close(): void {
    this.context.directories.close();
  }

  /** Finds out how far the steps came, for a log that was read. Throws SystemError. */
  locate(): void {
    locateDirectories(this.steps, this.context);
    // Whoever carried out a commit that is through was killed in no rename.
    if (this.log.stage === 'steps' || !dropStaleNames(this.steps, this.context)) return;
    this.context.directories.forget();
    locateDirectories(this.steps, this.context);
  }

  /** Carries all steps out, until one fails. */
  async run(): Promise<{ readonly index: number; readonly errno: Errno } | undefined> {
    for (const [index, step] of this.steps.entries()) {
      const errno = runStep(step, this.context);
      if (errno !== OK) return { index, errno };
      if (this.#isDue()) await this.#breathe(index + 1, 'apply');
    }
    return undefined;
  }

  /** Takes steps back, last one first, as far as they were carried out; `count`: the first so many. */
  async revert(count = this.steps.length): Promise<Complaints> {
    const complaints: string[] = [];
    for (let i = count - 1; i >= 0; i--) {
      const step = this.steps[i] as Step;
      this.#complain(complaints, step, () => revertStep(step, this.context));
      if (this.#isDue()) await this.#breathe(count - i, 'take back');
    }
    return complaints;
  }

  /** Takes all steps of a commit back that is through; what fails twice ends it. */
  async revertOrStop(): Promise<{ readonly step: Step; readonly errno: Errno } | undefined> {
    const { steps } = this;
    for (let i = steps.length - 1; i >= 0; i--) {
      const step = steps[i] as Step;
      const errno = takeBackStep(step, this.context) && revertStep(step, this.context);
      if (errno !== OK) return { step, errno };
      if (this.#isDue()) await this.#breathe(steps.length - i, 'take back');
    }
    return undefined;
  }

  /** Carries out again what was taken back. */
  async rerun(): Promise<Complaints> {
    const complaints: string[] = [];
    for (const [index, step] of this.steps.entries()) {
      this.#complain(complaints, step, () => rerunStep(step, this.context));
      if (this.#isDue()) await this.#breathe(index + 1, 'apply again');
    }
    return complaints;
  }

  /** Brings what was replaced to the backups, when everything is in place. */
  async tidy(): Promise<Complaints> {
    const complaints: string[] = [];
    const tidying = new Tidying(this.context);
    for (const [index, step] of this.steps.entries()) {
      this.#complain(complaints, step, () => tidying.step(step));
      if (this.#isDue()) await this.#breathe(index + 1, 'tidy up');
    }
    for (const step of this.steps) this.#complain(complaints, step, () => tidying.restoreTime(step));
    return complaints;
  }

  /** Copies content that stays where steps have put it back into the store. */
  keepContents(): Complaints {
    const complaints: string[] = [];
    for (const step of this.steps) {
      if (step.do === 'place') this.#complain(complaints, step, () => keepContent(step, this.context));
    }
    return complaints;
  }

  /** Steps that put an object, and not a copy of it, into its place. */
  placed(): ReadonlyMap<ObjectId, Place> {
    const placed = new Map<ObjectId, Place>();
    for (const step of this.steps) {
      if (step.do === 'place' && this.log.noted(step, 'new') === undefined) placed.set(step.object, step);
    }
    return placed;
  }

  /** Everything on disk, on each file system that steps worked on; what went wrong with that. */
  sync(): Promise<Errno> {
    return syncDisks(this.steps, this.context);
  }

  /** Whether it is time to breathe. Looks at the clock now and then; a promise for each step would cost more than some steps. */
  #isDue(): boolean {
    this.#unlooked += 1;
    if (this.#unlooked < LOOK_EVERY) return false;
    this.#unlooked = 0;
    return Date.now() >= this.#sliceEnd;
  }

  /** Tells how far it is, and lets others have a turn. */
  async #breathe(done: number, what: string): Promise<void> {
    this.#onProgress(done, this.steps.length, what);
    await pause();
    this.#sliceEnd = Date.now() + SLICE;
  }

  #complain(complaints: string[], step: Step, act: () => Errno): void {
    const errno = twice(act);
    if (errno !== OK) complaints.push(`${label(step.path)}: ${describeErrno(errno)}`);
  }
}

/** What it means that `sync` failed. */
export function complaintOf(errno: Errno): Complaints {
  return errno === OK ? [] : [`the disk: ${describeErrno(errno)}`];
}

/** What takes back or tidies up may be repeated, and must not fail for something that passes. */
function twice(act: () => Errno): Errno {
  return act() && act();
}
