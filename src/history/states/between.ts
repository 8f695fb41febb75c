/** The two states that a RANGE of the command line names. */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import { OverrideTree } from '../../staging/override-tree.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Journal } from '../journal.ts';
import { type Range, type StatePoint, whyPast } from '../ranges.ts';
import { treeAt } from '../travel/state-at.ts';
import type { StatesOptions } from './changes.ts';

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

function treeOf({ epoch, generation }: StatePoint, { journal, tree }: BetweenOptions): OverrideTree {
  if (epoch.ended !== undefined) throw new UserError(`generation ${generation} cannot be shown: it ${whyPast(epoch)}`);
  if (generation === undefined) return tree;
  if (generation === epoch.base) return new OverrideTree();
  if (epoch.dropped.has(generation)) throw new UserError(`generation ${generation} is no longer kept (gc)`);
  return treeAt(journal, epoch, generation);
}
