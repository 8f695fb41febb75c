/**
 * Carries out the plan of a commit. What it is going to do is written down first (runner/). Nothing is destroyed
 * before everything is in place and on disk: until then each step can be taken back, and a failure takes all of them
 * back, last one first; after a crash the next start does (runner/recover.ts).
 *
 *     log ▸ steps ▸ syncfs ▸ onPlaced | tidy up
 *     ---- taken back on failure -----
 *
 * The steps run on the thread that calls, with a pause now and then; the caller sees to it that the session does
 * not change meanwhile.
 */

import type { BytePath, ObjectId } from '../../sys/bytes.ts';
import { label } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { describeErrno, OK, SystemError } from '../../sys/errno.ts';
import { JournalInDoubt } from '../log/lines.ts';
import type { Place, Step } from './plan/steps.ts';
import { describeStep } from './plan/steps.ts';
import type { Plan } from './plan.ts';
import { CommitLog } from './runner/commit-log.ts';
import { CommitRunner, type Complaints, complaintOf, type OnProgress } from './runner/commit-runner.ts';
import { restoreSoonest } from './runner/restore-objects.ts';

/** A step failed; the base is as it was, unless `leftover` says otherwise. */
export class CommitError extends Error {
  readonly path: BytePath;
  readonly errno: Errno;
  /** What could not be taken back, one line each; normally none. */
  readonly leftover: Complaints;

  constructor(step: Step, errno: Errno, leftover: Complaints) {
    super(`cannot ${describeStep(step) ?? `change ${label(step.path)}`}: ${describeErrno(errno)}`);
    this.name = 'CommitError';
    this.path = step.path;
    this.errno = errno;
    this.leftover = leftover;
  }
}

export interface ApplyOptions {
  /** Called now and then; the last time with `done` equal to `total`. */
  readonly onProgress?: OnProgress;
  /** Called when everything is in place and durable, and can still be taken back; what it throws takes it back. */
  readonly onPlaced?: () => void | Promise<void>;
  /** Make everything durable before the commit counts (the default). */
  readonly sync?: boolean;
}

export interface Applied {
  readonly changes: number;
  /** What was put into its place as it was, by content object; of copies the plan knows too little. */
  readonly placed: ReadonlyMap<ObjectId, Place>;
  /** What could not be brought to the backups, one line each; normally none. */
  readonly leftover: Complaints;
}

/**
 * Carries out a plan. The objects it names belong to the base afterwards, so the caller ends the epoch. Throws
 * SystemError, with nothing changed, when the log cannot be written.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions = {}): Promise<Applied | CommitError> {
  const log = CommitLog.begin(plan.log, plan);
  const runner = open(log, plan, options);
  try {
    const applied = await apply(runner, options);
    if (!(applied instanceof CommitError)) restoreSoonest(plan.log, log, plan.store);
    return applied;
  } finally {
    runner.close();
  }
}

function open(log: CommitLog, plan: Plan, { onProgress }: ApplyOptions): CommitRunner {
  try {
    return new CommitRunner(log, plan.store, onProgress);
  } catch (error) {
    // Nothing was begun that the next start would have to take back.
    log.remove();
    throw error;
  }
}

async function apply(runner: CommitRunner, options: ApplyOptions): Promise<Applied | CommitError> {
  const { steps, changes } = runner.log.recorded;
  const failed = await runner.run();
  if (failed !== undefined) {
    const { index, errno } = failed;
    return new CommitError(steps[index] as Step, errno, await rollBack(runner, index + 1));
  }
  try {
    const synced = options.sync === false ? OK : await runner.sync();
    if (synced !== OK) throw new SystemError('cannot make the commit durable', synced);
    await options.onPlaced?.();
  } catch (error) {
    // Where the journal may say that it counts, all is left to the next start.
    if (!(error instanceof JournalInDoubt)) await rollBack(runner, steps.length);
    throw error;
  }
  const leftover = await runner.tidy();
  // With something left to do, the log stays an intent, and the next start tries again.
  if (leftover.length === 0) runner.log.become('steps');
  options.onProgress?.(steps.length, steps.length, 'done');
  return { changes, placed: runner.placed(), leftover };
}

async function rollBack(runner: CommitRunner, count: number): Promise<Complaints> {
  const leftover = [...(await runner.revert(count)), ...complaintOf(await runner.sync())];
  if (leftover.length === 0) runner.log.remove();
  return leftover;
}
