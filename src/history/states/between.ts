/** The two states that a RANGE of the command line names. */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import { OverrideTree } from '../../staging/override-tree.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Journal } from '../journal.ts';
import type { Range, StatePoint } from '../ranges.ts';
import type { StatesOptions } from './changes.ts';
import { treeAt } from './tree-at.ts';

export interface BetweenOptions {
  readonly journal: Journal;
  /** The present state. */
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** As in `netChanges`. */
  readonly expand?: boolean;
}

/** The two states, to be compared by `stateChanges`. Throws UserError for one that cannot be shown. */
export function statesOf(range: Range, options: BetweenOptions): StatesOptions {
  const { base, store, expand = false } = options;
  return { before: treeOf(range.from, options), after: treeOf(range.to, options), base, store, expand };
}

function treeOf(point: StatePoint, { journal, tree }: BetweenOptions): OverrideTree {
  const { epoch, generation } = point;
  if (epoch.ended !== undefined) throw isPast(point);
  if (generation === undefined) return tree;
  if (generation === epoch.base) return new OverrideTree();
  if (epoch.dropped.has(generation)) throw new UserError(`generation ${generation} is no longer kept (gc)`);
  return treeAt(journal, point);
}

function isPast({ epoch, generation }: StatePoint): UserError {
  const fate = { commit: 'was committed', abort: 'was aborted', undo: 'was staged before an undo' };
  return new UserError(`generation ${generation} cannot be shown: it ${fate[epoch.ended ?? 'commit']}`);
}
