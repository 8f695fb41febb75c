/**
 * The two ways a whole override tree ends while processes go on using the view: everything became the base's
 * (commit), or everything was given up (abort). Inodes the kernel knows live on in both.
 */
import type { BytePath } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import type { BaseTree } from './base-tree.ts';
import type { Inode } from './inode.ts';
import { basePath, isNatural, NATURAL, TOMBSTONE } from './inode.ts';
import type { OverrideTree, Place } from './override-tree.ts';
import { type Resolver, remember } from './resolver.ts';

/** Every inode in the tree is the base's own at its place in the view. */
export function becomeBase(tree: OverrideTree, base: BaseTree, resolver: Resolver): void {
  resolver.forgetLinks();
  new Settler(base, resolver).settle(tree.root, '/' as BytePath);
  tree.clear();
}

class Settler {
  readonly #base: BaseTree;
  readonly #resolver: Resolver;

  constructor(base: BaseTree, resolver: Resolver) {
    this.#base = base;
    this.#resolver = resolver;
  }

  settle(dir: Inode, path: BytePath): boolean {
    dir.base = path;
    dir.staged = undefined;
    let known = false;
    for (const [name, child] of dir.children ?? []) {
      const keep = child !== TOMBSTONE && this.#settleChild({ dir, name }, child, join(path, name));
      if (keep) known = true;
      else dir.children?.delete(name);
    }
    return known || dir.nodeId !== 0;
  }

  #settleChild(at: Place, child: Inode, path: BytePath): boolean {
    if (child.children !== undefined) {
      const keep = this.settle(child, path);
      if (keep && child.nodeId !== 0) this.#refresh(at, child, path);
      return keep;
    }
    child.staged = undefined;
    if (child.parent === at.dir && child.name === at.name) child.base = NATURAL;
    if (child.nodeId === 0) return false;
    this.#refresh(at, child, path);
    return true;
  }

  /** The number and times the base gave it, so that the next lookup finds the same file, by any of its names. */
  #refresh(at: Place, inode: Inode, path: BytePath): void {
    const stat = this.#base.statPath(path);
    if (typeof stat === 'number') return;
    remember(inode, stat);
    this.#resolver.learnLink(inode, at, stat);
  }
}

/** Overrides go; inodes that were merely known, or merely scaffolds, stay where the base has them. */
export function dropOverrides(tree: OverrideTree, resolver: Resolver): void {
  salvage(tree.root);
  tree.clear();
  resolver.rehome(tree.root);
}

function salvage(dir: Inode): void {
  for (const [name, child] of dir.children ?? []) {
    if (child === TOMBSTONE) {
      dir.children?.delete(name);
    } else if (child.staged === undefined) {
      // Merely known; but a name in it may be a further one of a file that is staged by another.
      salvage(child);
    } else {
      const scaffold = child.children !== undefined && isNatural(child) && child.nodeId !== 0;
      if (scaffold) salvage(child);
      else orphan({ dir, name }, child);
    }
  }
  dir.staged = undefined;
}

/** A process may still use it through a descriptor: it keeps its content, but it has no name any more. */
function orphan(at: Place, child: Inode): void {
  // By the name that leads here: the inode itself remembers only one of its names.
  at.dir.children?.delete(at.name);
  if (child.base === NATURAL) child.base = basePath(child);
  child.parent = undefined;
}
