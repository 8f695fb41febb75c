/** A commit of a part of what is staged. */
import type { CommitSelection } from '../../../history/commit/select/selection.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';

/** A commit of not all that is staged. */
export interface CommitPart {
  /** What is to be planned, and what comes along that nobody named. */
  readonly selection: Pick<CommitSelection, 'tree' | 'along'>;
  /** What stays staged over the base as the commit leaves it; to be called then. Throws a SystemError or UserError. */
  rest(): OverrideTree;
}
