/**
 * Where the view shows what the base holds: the index of everything that moved, and the questions "is this base
 * entry still shown somewhere, and where". Its size is the number of moved names, not of changes.
 */

import type { Inode } from '../../staging/inode.ts';
import { basePath, NATURAL, TOMBSTONE } from '../../staging/inode.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { components, join, splitPath } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';

/** A base entry's place in the view; `inode` undefined: nothing about it or below it differs. */
export interface Found {
  readonly inode: Inode | undefined;
}

/** Whether the name stands for what the base has under it in the directory's base entry, so that no rename was involved. */
export function isInPlace(dir: Inode, name: Name, child: Inode): boolean {
  if (dir.base === undefined) return false;
  if (child.base === NATURAL && child.parent === dir && child.name === name) return true;
  return basePath(child) === join(dir.base, name);
}

/** As `isInPlace`, or the base itself has the file under this name too (a hard link of its own): nothing moved. */
export function isAtHome(at: { dir: Inode; name: Name }, child: Inode, facts: Facts): boolean {
  return isInPlace(at.dir, at.name, child) || isOtherBaseName(at, child, facts);
}

function isOtherBaseName(at: { dir: Inode; name: Name }, child: Inode, facts: Facts): boolean {
  if (at.dir.base === undefined || child.type === S_IFDIR || (child.staged?.fingerprint?.nlink ?? 1) < 2) return false;
  const path = basePath(child);
  const original = path === undefined ? undefined : facts.of(path);
  const here = original === undefined ? undefined : facts.at(at.dir.base, at.name);
  return here !== undefined && here.ino === original?.ino && here.dev === original.dev;
}

export class Origins {
  readonly #root: Inode;
  readonly #facts: Facts;
  #moved: ReadonlyMap<BytePath, Inode> | undefined;

  constructor(root: Inode, facts: Facts) {
    this.#root = root;
    this.#facts = facts;
  }

  /** What the view shows at the base entry's own place: the base entry, or undefined when it left or went. */
  atHome(path: BytePath): Found | undefined {
    return this.#descend(this.#root, components(path));
  }

  /** Where else than at its own place the view shows a base entry. */
  elsewhere(path: BytePath): Found | undefined {
    // Where nothing is missed, nobody asks, and nothing need be searched for.
    this.#moved ??= this.#findMoved();
    if (this.#moved.size === 0) return undefined;
    const moved = this.#moved.get(path);
    return moved === undefined ? this.carried(path) : { inode: moved };
  }

  /** Where a moved directory has taken a base entry along. */
  carried(path: BytePath): Found | undefined {
    this.#moved ??= this.#findMoved();
    if (this.#moved.size === 0) return undefined;
    const below: Name[] = [];
    for (let split = splitPath(path); split !== undefined; split = splitPath(split.dir)) {
      below.unshift(split.name);
      const moved = this.#moved.get(split.dir);
      const found = moved === undefined ? undefined : this.#descend(moved, below);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Base path -> inode, for inodes with a name away from their base entry's. */
  #findMoved(): Map<BytePath, Inode> {
    const found = new Map<BytePath, Inode>();
    for (const at of stagedDentries(this.#root)) {
      const { child } = at;
      if (child.base === undefined || isAtHome(at, child, this.#facts)) continue;
      const path = basePath(child);
      if (path !== undefined) found.set(path, child);
    }
    return found;
  }

  /** Follows the base's own names from `inode` down. */
  #descend(inode: Inode, names: readonly Name[]): Found | undefined {
    let at = inode;
    for (const name of names) {
      const child = at.children?.get(name);
      if (child === TOMBSTONE || (child === undefined && at.children === undefined)) return undefined;
      if (child?.staged === undefined) return { inode: undefined };
      if (!isAtHome({ dir: at, name }, child, this.#facts)) return undefined;
      at = child;
    }
    return { inode: at };
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
