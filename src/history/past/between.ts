/** The two states that a RANGE of the command line names. */
import type { BaseTree } from '../../staging/base-tree.ts';
import { OverrideTree } from '../../staging/override-tree.ts';
import type { Ino, ObjectId } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { StatesOptions } from '../diff/changes.ts';
import { Facts } from '../diff/facts.ts';
import type { Layout } from '../layout.ts';
import type { Journal } from '../log/journal.ts';
import type { Range, StatePoint } from '../timeline/ranges.ts';
import type { Timeline } from '../timeline/segments.ts';
import { treeAt } from '../timeline/state-at.ts';
import type { LendingStore } from './lending-store.ts';
import { type PastOptions, treeOfPast } from './past.ts';

export interface BetweenOptions {
  readonly layout: Layout;
  readonly journal: Journal;
  /** The present state. */
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: LendingStore;
  /** As in `netChanges`. */
  readonly expand?: boolean | undefined;
}

/** Above all numbers that inodes of a session ever get. */
const FIRST_INO = 2 ** 52;

/** The two states, to be compared by `stateChanges`. Throws UserError for one that cannot be shown. */
export function statesOf({ from, to, timeline }: Range, options: BetweenOptions): StatesOptions {
  const { base, store, expand = false } = options;
  const show = (point: StatePoint): OverrideTree => treeOf(point, timeline, options);
  return { before: show(from), after: show(to), base, store, expand };
}

function treeOf({ epoch, generation }: StatePoint, timeline: Timeline, options: BetweenOptions): OverrideTree {
  if (generation === undefined) return options.tree;
  const isBase = generation === epoch.base;
  if (!isBase && epoch.dropped.has(generation)) throw new UserError(`generation ${generation} is no longer kept (gc)`);
  if (epoch.ended !== undefined)
    return treeOfPast({ epoch, generation }, { ...options, ...lending(options), timeline });
  return isBase ? new OverrideTree() : treeAt(options.journal, epoch, generation, options.layout.trees);
}

/**
 * What it takes to look at an epoch that has ended. Nothing is copied for it. Numbers begin anew with each tree, so that
 * what two of them make of one commit has one number in both.
 */
function lending({ base, store }: BetweenOptions): Pick<PastOptions, 'facts' | 'numbers' | 'lend'> {
  let ino = FIRST_INO;
  const numbers = { nextObject: () => 0 as ObjectId, nextIno: () => ino++ as Ino };
  return { facts: new Facts(base, store), numbers, lend: (path) => store.lend(path) };
}
