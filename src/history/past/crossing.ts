/**
 * The ends of epochs, crossed on the way from the base of today into the past: a commit is taken back, and one that was
 * undone is done again.
 */
import type { BytePath, Ino, ObjectId } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Step } from '../commit/plan/steps.ts';
import { backupsOf, logOf } from '../commit/runner/places.ts';
import { readLog } from '../commit/runner/read-log.ts';
import type { Facts } from '../diff/facts.ts';
import type { Layout } from '../layout.ts';
import { WHERE_TO_GO } from '../timeline/destination.ts';
import type { Ending, Epoch } from '../timeline/segments.ts';
import { Backups } from './backups.ts';
import type { BaseReconstruction } from './base-reconstruction.ts';
import { doAgain, takeBack, temporaryNames } from './rewind.ts';

export interface CrossingOptions {
  readonly layout: Layout;
  readonly facts: Facts;
  readonly numbers: { nextObject(): ObjectId; nextIno(): Ino };
  /** As in `BackupsOptions`: for a tree that is only looked at. */
  readonly lend?: ((path: BytePath) => ObjectId) | undefined;
}

/** The epochs whose ends have changed the base since, and still count: a commit and its undo have left nothing between them. */
export function turnsOf(epochs: readonly Epoch[]): Epoch[] {
  const ended = epochs.filter((one) => one.ended === 'commit' || one.ended === 'undo');
  const numbersOf = (ending: Ending): Set<number | undefined> =>
    new Set(ended.filter((one) => one.ended === ending).map(({ commit }) => commit));
  const [committed, undone] = [numbersOf('commit'), numbersOf('undo')];
  return ended.filter(({ commit }) => !(committed.has(commit) && undone.has(commit)));
}

/** From the base after the end of an epoch to the base in it. Throws a UserError when something of that is not kept. */
export function crossBack(
  { ended, commit }: Epoch,
  rebuilt: BaseReconstruction,
  { layout, facts, numbers, lend }: CrossingOptions,
): void {
  if (commit === undefined) return;
  const path = logOf(layout, commit);
  const steps = stepsOf(layout, commit);
  const backups = new Backups({ path: backupsOf(path), facts, numbers, temporary: temporaryNames(steps), lend });
  if (ended === 'commit') takeBack(steps, rebuilt, backups);
  else doAgain(steps, rebuilt, () => numbers.nextIno());
}

function stepsOf(layout: Layout, commit: number): readonly Step[] {
  const log = readLog(logOf(layout, commit));
  if (log !== undefined && log !== 'incomplete') return log.recorded.steps;
  throw new UserError(`what was before commit ${commit} is no longer kept`, WHERE_TO_GO);
}
