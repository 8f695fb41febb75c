/**
 * Further names that the base has for changed files (hard links). The override tree knows only those that somebody
 * looked up; whoever changes a file through one name changes what the others show, so they are looked for, in the
 * directories that have changes at all. A name anywhere else is not found: that would mean to search the whole base.
 */

import { ownNumber } from '../../staging/base-tree.ts';
import type { Inode } from '../../staging/inode.ts';
import { basePath, TOMBSTONE } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';

export class OtherNames {
  readonly #facts: Facts;
  /** The file system's own inode number -> changed files. */
  readonly #changed = new Map<number, Inode[]>();

  constructor(tree: OverrideTree, facts: Facts) {
    this.#facts = facts;
    const inodes = new Set<Inode>(tree.linked.values());
    addLinked(inodes, tree.root);
    for (const inode of inodes) {
      if (!isChanged(inode)) continue;
      const ino = ownNumber(inode.staged?.fingerprint?.ino ?? 0);
      this.#changed.set(ino, [...(this.#changed.get(ino) ?? []), inode]);
    }
  }

  /** Names in a directory of the view that nothing is staged under, but that are a changed file's. */
  in(dir: Inode): ReadonlyMap<Name, Inode> {
    const found = new Map<Name, Inode>();
    const { base } = dir;
    if (this.#changed.size === 0 || base === undefined) return found;
    for (const { name, ino } of this.#facts.list(base) ?? []) {
      const known = dir.children?.get(name);
      if (known === TOMBSTONE || known?.staged !== undefined) continue;
      for (const inode of this.#changed.get(ownNumber(ino)) ?? []) {
        if (this.#isName(base, name, inode)) found.set(name, inode);
      }
    }
    return found;
  }

  #isName(dir: BytePath, name: Name, inode: Inode): boolean {
    const path = basePath(inode);
    const original = path === undefined ? undefined : this.#facts.of(path);
    const here = this.#facts.at(dir, name);
    return original !== undefined && here?.ino === original.ino && here.dev === original.dev;
  }
}

/** Adds what is staged and was a file with several names. Every `status` asks this of every staged file. */
function addLinked(inodes: Set<Inode>, root: Inode): void {
  const stack = [root];
  for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
    for (const child of dir.children?.values() ?? []) {
      if (child === TOMBSTONE || child.staged === undefined) continue;
      if (child.children !== undefined) stack.push(child);
      if ((child.staged.fingerprint?.nlink ?? 1) > 1) inodes.add(child);
    }
  }
}

function isChanged({ staged, type, base }: Inode): boolean {
  if (staged === undefined || base === undefined || type === S_IFDIR) return false;
  return staged.nlink > 0 && (staged.object !== 0 || staged.changed !== 0);
}
