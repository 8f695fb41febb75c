/**
 * A tree that was built from the past, over the base of today: what it takes to be in the base is looked up. From then
 * on what changes outside is a conflict, as for everything that is staged.
 */
import type { Inode } from '../../staging/inode.ts';
import { basePath, fingerprintOf, TOMBSTONE } from '../../staging/inode.ts';
import type { Mark } from '../../staging/marks.ts';
import { markOfDirectory, markOfFile, markOfTree } from '../../staging/marks.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import type { Stat } from '../../sys/stat.ts';
import { isDirectory, S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from '../compare/facts.ts';
import { isInPlace, stagedDentries } from '../compare/origins.ts';

/** Takes fingerprints and marks anew, and drops tombstones over nothing. Throws SystemError when the base cannot be read. */
export function seeAfresh(tree: OverrideTree, facts: Facts): void {
  new Afresh(tree, facts).run();
}

class Afresh {
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  /** Originals that the tree shows elsewhere. */
  readonly #moved = new Set<BytePath>();

  constructor(tree: OverrideTree, facts: Facts) {
    this.#tree = tree;
    this.#facts = facts;
  }

  run(): void {
    const { root, linked, marks } = this.#tree;
    marks.clear();
    linked.clear();
    for (const { dir, name, child } of stagedDentries(root)) {
      const path = isInPlace(dir, name, child) ? undefined : basePath(child);
      if (path !== undefined) this.#moved.add(path);
      this.#fingerprint(child);
    }
    this.#directory(root);
    for (const path of this.#moved) this.#mark(path);
  }

  #fingerprint(inode: Inode): void {
    const { staged } = inode;
    const path = inode.type === S_IFDIR ? undefined : basePath(inode);
    if (staged === undefined || path === undefined) return;
    const stat = this.#facts.of(path);
    staged.fingerprint = stat === undefined ? undefined : fingerprintOf(stat);
    if (stat !== undefined && stat.nlink > 1) this.#tree.linked.set(`${stat.dev}:${stat.ino}`, inode);
  }

  #directory(dir: Inode): void {
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE) this.#tombstone(dir, name);
      else if (child.staged !== undefined && dir.base !== undefined && !isInPlace(dir, name, child))
        this.#mark(join(dir.base, name));
      if (child?.children !== undefined) this.#directory(child);
    }
  }

  #tombstone(dir: Inode, name: Name): void {
    if (dir.base !== undefined && this.#mark(join(dir.base, name))) return;
    dir.children?.delete(name);
    this.#tree.markDentry(dir, name);
  }

  /** Whether the base has anything at the place. */
  #mark(path: BytePath): boolean {
    const stat = this.#facts.of(path);
    if (stat === undefined) return false;
    this.#tree.marks.put(path, this.#markOf(path, stat));
    return true;
  }

  #markOf(path: BytePath, stat: Stat): Mark {
    if (!isDirectory(stat.mode)) return markOfFile(stat.mode, fingerprintOf(stat));
    const directory = markOfDirectory(stat.ino);
    return this.#moved.has(path) ? directory : markOfTree(directory, this.#entries(path));
  }

  /** What is in a deleted directory, but for what moved elsewhere and has a mark of its own. */
  *#entries(dir: BytePath): Generator<readonly [Name, Mark]> {
    for (const { name } of this.#facts.list(dir) ?? []) {
      const path = join(dir, name);
      const stat = this.#moved.has(path) ? undefined : this.#facts.at(dir, name);
      if (stat !== undefined) yield [name, this.#markOf(path, stat)];
    }
  }
}
