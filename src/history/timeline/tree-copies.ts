/**
 * Copies of the durable tree as it was at snapshots of the present epoch, so that a travel need not read all that was recorded
 * since the epoch began: it loads the nearest one on the way to its goal and replays the rest, as a start does. A cache beside the
 * journal, `trees/GENERATION.mdb`: which state a copy is of, the checksum of the journal's line there tells. One that is not as it
 * was left, or of an earlier boot, is not opened (store/stamp.ts).
 */
import { TOMBSTONE } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import { lookAt, makeDirectory, namesIn } from '../../sys/files/text-files.ts';
import type { Journal } from '../log/journal.ts';
import { initialState } from '../log/session-state.ts';
import { type Epoch, generationsBehind, type Marker } from './segments.ts';
import { removeEnvironment } from './store/environment.ts';
import { TreeStore } from './store/tree-store.ts';

const SUFFIX = '.mdb';

/** A state on the way to another one. */
export interface Nearest {
  readonly tree: OverrideTree;
  readonly generation: Gen;
}

export class TreeCopies {
  readonly #dir: string;
  readonly #journal: Journal;

  constructor(dir: string, journal: Journal) {
    this.#dir = dir;
    this.#journal = journal;
  }

  /** Where the copy of a generation's state lies. */
  placeOf(generation: Gen): string {
    return `${this.#dir}/${generation}${SUFFIX}`;
  }

  /** The copy from which the fewest records lead to the state at a generation of `epoch`; undefined where none does. */
  nearest(epoch: Epoch, generation: Gen): Nearest | undefined {
    const kept = this.generations();
    if (kept.length === 0) return undefined;
    const behind = generationsBehind(epoch, generation);
    for (const at of kept.reverse()) {
      const marker = behind.has(at) ? epoch.markers.find((each) => each.generation === at) : undefined;
      const tree = marker === undefined ? undefined : this.#load(marker);
      if (tree !== undefined) return { tree, generation: at };
    }
    return undefined;
  }

  /** Whether there is one of that generation, usable or not. */
  has(generation: Gen): boolean {
    return lookAt(this.placeOf(generation)) !== undefined;
  }

  /** The generations of which there are copies, usable or not, in order. */
  generations(): Gen[] {
    const names = namesIn(this.#dir).filter((name) => /^\d+\.mdb$/.test(name));
    return names.map((name) => Number.parseInt(name, 10) as Gen).sort((a, b) => a - b);
  }

  /** Bytes of the file of a copy; 0 where there is none. */
  sizeOf(generation: Gen): number {
    return lookAt(this.placeOf(generation))?.size ?? 0;
  }

  remove(generation: Gen): void {
    removeEnvironment(this.placeOf(generation));
  }

  /** Keeps `tree` as the state at a snapshot of which there is no copy. False: it could not be written. */
  async keep(tree: OverrideTree, { generation, next }: Marker): Promise<boolean> {
    makeDirectory(this.#dir, 0o700);
    const store = TreeStore.open(this.placeOf(generation));
    const journalSum = this.#journal.sumBefore(next) ?? '';
    noteAll(tree);
    const isKept = store.save(tree, {
      ...initialState(),
      generation,
      journalOffset: next,
      journalSum,
      journalStamp: '',
    });
    await store.close();
    return isKept;
  }

  #load({ generation, next }: Marker): OverrideTree | undefined {
    const store = TreeStore.open(this.placeOf(generation), { readOnly: true });
    const loaded = store.load();
    void store.close();
    if (loaded === undefined) return undefined;
    const { meta, tree } = loaded;
    const isOfIt = meta.generation === generation && meta.journalOffset === next;
    return isOfIt && meta.journalSum === this.#journal.sumBefore(next) ? tree : undefined;
  }
}

/** Nothing of it is in the store that it goes to. */
function noteAll(tree: OverrideTree): void {
  const dirs = [tree.root];
  tree.dirtyInodes.add(tree.root);
  for (let dir = dirs.pop(); dir !== undefined; dir = dirs.pop()) {
    for (const [name, child] of dir.children ?? []) {
      if (child !== TOMBSTONE && child.staged === undefined) continue;
      tree.noteDirtyDentry(dir, name);
      if (child === TOMBSTONE) continue;
      tree.dirtyInodes.add(child);
      if (child.children !== undefined) dirs.push(child);
    }
  }
  for (const inode of tree.linked.values()) tree.dirtyInodes.add(inode);
  for (const [path] of tree.stamps.entries()) tree.stamps.dirty.add(path);
}
