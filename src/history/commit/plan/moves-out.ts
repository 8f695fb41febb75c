/**
 * Which entries of the base leave their place in a commit, and which stay although the view also shows them
 * elsewhere: a file that keeps one of its names gets the others by link(2), it does not move.
 */

import type { Inode } from '../../../staging/inode.ts';
import { basePath } from '../../../staging/inode.ts';
import { stagedDentries } from '../../../staging/names/staged-names.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import type { Stat } from '../../../sys/stat.ts';
import { isRegular, S_IFDIR, S_IFREG } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import { isAtHome } from '../../diff/origins.ts';

/** Who this process is, asked once: a call a file costs as much as a look at the file. */
interface Self {
  readonly uid: number;
  readonly groups: readonly number[];
}

export class MovesOut {
  readonly #facts: Facts;
  readonly #self: Self = {
    uid: process.geteuid?.() ?? 0,
    groups: [process.getegid?.() ?? 0, ...(process.getgroups?.() ?? [])],
  };
  readonly #anchored = new Set<Inode>();
  /** Base path -> inode. */
  readonly #leaving = new Map<BytePath, Inode>();
  /** Base paths of base entries that moved and changed: an object takes the new place, the base entry goes. */
  readonly #superseded = new Set<BytePath>();
  /** Files that have moved, and have neither content of their own nor a base entry any more. */
  readonly #lost = new Set<Inode>();

  constructor(root: Inode, facts: Facts) {
    this.#facts = facts;
    const moved: Inode[] = [];
    for (const at of stagedDentries(root)) {
      const { child } = at;
      if (child.base === undefined) continue;
      if (isAtHome(at, child, facts)) this.#anchor(child);
      else moved.push(child);
    }
    for (const child of moved) {
      const path = basePath(child);
      if (path === undefined || this.#anchored.has(child)) continue;
      if (this.#hasNothing(child, path)) this.#lost.add(child);
      else if (this.#goesItself(child, path)) this.#leaving.set(path, child);
      else this.#superseded.add(path);
    }
  }

  /** Base entries to move, by base path. */
  get leaving(): ReadonlyMap<BytePath, Inode> {
    return this.#leaving;
  }

  /** Whether a base entry is taken away only because its content, changed, has moved elsewhere. */
  isSuperseded(path: BytePath): boolean {
    return this.#superseded.has(path);
  }

  /** Whether a file that has moved has nothing to show. */
  isLost(child: Inode): boolean {
    return this.#lost.has(child);
  }

  /** Whether new content is to be written into the base's own file: others would lose it, or it would change hands. */
  mustRewrite(stat: Stat): boolean {
    return isRegular(stat.mode) && (stat.nlink > 1 || !mayOwn(stat, this.#self));
  }

  #anchor(child: Inode): void {
    if (child.type !== S_IFDIR && (child.staged?.nlink ?? 1) > 1) this.#anchored.add(child);
  }

  #hasNothing({ type, staged }: Inode, path: BytePath): boolean {
    return type !== S_IFDIR && staged?.object === 0 && this.#facts.of(path) === undefined;
  }

  /** A file with new content does not move: the object takes its place, and the base entry is taken away. */
  #goesItself(child: Inode, path: BytePath): boolean {
    if (child.type !== S_IFREG || child.staged === undefined || child.staged.object === 0) return true;
    const stat = this.#facts.of(path);
    return stat !== undefined && this.mustRewrite(stat);
  }
}

/** Whether this process can make a file of its own belong to the owner that `stat` shows. */
function mayOwn(stat: Stat, { uid, groups }: Self): boolean {
  return uid === 0 || (stat.uid === uid && groups.includes(stat.gid));
}
