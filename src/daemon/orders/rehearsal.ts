/**
 * A travel is a second of interpreted code the first time and a tenth of that later. So it is rehearsed, once there is enough
 * to go through: while nobody waits, on a tree that nobody sees, in steps that are short enough for a request to wait for.
 */
import { countChanges } from '../../history/diff/changes.ts';
import { JournalDamaged } from '../../history/log/lines.ts';
import { currentEpoch, liveRuns } from '../../history/timeline/segments.ts';
import { treeOf } from '../../history/timeline/state-at.ts';
import { ContentFiles } from '../../staging/content-files.ts';
import { OverrideTree } from '../../staging/override-tree.ts';
import { Resolver } from '../../staging/resolver.ts';
import { DetachedDirectories } from '../../staging/switch/detached.ts';
import { switchTree } from '../../staging/switch/switch-tree.ts';
import type { Ino, Name, NodeId } from '../../sys/bytes.ts';
import { ENOENT, SystemError } from '../../sys/errno.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import { COUNTED_CHANGES } from '../protocol.ts';
import { packFor } from '../view/invalidate.ts';
import type { LiveSession } from './live-session.ts';

type RehearsedSession = Pick<LiveSession, 'history' | 'markers' | 'base' | 'store'>;

/** Bytes of records that are gone through each time, about 700; with fewer the first travel is short anyway. */
const EXTENT = 110 * 1024;
/** With four the first travel still waits for a compiler: measured, 150 to 190 ms with four and 93 to 146 with ten; more is of no use. */
const TIMES = 10;
/** Bytes of the journal that are searched for markers in one step. */
const SEARCHED = 1024 * 1024;

const DEVICES: ReadonlyMap<number, undefined> = new Map([[0, undefined]]);
const KNOWING = [{ fd: 0, aliases: [] }];

export class Rehearsal {
  readonly #session: RehearsedSession;
  #left = TIMES;

  constructor(session: RehearsedSession) {
    this.#session = session;
  }

  /** Does a part of what the next travel would otherwise have to do; false when there is nothing more for now. */
  step(): boolean {
    const { history, markers } = this.#session;
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
    const { history, markers, base, store } = this.#session;
    const { journal } = history;
    const [run] = liveRuns(currentEpoch(markers.timeline()));
    if (run === undefined || run.end - run.start < EXTENT) return;
    const part = { start: run.start, end: journal.lineAt(run.start + EXTENT) };
    const tree = new OverrideTree();
    const files = new ContentFiles(base, store, 1);
    const resolver = new Resolver({ tree, base, files }, () => undefined);
    const parts = {
      tree,
      resolver,
      files,
      detached: new DetachedDirectories(),
      statOf: () => ENOENT,
      differs: () => undefined,
    };
    const show = (target: OverrideTree): void => {
      pretendKnown(tree);
      packFor(switchTree(parts, target).invalidations, DEVICES, () => KNOWING);
    };
    const target = treeOf(journal, [part]);
    countChanges({ tree: target, base, store }, COUNTED_CHANGES);
    show(target);
    show(new OverrideTree());
    // Now the directories are known.
    show(treeOf(journal, [part]));
    show(treeOf(journal, [part]));
  }
}

/** As if the kernel knew all of it, and something besides that nobody has changed. */
function pretendKnown(tree: OverrideTree): void {
  tree.scaffold({ dir: tree.root, name: 'proc' as Name }, S_IFDIR, 0 as Ino);
  const stack = [tree.root];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    at.nodeId = 1 as NodeId;
    for (const child of at.children?.values() ?? []) if (child !== null) stack.push(child);
  }
}
