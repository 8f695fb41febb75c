/** The directory objects of a plan: those of the base by their path there, those born in the view by inode. */
import type { Inode } from '../../../staging/inode.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { ROOT, splitPath } from '../../../sys/bytes.ts';
import type { Slot } from '../apply/directories.ts';
import { Directory } from '../apply/directories.ts';

export class DirectoryMap {
  readonly #root = new Directory(undefined, '' as Name);
  readonly #ofBase = new Map<BytePath, Directory>([[ROOT, this.#root]]);
  /** Directories of the base in which steps of the plan work, with their path there. */
  readonly worked = new Map<Directory, BytePath>();

  /** The object for a directory of the base. */
  ofBase(path: BytePath): Directory {
    const known = this.#ofBase.get(path);
    if (known !== undefined) return known;
    const split = splitPath(path);
    if (split === undefined) return this.#root;
    const made = new Directory(this.ofBase(split.dir), split.name);
    this.#ofBase.set(path, made);
    return made;
  }

  /** The object for a directory of the base, if anything has asked for it before. */
  known(path: BytePath): Directory | undefined {
    return this.#ofBase.get(path);
  }

  /** The object for a directory of the view whose parent has one. */
  ofInode(inode: Inode, parent: Directory, name: Name): Directory {
    return inode.base === undefined ? new Directory(parent, name) : this.ofBase(inode.base);
  }

  /** The place that a base path names. */
  base(path: BytePath): Slot | undefined {
    const split = splitPath(path);
    return split === undefined ? undefined : { dir: this.ofBase(split.dir), name: split.name };
  }

  /** As `base`, for a name that a step is going to change. */
  work(path: BytePath): Slot | undefined {
    const split = splitPath(path);
    const slot = this.base(path);
    if (split !== undefined && slot !== undefined) this.worked.set(slot.dir, split.dir);
    return slot;
  }
}
