/** A commit of a part of what is staged. */
import type { Plan } from '../../../history/commit/plan.ts';
import type { CommitSelection } from '../../../history/commit/select/selection.ts';
import type { Checkpoint } from '../../../history/timeline/checkpoint/records.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { PlacedObjects } from '../../../staging/switch/rebase.ts';

/** A plan that was carried out. */
export interface Placement {
  readonly plan: Plan;
  readonly placed: PlacedObjects;
}

/** What follows on a commit at once: both count, or neither. */
export interface Following {
  /** `rest`: what the commit leaves, over the base that has its part. Throws a UserError or SystemError: then the commit must not happen. */
  checkpointOf(rest: OverrideTree): Checkpoint;
}

/** A commit of not all that is staged: what is to be planned, and what to do when it is in its place. */
export interface CommitPart {
  readonly selection: Pick<CommitSelection, 'tree' | 'along' | 'rest'>;
  /** Records durably that it is the base's, and what stays, or `then` leaves of that. Throws a SystemError or UserError; it must not happen then. */
  record(changes: number, then?: Following): void;
  /** The live tree becomes what was recorded, and the view stays as it is. Returns what the kernel must forget. */
  rebase(done: Placement): Invalidation[];
}
