/**
 * Taking the last commit back. Until its record U is in the journal, an undo that fails, or is cut short, is taken
 * back itself: the steps are carried out again.
 *
 *     check ▸ log: undoing ▸ steps, last one first ▸ syncfs ▸ onReverted (U) │ log: undone
 */
import type { ObjectStore } from '../../../staging/object-store.ts';
import { type BytePath, label } from '../../../sys/bytes.ts';
import { describeErrno, OK, SystemError } from '../../../sys/errno.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { Layout } from '../../layout.ts';
import { JournalInDoubt } from '../../log/lines.ts';
import type { CommitLog } from './commit-log.ts';
import { CommitRunner, type OnProgress } from './commit-runner.ts';
import { logOf } from './places.ts';
import { readLog } from './read-log.ts';
import { finish } from './recover.ts';
import { checkUndo, type UndoConflict } from './undo-check.ts';

/** Places are not as the commit left them, so that it cannot be taken back step by step; nothing was changed. */
export class ChangedSinceError extends UserError {
  readonly conflicts: readonly UndoConflict[];

  constructor(conflicts: readonly UndoConflict[], hint?: string) {
    super(`${conflicts.length} ${conflicts.length === 1 ? 'conflict' : 'conflicts'}, nothing was changed`, hint, {
      code: 'conflict',
      details: conflicts.map(({ path, reason }) => `${label(path)}: ${reason}`),
    });
    this.name = 'ChangedSinceError';
    this.conflicts = conflicts;
  }
}

/** The log of a commit that can be taken back. Throws UserError when there is none. */
export function undoableLog(layout: Layout, applied: readonly number[]): CommitLog {
  const number = applied.at(-1);
  if (number === undefined) throw new UserError('there is no commit to take back');
  const log = readLog(logOf(layout, number));
  if (log === undefined) throw new UserError(`commit ${number} is no longer kept: it cannot be taken back`);
  if (log === 'incomplete' || log.stage !== 'steps') {
    throw new UserError(`commit ${number} is not finished`, "'yolofs stop', then 'yolofs doctor --repair' finishes it");
  }
  return log;
}

export interface UndoOptions {
  readonly log: CommitLog;
  readonly store: ObjectStore;
  /** Paths of real files that are to stay as somebody has changed them: there must be something. */
  readonly theirs?: readonly BytePath[];
  readonly onProgress?: OnProgress;
  /** Called when the base is what it was before the commit, durably; what it throws takes the undo back. */
  readonly onReverted: () => void | Promise<void>;
}

/** Throws as `undoCommit` does when it cannot be taken back; nothing is changed. */
export function checkUndoable({ log, store, theirs = [] }: Pick<UndoOptions, 'log' | 'store' | 'theirs'>): void {
  const runner = new CommitRunner(log, store);
  try {
    runner.locate();
    refuseConflicts(runner, theirs);
  } finally {
    runner.close();
  }
}

/** Takes a commit back. Rejects with a ChangedSinceError, a UserError, or with what `onReverted` throws; the base is as the commit left it then. */
export async function undoCommit({ log, store, theirs = [], onProgress, onReverted }: UndoOptions): Promise<void> {
  const runner = new CommitRunner(log, store, onProgress);
  try {
    runner.locate();
    refuseConflicts(runner, theirs);
    const errno = log.become('undoing');
    if (errno !== OK) throw new SystemError('cannot begin the undo', errno);
    await revertAll(runner, onReverted);
    log.become('undone');
  } finally {
    runner.close();
  }
}

async function revertAll(runner: CommitRunner, onReverted: UndoOptions['onReverted']): Promise<void> {
  try {
    const failed = await runner.revertOrStop();
    if (failed !== undefined) {
      const { step, errno } = failed;
      throw new UserError(`cannot take back what was done to ${label(step.path)}: ${describeErrno(errno)}`);
    }
    const synced = await runner.sync();
    if (synced !== OK) throw new SystemError('cannot make the undo durable', synced);
    await onReverted();
  } catch (error) {
    if (!(error instanceof JournalInDoubt)) await redo(runner);
    throw error;
  }
}

/** With complaints, the next start tries again. */
async function redo(runner: CommitRunner): Promise<void> {
  const complaints = await runner.rerun();
  if (complaints.length === 0) await finish(runner);
}

function refuseConflicts(runner: CommitRunner, [kept]: readonly BytePath[]): void {
  const conflicts = checkUndo(runner);
  if (conflicts.length > 0) throw new ChangedSinceError(conflicts);
  if (kept !== undefined) throw new UserError(`${label(kept)}: nothing there was changed since the commit`);
}
