/** After a commit of everything: what the kernel knows lives on as the base's. */
import type { BytePath } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import type { BaseTree } from './base-tree.ts';
import type { Inode } from './inode.ts';
import { NATURAL, TOMBSTONE } from './inode.ts';
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
    // The name that it was known by has gone.
    if (child.parent === undefined) Object.assign(child, { parent: at.dir, name: at.name });
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
