/**
 * Base entries of staged files that somebody removed outside, of which there is no record. At the end of its epoch the base had
 * nothing at those names. What it has there today is another file: a name without content of its own has nothing to show.
 */
import { type Inode, type Time, TOMBSTONE } from '../../staging/inode.ts';
import type { OverrideTree, Place } from '../../staging/override-tree.ts';
import type { Name } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';

export class LostBaseEntries {
  readonly #tree: OverrideTree;
  /** Names at which the base of that time had nothing. */
  readonly #gone = new Map<Inode, Set<Name>>();
  readonly #lost = new Set<Inode>();

  /** `rebuilt`: the inodes of a tree that shows what the base was at the end of the epoch. */
  constructor(tree: OverrideTree, rebuilt: Iterable<Inode>) {
    this.#tree = tree;
    for (const dir of rebuilt) {
      for (const [name, child] of dir.children ?? []) {
        if (child === TOMBSTONE) this.#gone.set(dir, (this.#gone.get(dir) ?? new Set<Name>()).add(name));
      }
    }
  }

  /** A record is about the base's file at a place, which the tree has made known. */
  note({ dir, name }: Place, inode: Inode): void {
    if (inode.type !== S_IFDIR && this.#gone.get(dir)?.has(name)) this.#lost.add(inode);
  }

  /** After the last record: takes their names away. */
  drop(time: Time): void {
    for (const inode of this.#lost) if (inode.staged?.object === 0) this.#dropNames(inode, time);
  }

  #dropNames(inode: Inode, time: Time): void {
    for (let dir = inode.parent; dir !== undefined; dir = inode.parent) {
      const staged = this.#tree.stage(dir);
      const before = staged.attributes;
      this.#tree.remove({ dir, name: inode.name }, { hides: true }, time);
      // Nobody did that to the directory.
      staged.attributes = before;
    }
  }
}
