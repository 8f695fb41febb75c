/**
 * Where the view shows what the base holds: the index of everything that moved, and the questions "is this base
 * entry still shown somewhere, and where". Pure; its size is the number of moved names, not of changes.
 */

import type { Inode } from '../../staging/inode.ts';
import { basePath, NATURAL, TOMBSTONE } from '../../staging/inode.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components, join, splitPath } from '../../sys/bytes.ts';

/** A base entry's place in the view; `inode` undefined: nothing about it or below it differs. */
export interface Found {
  readonly inode: Inode | undefined;
}

/** Whether the name stands for what the base has under it in the directory's original, so that no rename was involved. */
export function isInPlace(dir: Inode, name: Name, child: Inode): boolean {
  if (dir.base === undefined) return false;
  if (child.base === NATURAL && child.parent === dir && child.name === name) return true;
  return basePath(child) === join(dir.base, name);
}

export class Origins {
  readonly #root: Inode;
  /** Base path -> inode, for inodes with a name away from their original's. */
  readonly #moved = new Map<BytePath, Inode>();

  constructor(root: Inode) {
    this.#root = root;
    for (const { dir, name, child } of stagedDentries(root)) {
      if (child.base === undefined || isInPlace(dir, name, child)) continue;
      const path = basePath(child);
      if (path !== undefined) this.#moved.set(path, child);
    }
  }

  /** The inodes that have a name away from their original's, by the original's path. */
  get moved(): ReadonlyMap<BytePath, Inode> {
    return this.#moved;
  }

  /** What the view shows at the original's own place: the original, or undefined when it left or went. */
  atHome(path: BytePath): Found | undefined {
    return descend(this.#root, '/' as BytePath, components(path));
  }

  /** Where else than at its own place the view shows a base entry. */
  elsewhere(path: BytePath): Found | undefined {
    if (this.#moved.size === 0) return undefined;
    const below: Name[] = [];
    for (let at = path; ; ) {
      const moved = this.#moved.get(at);
      const found = moved === undefined ? undefined : descend(moved, at, below);
      if (found !== undefined) return found;
      const split = splitPath(at);
      if (split === undefined) return undefined;
      below.unshift(split.name);
      at = split.dir;
    }
  }
}

/** All dentries of staged inodes, parents before children. */
export function* stagedDentries(root: Inode): Generator<{ dir: Inode; name: Name; child: Inode }> {
  const stack: Inode[] = [root];
  for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE || child.staged === undefined) continue;
      yield { dir, name, child };
      if (child.children !== undefined) stack.push(child);
    }
  }
}

/** Follows originals from `inode`, which shows base path `path`, down the given names. */
function descend(inode: Inode, path: BytePath, names: readonly Name[]): Found | undefined {
  let at = inode;
  let base = path;
  for (const name of names) {
    const child = at.children?.get(name);
    if (child === TOMBSTONE || (child === undefined && at.children === undefined)) return undefined;
    if (child?.staged === undefined) return { inode: undefined };
    if (!isInPlace(at, name, child)) return undefined;
    base = join(base, name);
    at = child;
  }
  return { inode: at };
}
