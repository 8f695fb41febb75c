/** What an overlay is made of: the base below, what is staged above it, and what counts, records and remembers both. */
import type { Ino, ObjectId } from '../sys/bytes.ts';
import type { BaseTree } from './base-tree.ts';
import { ContentFiles } from './content-files.ts';
import { InodeTable } from './inode-table.ts';
import type { ObjectStore } from './object-store.ts';
import type { OverrideTree } from './override-tree.ts';
import type { Owner } from './owner.ts';
import type { Recorder } from './recorder.ts';
import { Quota } from './store/quota.ts';

/** Who hands out fresh numbers: history, so that none is used twice in a session. */
export interface Numbers {
  nextObject(): ObjectId;
  nextIno(): Ino;
}

export interface OverlayOptions {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  readonly recorder: Recorder;
  readonly numbers: Numbers;
  readonly owner: Owner;
  /** Most content descriptors kept open at once. */
  readonly maxFiles: number;
  /** What the store may occupy; without one there is no limit. */
  readonly quota?: Quota;
}

export interface Layers extends OverlayOptions {
  readonly files: ContentFiles;
  /** What the kernel knows. */
  readonly table: InodeTable;
  readonly quota: Quota;
}

/** With nothing open, and nothing known to the kernel but the root. */
export function layersOf(options: OverlayOptions): Layers {
  const { tree, base, store, maxFiles } = options;
  const files = new ContentFiles(base, store, maxFiles);
  base.onStarved(() => files.shed());
  return { ...options, files, table: new InodeTable(tree.root), quota: options.quota ?? new Quota(store, () => 0) };
}
