/**
 * Takes the base as it is now for what the view overrides: where an epoch begins with something staged (after an undo,
 * or on the way to before a commit), what was first overridden long ago says nothing about this base.
 */
import type { Dentry, Inode } from '../../staging/inode.ts';
import { basePath, fingerprintOf, TOMBSTONE } from '../../staging/inode.ts';
import { Marks } from '../../staging/marks.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components, join } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from '../compare/facts.ts';
import { isAtHome } from '../compare/origins.ts';
import { BaseMarks } from './base-marks.ts';

/** Gives all overrides fresh fingerprints and marks. Throws SystemError when the base cannot be read. */
export function takeStock(tree: OverrideTree, facts: Facts): void {
  new Stock(tree, facts).take();
}

class Stock {
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  readonly #marks = new Marks();
  readonly #moved = new Set<BytePath>();
  readonly #taken = new Set<BytePath>();

  constructor(tree: OverrideTree, facts: Facts) {
    this.#tree = tree;
    this.#facts = facts;
  }

  take(): void {
    const stack: Inode[] = [this.#tree.root];
    for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
      for (const [name, child] of dir.children ?? []) {
        if (child !== TOMBSTONE && child.staged === undefined) continue;
        this.#name(dir, name, child);
        if (child?.children !== undefined) stack.push(child);
      }
    }
    for (const inode of this.#tree.linked.values()) this.#print(inode);
    this.#mark();
    this.#tree.marks.replace(this.#marks);
  }

  #name(dir: Inode, name: Name, child: Dentry): void {
    if (child !== TOMBSTONE) {
      this.#print(child);
      if (isAtHome({ dir, name }, child, this.#facts)) return;
      const origin = basePath(child);
      if (origin !== undefined) this.#moved.add(origin);
    }
    if (dir.base !== undefined) this.#taken.add(join(dir.base, name));
  }

  #print(inode: Inode): void {
    const { staged } = inode;
    if (staged?.fingerprint === undefined || inode.type === S_IFDIR) return;
    const path = basePath(inode);
    const stat = path === undefined ? undefined : this.#facts.of(path);
    // How many names it had is known to the tree in other places too.
    if (stat !== undefined) staged.fingerprint = { ...fingerprintOf(stat), nlink: staged.fingerprint.nlink };
    this.#tree.dirtyInodes.add(inode);
  }

  /** Deepest first: what is in a deleted directory has its own mark, or is part of it. */
  #mark(): void {
    const base = new BaseMarks({ facts: this.#facts, marks: this.#marks });
    const paths = [...new Set([...this.#moved, ...this.#taken])];
    for (const path of paths.sort((a, b) => components(b).length - components(a).length)) {
      const stat = this.#facts.of(path);
      if (stat !== undefined) this.#marks.put(path, base.of(path, stat, this.#moved.has(path) ? 'moved' : 'deleted'));
    }
  }
}
