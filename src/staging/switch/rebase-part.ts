/**
 * What is left of an override tree after a part of it became the base's: names that were committed are the base's own,
 * base entries that the commit moved are where it put them, and everything else stays as staged as it was. As with
 * rebase.ts, nothing looks different, and inodes that the kernel knows live on.
 */
import type { BytePath } from '../../sys/bytes.ts';
import { join, ROOT, splitPath } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { BaseStamp } from '../base-stamps.ts';
import type { BaseTree } from '../base-tree.ts';
import type { Fingerprint, Inode, Staged } from '../inode.ts';
import { basePath, CHANGED_TIMES, fingerprintOf, isNatural, NATURAL, newStaged, TOMBSTONE } from '../inode.ts';
import type { OverrideTree, Place } from '../override-tree.ts';
import { type Resolver, remember } from '../resolver.ts';

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

/** Files with several names that are still staged, as they looked when it was recorded, by `dev:ino`. */
export type Prints = ReadonlyMap<string, Fingerprint>;

export interface RebasePartOptions {
  readonly base: BaseTree;
  /** Of the view that serves the tree, if one does. */
  readonly resolver?: Resolver;
  /** What was recorded of files with several names, for the tree that is to be the same; undefined: look at them. */
  readonly prints?: Prints;
}

/** Settles a tree. Returns directories that the base has now, or has elsewhere, or in which it has something new. */
export function rebasePart(tree: OverrideTree, committed: Committed, over: RebasePartOptions): readonly Inode[] {
  const rebase = new PartRebase(tree, committed, over);
  rebase.run();
  return rebase.rebased;
}

/** Where the base has, after these moves, what it had at `path`. */
export function movedPath(path: BytePath, moved: Committed['moved']): BytePath {
  if (moved.size === 0) return path;
  for (let at = path; ; ) {
    const to = moved.get(at);
    if (to !== undefined) return `${to}${path.slice(at.length)}` as BytePath;
    const split = splitPath(at);
    if (split === undefined) return path;
    at = split.dir;
  }
}

class PartRebase {
  readonly rebased: Inode[] = [];
  readonly #tree: OverrideTree;
  readonly #committed: Committed;
  readonly #base: BaseTree;
  readonly #resolver: Resolver | undefined;
  readonly #prints: Prints | undefined;
  /** Files that are the base's now, by whatever name they are met: the base may have more than were committed. */
  readonly #files = new Set<Inode>();
  /** Files that were met already, by another name. */
  readonly #done = new Set<Inode>();

  constructor(tree: OverrideTree, committed: Committed, over: RebasePartOptions) {
    this.#tree = tree;
    this.#committed = committed;
    this.#base = over.base;
    this.#resolver = over.resolver;
    this.#prints = over.prints;
  }

  run(): void {
    const { linked, stamps, deadIds, dirtyDentries, dirtyInodes, root } = this.#tree;
    const shared = [...linked].filter(([, inode]) => inode.staged !== undefined);
    for (const [key] of shared) linked.delete(key);
    dirtyDentries.clear();
    dirtyInodes.clear();
    deadIds.length = 0;
    dirtyInodes.add(root);
    this.#collect(root, ROOT);
    this.#directory(root, ROOT);
    for (const [key, inode] of shared) this.#relink(key, inode);
    const left = [...stamps.entries()].filter(([path]) => !this.#committed.stamps.has(path));
    stamps.clear();
    for (const [path, stamp] of left) stamps.put(this.#now(path), this.#committed.left.get(path) ?? stamp);
  }

  #now(path: BytePath): BytePath {
    return movedPath(path, this.#committed.moved);
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

  /** Returns whether anything in the directory is overridden. */
  #directory(dir: Inode, path: BytePath): boolean {
    const before = dir.base;
    if (dir.base !== undefined) dir.base = this.#now(dir.base);
    else if (this.#committed.names.has(path)) dir.base = path;
    if (dir.base !== before || dir.staged !== undefined) this.rebased.push(dir);
    if (dir.staged !== undefined) {
      dir.staged.opaque = dir.base === undefined;
      this.#attributes(dir.staged, path);
    }
    let overridden = false;
    for (const [name, child] of dir.children ?? []) {
      const stays = this.#name({ dir, name }, child, join(path, name));
      if (stays === 'gone') dir.children?.delete(name);
      if (stays !== 'staged') continue;
      overridden = true;
      this.#tree.noteDirtyDentry(dir, name);
    }
    return overridden;
  }

  #name(at: Place, child: Inode | typeof TOMBSTONE, path: BytePath): 'staged' | 'known' | 'gone' {
    if (child === TOMBSTONE) return this.#committed.names.has(path) ? 'gone' : 'staged';
    const isCommitted = this.#files.has(child) || this.#committed.names.has(path);
    if (child.type === S_IFDIR) this.#below(child, path);
    else if (isCommitted) this.#file(at, child, path);
    else this.#rest(child);
    if (isCommitted && child.nodeId !== 0) this.#refresh(at, child, path);
    if (child.staged !== undefined) {
      this.#tree.dirtyInodes.add(child);
      return 'staged';
    }
    const known = child.nodeId !== 0 || (child.children !== undefined && child.children.size > 0);
    return known || (!isCommitted && child.type !== S_IFDIR) ? 'known' : 'gone';
  }

  #below(dir: Inode, path: BytePath): void {
    const overridden = this.#directory(dir, path);
    if (dir.staged !== undefined && !overridden && isNatural(dir) && isBlank(dir.staged)) dir.staged = undefined;
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

  /** What a file of the base looks like, or did when it was recorded. */
  #printOf(path: BytePath): Fingerprint | undefined {
    const stat = this.#base.statPath(path);
    if (typeof stat === 'number') return undefined;
    const now = fingerprintOf(stat);
    return this.#prints === undefined ? now : this.#prints.get(keyOf(now));
  }

  #rest(inode: Inode): void {
    if (this.#done.has(inode)) return;
    this.#done.add(inode);
    if (inode.base === undefined) return;
    if (inode.base !== NATURAL) inode.base = this.#now(inode.base);
    if (inode.staged === undefined) return;
    if (isNatural(inode)) inode.base = NATURAL;
  }

  /** A file with several names stays known by what it is; if no name of it was met, one that went goes with that. */
  #relink(key: string, inode: Inode): void {
    if (!this.#done.has(inode) && inode.base !== undefined && inode.base !== NATURAL) {
      if (this.#hasLostPlace(inode)) inode.staged = undefined;
      else inode.base = this.#now(inode.base);
    }
    if (inode.staged === undefined) return;
    this.#tree.dirtyInodes.add(inode);
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

  /** The number and times the base gave it, so that the next lookup finds the same file, by any of its names. */
  #refresh(at: Place, inode: Inode, path: BytePath): void {
    const stat = this.#base.statPath(path);
    if (typeof stat === 'number') return;
    remember(inode, stat);
    if (inode.staged === undefined) this.#resolver?.learnLink(inode, at, stat);
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
