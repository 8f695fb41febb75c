/**
 * What is left of an override tree after a part of it became the base's: names that were committed are the base's own,
 * originals that the commit moved are where it put them, and everything else stays as staged as it was. As with
 * rebase.ts, nothing looks different, and inodes that the kernel knows live on.
 */
import type { BytePath, Name } from '../sys/bytes.ts';
import { join, ROOT, splitPath } from '../sys/bytes.ts';
import { S_IFDIR } from '../sys/stat.ts';
import type { BaseTree } from './base-tree.ts';
import type { Inode, Staged } from './inode.ts';
import { CHANGED_TIMES, fingerprintOf, isNatural, NATURAL, newStaged, TOMBSTONE } from './inode.ts';
import type { OverrideTree, Place } from './override-tree.ts';
import { type Resolver, remember } from './resolver.ts';

/** The part of a tree that a commit has put into the base. */
export interface Committed {
  /** Paths in the view whose names stand for the base's own now, or for nothing in both. */
  readonly names: ReadonlySet<BytePath>;
  /** Directories, by their path in the view, whose times were committed. */
  readonly timed: ReadonlySet<BytePath>;
  /** Originals that moved: path in the base before, and now. */
  readonly moved: ReadonlyMap<BytePath, BytePath>;
  /** Places of the base, as they were called before, whose marks are settled. */
  readonly marks: ReadonlySet<BytePath>;
}

/** Settles a tree; `resolver` is that of the view which serves it, if one does. */
export function settlePart(
  tree: OverrideTree,
  committed: Committed,
  over: { readonly base: BaseTree; readonly resolver?: Resolver },
): void {
  new PartSettler(tree, committed, over).settle();
}

class PartSettler {
  readonly #tree: OverrideTree;
  readonly #committed: Committed;
  readonly #base: BaseTree;
  readonly #resolver: Resolver | undefined;
  /** Files that were met already, by another name. */
  readonly #done = new Set<Inode>();

  constructor(tree: OverrideTree, committed: Committed, over: { base: BaseTree; resolver?: Resolver }) {
    this.#tree = tree;
    this.#committed = committed;
    this.#base = over.base;
    this.#resolver = over.resolver;
  }

  settle(): void {
    const { linked, marks, deadIds, dirtyDentries, dirtyInodes } = this.#tree;
    const unseen = new Set([...linked.values()].filter((inode) => inode.staged !== undefined));
    dirtyDentries.clear();
    dirtyInodes.clear();
    deadIds.length = 0;
    this.#directory(this.#tree.root, ROOT);
    for (const inode of unseen) if (!this.#done.has(inode)) this.#unseen(inode);
    this.#relink();
    const left = [...marks.entries()].filter(([path]) => !this.#committed.marks.has(path));
    marks.clear();
    for (const [path, mark] of left) marks.put(this.#now(path), mark);
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

  /** Returns whether anything in the directory is overridden. */
  #directory(dir: Inode, path: BytePath): boolean {
    if (dir.base !== undefined) dir.base = this.#now(dir.base);
    else if (this.#committed.names.has(path)) dir.base = path;
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
      this.#tree.markDentry(dir, name);
    }
    return overridden;
  }

  #name(at: Place, child: Inode | typeof TOMBSTONE, path: BytePath): 'staged' | 'known' | 'gone' {
    const isCommitted = this.#committed.names.has(path);
    if (child === TOMBSTONE) return isCommitted ? 'gone' : 'staged';
    if (child.type === S_IFDIR) this.#below(child, path);
    else if (isCommitted) this.#file(at, child, path);
    else this.#rest(child);
    if (isCommitted && child.nodeId !== 0) this.#refresh(at, child, path);
    if (child.staged !== undefined) {
      this.#tree.dirtyInodes.add(child);
      return 'staged';
    }
    const known = child.nodeId !== 0 || (child.children !== undefined && child.children.size > 0);
    return known || !isCommitted && child.type !== S_IFDIR ? 'known' : 'gone';
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
    const stat = this.#base.statPath(path);
    if (typeof stat === 'number' || stat.nlink === staged.nlink) return undefined;
    inode.base = path;
    return { ...newStaged(staged.id), nlink: staged.nlink, fingerprint: fingerprintOf(stat) };
  }

  #rest(inode: Inode): void {
    if (this.#done.has(inode)) return;
    this.#done.add(inode);
    if (inode.base === undefined) return;
    if (inode.base !== NATURAL) inode.base = this.#now(inode.base);
    if (inode.staged === undefined) return;
    if (isNatural(inode)) inode.base = NATURAL;
  }

  /** Changed through a name that went; it keeps what it has if that is still to come, too. */
  #unseen(inode: Inode): void {
    if (inode.base === undefined || inode.base === NATURAL) return;
    if (this.#committed.marks.has(inode.base)) inode.staged = undefined;
    else inode.base = this.#now(inode.base);
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

  /** Files with several names that are still staged, by what they are now. */
  #relink(): void {
    const { linked } = this.#tree;
    for (const [key, inode] of linked) if (this.#done.has(inode)) linked.delete(key);
    for (const inode of this.#done) {
      const print = inode.staged?.fingerprint;
      if (print !== undefined && print.nlink > 1) linked.set(`${print.dev}:${print.ino}`, inode);
    }
  }
}

function isBlank(staged: Staged): boolean {
  return Object.keys(staged.attributes).length === 0 && staged.changed === 0 && staged.xattrs === undefined;
}
