/**
 * A travel is a second of interpreted code the first time and a tenth of that later. So it is rehearsed, once there is enough
 * to go through: while nobody waits, on a tree that nobody sees, in steps that are short enough for a request to wait for.
 */
import { packForgotten } from '../fuse/notify.ts';
import { countChanges } from '../history/changes.ts';
import type { Journal } from '../history/journal.ts';
import { JournalDamaged } from '../history/line/lines.ts';
import { currentEpoch, liveRuns } from '../history/segments.ts';
import type { Markers } from '../history/travel/markers.ts';
import { treeOf } from '../history/travel/state-at.ts';
import type { BaseTree } from '../staging/base-tree.ts';
import { ContentFiles } from '../staging/content-files.ts';
import { Departed } from '../staging/graft/departed.ts';
import { graft } from '../staging/graft/graft.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import { OverrideTree } from '../staging/override-tree.ts';
import { Resolver } from '../staging/resolver.ts';
import type { NodeId } from '../sys/bytes.ts';
import { ENOENT, SystemError } from '../sys/errno.ts';
import { COUNTED_CHANGES } from './protocol.ts';

export interface RehearsalParts {
  readonly history: { readonly journal: Journal };
  readonly markers: Markers;
  readonly base: BaseTree;
  readonly store: ObjectStore;
}

/** Bytes of records that are gone through each time, about a thousand; with fewer the first travel is short anyway. */
const EXTENT = 160 * 1024;
const TIMES = 4;
/** Bytes of the journal that are searched for markers in one step. */
const SEARCHED = 1024 * 1024;

export class Rehearsal {
  readonly #parts: RehearsalParts;
  #left = TIMES;

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
  }

  /** Does a part of what the next travel would otherwise have to do; false when there is nothing more for now. */
  step(): boolean {
    const { history, markers } = this.#parts;
    try {
      if (!markers.catchUp(SEARCHED)) return true;
      if (this.#left === 0 || history.journal.size < EXTENT) return false;
      this.#left -= 1;
      this.#rehearse();
      return this.#left > 0;
    } catch (error) {
      if (!(error instanceof JournalDamaged || error instanceof SystemError)) throw error;
      // A travel will come upon it and say so.
      this.#left = 0;
      return false;
    }
  }

  #rehearse(): void {
    const { history, markers, base, store } = this.#parts;
    const { journal } = history;
    const [run] = liveRuns(currentEpoch(markers.timeline()));
    if (run === undefined || run.end - run.start < EXTENT) return;
    const part = { start: run.start, end: journal.lineAt(run.start + EXTENT) };
    const tree = new OverrideTree();
    const files = new ContentFiles(base, store, 1);
    const resolver = new Resolver({ tree, base, files }, () => undefined);
    const parts = { tree, resolver, files, departed: new Departed(), statOf: () => ENOENT };
    const target = treeOf(journal, [part]);
    countChanges({ tree: target, base, store }, COUNTED_CHANGES);
    graft(parts, target);
    pretendKnown(tree);
    packForgotten(graft(parts, treeOf(journal, [part])).invalidations);
    packForgotten(graft(parts, new OverrideTree()).invalidations);
  }
}

/** As if the kernel knew all of it. */
function pretendKnown(tree: OverrideTree): void {
  const stack = [tree.root];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    at.nodeId = 1 as NodeId;
    for (const child of at.children?.values() ?? []) if (child !== null) stack.push(child);
  }
}
