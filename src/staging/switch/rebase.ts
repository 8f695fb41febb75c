/** After a commit of everything, or of what it was a while ago: what the kernel knows lives on as the base's. */
import type { BytePath, ObjectId } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import { ENOENT } from '../../sys/errno.ts';
import type { Core } from '../core.ts';
import type { Dentry, Inode, Staged, Time } from '../inode.ts';
import { basePath, NATURAL, TOMBSTONE } from '../inode.ts';
import { takeOwnName } from '../names/hard-links.ts';
import type { OverrideTree, Place } from '../override-tree.ts';
import { remember } from '../resolver.ts';

/** A content object that became a file of the base: what it is like there. */
interface Placed {
  readonly id: { readonly dev: number; readonly ino: number };
  readonly size: number;
  readonly attributes: { readonly mtime?: Time | undefined };
}

export type PlacedObjects = ReadonlyMap<ObjectId, Placed>;

/**
 * Every inode in the tree is the base's own at its place in the view, but for what was done since. `since`: what was staged since what was
 * committed, over that; it says where the base has what has moved. Returns directories that it was not before, or not all in it.
 */
export function becomeBase(core: Core, placed: PlacedObjects, since: OverrideTree | undefined): readonly Inode[] {
  const rebase = new Rebase(core, placed);
  rebase.directory(core.tree.root, '/' as BytePath, since?.root);
  core.tree.clear();
  return rebase.rebased;
}

interface Spot extends Place {
  /** Whether the directory is the base's own at its path already. */
  readonly isHome: boolean;
}

interface Refreshed {
  readonly path: BytePath | undefined;
  /** Whether it differed from the base, or merely came along. */
  readonly how: 'overridden' | 'carried';
}

class Rebase {
  /** Directories that the base did not have there, or in which something was staged. */
  readonly rebased: Inode[] = [];
  readonly #core: Core;
  readonly #placed: PlacedObjects;
  /** Files that had several names. */
  readonly #linked: ReadonlySet<Inode>;

  constructor(core: Core, placed: PlacedObjects) {
    this.#core = core;
    this.#placed = placed;
    this.#linked = core.resolver.forgetLinks();
  }

  /** `path`: in the base, undefined: it is not there. `since`: what the directory is that was staged since. */
  directory(dir: Inode, path: BytePath | undefined, since: Inode | undefined): boolean {
    const isHome = dir.base === path;
    if (!isHome || dir.staged !== undefined) this.rebased.push(dir);
    dir.base = path;
    dir.staged = undefined;
    let known = false;
    for (const [name, child] of dir.children ?? []) {
      const keep = child !== TOMBSTONE && this.#child({ dir, name, isHome }, child, since?.children?.get(name));
      if (keep) known = true;
      else dir.children?.delete(name);
    }
    return known || dir.nodeId !== 0;
  }

  #child(at: Spot, child: Inode, since: Dentry | undefined): boolean {
    const natural = at.dir.base === undefined ? undefined : join(at.dir.base, at.name);
    const path = since ? basePath(since) : natural;
    if (child.children !== undefined) {
      const keep = this.directory(child, path, since ?? undefined);
      if (keep && child.nodeId !== 0) this.#refresh(at, child, { path, how: 'overridden' });
      return keep;
    }
    if (this.#isUntouched(at, child)) return child.nodeId !== 0;
    const { staged } = child;
    child.staged = undefined;
    // The name that it was known by has gone.
    if (child.parent === undefined) takeOwnName(child, at);
    if (child.parent === at.dir && child.name === at.name) child.base = NATURAL;
    if (child.nodeId === 0) return false;
    if (!this.#isKnown(child, staged))
      this.#refresh(at, child, { path, how: staged === undefined ? 'carried' : 'overridden' });
    return true;
  }

  /** What was the base's own before: the base is not asked about all that the kernel knows, only about what was committed. */
  #isUntouched({ dir, name, isHome }: Spot, inode: Inode): boolean {
    const isOwn = inode.staged === undefined && inode.base === NATURAL && inode.parent === dir && inode.name === name;
    return isOwn && isHome && !this.#linked.has(inode);
  }

  /** Of what was put into its place a moment ago, the base need not be asked: a call for each of many files. */
  #isKnown(inode: Inode, staged: Staged | undefined): boolean {
    const { base } = this.#core;
    const file = staged === undefined ? undefined : this.#placed.get(staged.object);
    const { mtime } = file?.attributes ?? {};
    // With several names it is to be learned which they are.
    if (file === undefined || mtime === undefined || staged?.nlink !== 1 || inode.base !== NATURAL) return false;
    const { id, size } = file;
    remember(inode, { ino: base.numberOf(id.dev, id.ino), size, mtimeSec: mtime.sec, mtimeNsec: mtime.nsec });
    return true;
  }

  /** The number and times the base gave it, so that the next lookup finds the same file, by any of its names. */
  #refresh(at: Place, inode: Inode, { path, how }: Refreshed): void {
    const { base, resolver } = this.#core;
    const stat = path === undefined ? ENOENT : base.statPath(path);
    if (typeof stat === 'number') return;
    // What merely came along and has changed meanwhile is to the kernel what it was: the late look finds that.
    if (how === 'overridden' || inode.ino !== stat.ino) remember(inode, stat);
    resolver.learnLink(inode, at, stat);
  }
}
