/**
 * A tree that was put together from the past, over the base of today: what it takes to be in the base is looked up. From
 * then on what changes outside is a conflict, as for everything that is staged.
 */

import { UNKNOWN } from '../../staging/base-stamps.ts';
import { basePath, fingerprintOf, type Inode, TOMBSTONE } from '../../staging/inode.ts';
import { giveName } from '../../staging/names/hard-links.ts';
import { stagedDentries } from '../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import { TodaysStamps } from '../commit/conflict/todays-stamps.ts';
import type { Facts } from '../diff/facts.ts';
import { isAtHome, isShownAtHome } from '../diff/origins.ts';
import { isShared } from '../timeline/checkpoint/survey.ts';

/** Takes fingerprints and stamps anew, and drops tombstones over nothing. Throws SystemError when the base cannot be read. */
export function refreshFromBase(tree: OverrideTree, facts: Facts): void {
  new Refresh(tree, facts).run();
}

class Refresh {
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  /** Base entries that the tree shows elsewhere. */
  readonly #moved = new Set<BytePath>();
  readonly #base: TodaysStamps;

  constructor(tree: OverrideTree, facts: Facts) {
    this.#tree = tree;
    this.#facts = facts;
    // What moved out of a directory is not part of it.
    const stamps = { get: (path: BytePath) => (this.#moved.has(path) ? UNKNOWN : undefined) };
    this.#base = new TodaysStamps({ facts, stamps });
  }

  run(): void {
    const { root, linked, stamps } = this.#tree;
    for (const inode of linked.values()) this.#stageName(inode);
    const dentries = [...stagedDentries(root)];
    const inodes = new Set([...dentries.map(({ child }) => child), ...linked.values()]);
    linked.clear();
    stamps.clear();
    for (const inode of inodes) this.#print(inode);
    for (const { dir, name, child } of dentries) {
      const path = isAtHome({ dir, name }, child, this.#facts) ? undefined : basePath(child);
      if (path === undefined) continue;
      // A file with several names may have got one more, and still be where it was.
      if (!isShared(child) || !isShownAtHome(root, path, this.#facts)) this.#moved.add(path);
      else this.#nameAtHome(child, path);
    }
    for (const dir of [root, ...inodes]) this.#entries(dir);
    for (const path of this.#moved) this.#stamp(path);
  }

  /** A file that was looked up, and not by the name that was staged: whoever walks the tree must meet it. */
  #stageName(inode: Inode): void {
    const { parent, name } = inode;
    if (inode.staged === undefined || parent?.children?.get(name) !== inode) return;
    this.#tree.stage(parent);
    this.#tree.noteDirtyDentry(parent, name);
  }

  /** Nobody has looked at that name: without it, a commit would take the file to have moved. */
  #nameAtHome(inode: Inode, path: BytePath): void {
    const { dir, name } = this.#tree.place(path);
    const known = dir.children?.get(name);
    if (known !== undefined && known !== inode) return;
    // The replay may have come by without staging the directory.
    this.#tree.stage(dir);
    giveName(inode, { dir, name });
    this.#tree.noteDirtyDentry(dir, name);
  }

  #print(inode: Inode): void {
    const { staged } = inode;
    const path = inode.type === S_IFDIR ? undefined : basePath(inode);
    const stat = path === undefined ? undefined : this.#facts.of(path);
    if (staged === undefined || inode.type === S_IFDIR) return;
    staged.fingerprint = stat === undefined ? undefined : fingerprintOf(stat);
    if (stat !== undefined && stat.nlink > 1) this.#tree.linked.set(`${stat.dev}:${stat.ino}`, inode);
  }

  #entries(dir: Inode): void {
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE) this.#tombstone(dir, name);
      else if (child.staged !== undefined && dir.base !== undefined && !isAtHome({ dir, name }, child, this.#facts))
        this.#stamp(join(dir.base, name));
    }
  }

  /** Over nothing, it would be taken for a deletion. */
  #tombstone(dir: Inode, name: Name): void {
    if (dir.base !== undefined && this.#stamp(join(dir.base, name))) return;
    dir.children?.delete(name);
    this.#tree.noteDirtyDentry(dir, name);
  }

  /** Whether the base has anything at the place. */
  #stamp(path: BytePath): boolean {
    const stat = this.#facts.of(path);
    if (stat === undefined) return false;
    this.#tree.stamps.put(path, this.#base.of(path, stat, this.#moved.has(path) ? 'moved' : 'deleted'));
    return true;
  }
}
