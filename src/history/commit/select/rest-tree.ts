/**
 * What is left of an override tree when a part of it has become the base's: names that were committed are the base's own,
 * base entries that the commit has moved are where it put them, and everything else stays as staged as it was. Over the
 * new base it shows what the whole tree showed over the old one.
 */
import type { BaseStamp } from '../../../staging/base-stamps.ts';
import type { BaseTree } from '../../../staging/base-tree.ts';
import type { Fingerprint, Inode, Staged } from '../../../staging/inode.ts';
import {
  basePath,
  CHANGED_TIMES,
  fingerprintOf,
  isNatural,
  NATURAL,
  newStaged,
  TOMBSTONE,
} from '../../../staging/inode.ts';
import type { OverrideTree, Place } from '../../../staging/override-tree.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { join, ROOT, splitPath } from '../../../sys/bytes.ts';
import { S_IFDIR } from '../../../sys/stat.ts';

/** The part of a tree that a commit has put into the base. */
export interface Committed {
  /** Paths in the view whose names stand for the base's own now, or for nothing in both. */
  readonly names: ReadonlySet<BytePath>;
  /** Directories, by their path in the view, whose times were committed. */
  readonly timed: ReadonlySet<BytePath>;
  /** Base entries that moved: path in the base before, and now. */
  readonly moved: ReadonlyMap<BytePath, BytePath>;
  /** Places of the base, as they were called before, of which nothing is to be kept any more. */
  readonly stamps: ReadonlySet<BytePath>;
  /** Places whose stamps stay, and are others now, as something was moved out of there. */
  readonly left: ReadonlyMap<BytePath, BaseStamp>;
}

/** Makes a copy of the whole tree what is left of it, over `base` as the commit has left it. */
export function takeAway(tree: OverrideTree, committed: Committed, base: BaseTree): void {
  new Rest(tree, committed, base).run();
}

class Rest {
  readonly #tree: OverrideTree;
  readonly #committed: Committed;
  readonly #base: BaseTree;
  /** Files that are the base's now, by whatever name they are met: the base may have more than were committed. */
  readonly #files = new Set<Inode>();
  /** Files that were met already, by another name. */
  readonly #done = new Set<Inode>();

  constructor(tree: OverrideTree, committed: Committed, base: BaseTree) {
    this.#tree = tree;
    this.#committed = committed;
    this.#base = base;
  }

  run(): void {
    const { linked, stamps, root } = this.#tree;
    const shared = [...linked];
    linked.clear();
    this.#collect(root, ROOT);
    this.#directory(root, ROOT);
    for (const [key, inode] of shared) this.#relink(key, inode);
    const left = [...stamps.entries()].filter(([path]) => !this.#committed.stamps.has(path));
    stamps.clear();
    for (const [path, stamp] of left) stamps.put(this.#now(path), this.#committed.left.get(path) ?? stamp);
  }

  /** Where the base has now what it had at `path`. */
  #now(path: BytePath): BytePath {
    const { moved } = this.#committed;
    if (moved.size === 0) return path;
    for (let at = path; ; ) {
      const to = moved.get(at);
      if (to !== undefined) return `${to}${path.slice(at.length)}` as BytePath;
      const split = splitPath(at);
      if (split === undefined) return path;
      at = split.dir;
    }
  }

  #collect(dir: Inode, path: BytePath): void {
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE) continue;
      const at = join(path, name);
      if (child.children !== undefined) this.#collect(child, at);
      else if (this.#committed.names.has(at) || this.#hasLostPlace(child)) this.#files.add(child);
    }
  }

  /** A file with several names, known by one that nobody took notice of, whose own was committed away. */
  #hasLostPlace({ base }: Inode): boolean {
    return base !== undefined && base !== NATURAL && this.#committed.stamps.has(base);
  }

  #directory(dir: Inode, path: BytePath): void {
    if (dir.base !== undefined) dir.base = this.#now(dir.base);
    else if (this.#committed.names.has(path)) dir.base = path;
    if (dir.staged !== undefined) {
      dir.staged.opaque = dir.base === undefined;
      this.#attributes(dir.staged, path);
    }
    for (const [name, child] of dir.children ?? [])
      if (!this.#isStaged({ dir, name }, child, join(path, name))) dir.children?.delete(name);
  }

  /** Whether a name still overrides something. */
  #isStaged(at: Place, child: Inode | typeof TOMBSTONE, path: BytePath): boolean {
    const isCommitted = this.#committed.names.has(path);
    if (child === TOMBSTONE) return !isCommitted;
    if (child.type === S_IFDIR) this.#below(child, path);
    else if (isCommitted || this.#files.has(child)) this.#file(at, child, path);
    else this.#other(child);
    return child.staged !== undefined;
  }

  #below(dir: Inode, path: BytePath): void {
    this.#directory(dir, path);
    const isEmpty = dir.children === undefined || dir.children.size === 0;
    if (dir.staged !== undefined && isEmpty && isNatural(dir) && isBlank(dir.staged)) dir.staged = undefined;
  }

  /** A file that is the base's now. If the base has more names of it than the view, that stays to be told. */
  #file(at: Place, inode: Inode, path: BytePath): void {
    const { staged } = inode;
    const isShared = staged !== undefined && (staged.nlink > 1 || (staged.fingerprint?.nlink ?? 1) > 1);
    if (!this.#done.has(inode)) inode.staged = isShared ? this.#claimed(inode, staged, path) : undefined;
    this.#done.add(inode);
    if (inode.parent === at.dir && inode.name === at.name) inode.base = NATURAL;
  }

  #claimed(inode: Inode, staged: Staged, path: BytePath): Staged | undefined {
    const print = this.#printOf(path);
    if (print === undefined || print.nlink === staged.nlink) return undefined;
    inode.base = path;
    return { ...newStaged(staged.id), nlink: staged.nlink, fingerprint: print };
  }

  /** What a file of the base looks like. */
  #printOf(path: BytePath): Fingerprint | undefined {
    const stat = this.#base.statPath(path);
    return typeof stat === 'number' ? undefined : fingerprintOf(stat);
  }

  /** A file that stays as staged as it was. */
  #other(inode: Inode): void {
    if (this.#done.has(inode)) return;
    this.#done.add(inode);
    if (inode.base === undefined) return;
    if (inode.base !== NATURAL) inode.base = this.#now(inode.base);
    if (isNatural(inode)) inode.base = NATURAL;
  }

  /** A file with several names stays known by what it is; if no name of it was met, one that went goes with that. */
  #relink(key: string, inode: Inode): void {
    if (!this.#done.has(inode) && inode.base !== undefined && inode.base !== NATURAL) {
      if (this.#hasLostPlace(inode)) inode.staged = undefined;
      else inode.base = this.#now(inode.base);
    }
    if (inode.staged === undefined) return;
    const print = this.#renewed(inode, inode.staged);
    this.#tree.linked.set(print === undefined ? key : keyOf(print), inode);
  }

  /** Another name of it may have been committed away: that changes the file, and nobody else did. */
  #renewed(inode: Inode, staged: Staged): Staged['fingerprint'] {
    const path = basePath(inode);
    const { fingerprint } = staged;
    const now = path === undefined || fingerprint === undefined ? undefined : this.#printOf(path);
    if (now !== undefined && fingerprint !== undefined && isSame(now, fingerprint)) staged.fingerprint = now;
    return staged.fingerprint;
  }

  #attributes(staged: Staged, path: BytePath): void {
    const { names, timed } = this.#committed;
    const { atime, mtime, ctime, ...own } = staged.attributes;
    const times = { ...(atime && { atime }), ...(mtime && { mtime }), ...(ctime && { ctime }) };
    const isOwn = names.has(path);
    staged.attributes = { ...(isOwn ? {} : own), ...(timed.has(path) ? {} : times) };
    if (timed.has(path)) staged.changed &= ~CHANGED_TIMES;
    if (!isOwn) return;
    staged.changed &= CHANGED_TIMES;
    staged.xattrs = undefined;
  }
}

/** Nothing but a time that nobody can set. */
function isBlank(staged: Staged): boolean {
  const { ctime: _, ...attributes } = staged.attributes;
  return Object.keys(attributes).length === 0 && staged.changed === 0 && staged.xattrs === undefined;
}

function keyOf({ dev, ino }: Fingerprint): string {
  return `${dev}:${ino}`;
}

/** The same content: what only the number of names, and with it the ctime, may have changed of. */
function isSame(a: Fingerprint, b: Fingerprint): boolean {
  const sameTime = a.mtime.sec === b.mtime.sec && a.mtime.nsec === b.mtime.nsec;
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && sameTime;
}
