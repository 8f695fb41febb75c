/**
 * The base has changed, and the view stays as it is: after a commit, of everything or of a part, and after an undo. `target`
 * says what is staged over the base as it is now. Each inode of the live tree becomes what `target` has under the same name,
 * else the base's own at its place, and goes on being the same file or directory for whoever knows it.
 */
import type { BytePath, ObjectId } from '../sys/bytes.ts';
import { join, ROOT } from '../sys/bytes.ts';
import { ENOENT } from '../sys/errno.ts';
import { S_IFREG } from '../sys/stat.ts';
import type { BaseTree } from './base-tree.ts';
import type { ContentFiles } from './content-files.ts';
import type { Dentry, Inode, Staged, Time } from './inode.ts';
import { NATURAL, TOMBSTONE } from './inode.ts';
import type { OverrideTree, Place } from './override-tree.ts';
import { type Resolver, remember } from './resolver.ts';

/** A content object that became a file of the base: what it is like there. */
interface Placed {
  readonly id: { readonly dev: number; readonly ino: number };
  readonly size: number;
  readonly attributes: { readonly mtime?: Time | undefined };
}

export type PlacedObjects = ReadonlyMap<ObjectId, Placed>;

export interface RebaseOptions {
  readonly base: BaseTree;
  readonly resolver: Resolver;
  readonly files: ContentFiles;
  /** What need not be asked of the base. */
  readonly placed: PlacedObjects;
}

export interface Rebased {
  /** Directories that the base has now, or has elsewhere, or in which something was staged. */
  readonly directories: readonly Inode[];
  /**
   * Whose attributes are other ones now. The base's directories, which were shown before, may have had other times; the number of
   * a file in the base goes to another one there.
   */
  readonly changed: readonly Inode[];
  /** Staged files that read the base's content, of which times may be other ones now. */
  readonly original: readonly Inode[];
  /** To be called when the target is shown. */
  finish(): void;
}

/** Makes the live inodes match those of `target`, which is to be shown next. */
export function rebase(live: OverrideTree, target: OverrideTree, options: RebaseOptions): Rebased {
  const moving = new Rebase(live, options);
  moving.run(target);
  return moving;
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

class Rebase implements Rebased {
  readonly directories: Inode[] = [];
  readonly changed: Inode[] = [];
  readonly original: Inode[] = [];
  readonly #live: OverrideTree;
  readonly #options: RebaseOptions;
  /** Files that had several names. */
  readonly #linked: ReadonlySet<Inode>;
  /** What is staged. */
  readonly #staged = new Set<Inode>();
  /** Staged files of which the target has no name, by which they are found: they keep those that the base has. */
  readonly #unnamed: [Inode, Inode][] = [];

  constructor(live: OverrideTree, options: RebaseOptions) {
    this.#live = live;
    this.#options = options;
    this.#linked = options.resolver.forgetLinks();
  }

  run(target: OverrideTree): void {
    this.#directory(this.#live.root, ROOT, target.root);
    for (const [key, wanted] of target.linked) {
      const known = wanted.parent === undefined ? this.#live.linked.get(key) : undefined;
      if (known === undefined || this.#staged.has(known) || !isFor(wanted, known)) continue;
      this.#unnamed.push([known, wanted]);
      target.linked.delete(key);
    }
  }

  finish(): void {
    for (const [known, wanted] of this.#unnamed) {
      this.#become(known, wanted);
      this.#live.dirtyInodes.add(known);
    }
  }

  /** `path`: in the base, undefined: it is not there. Returns whether it is known, or something in it is. */
  #directory(dir: Inode, path: BytePath | undefined, wanted: Inode | undefined): boolean {
    const isHome = dir.base === path;
    if (!isHome || dir.staged !== undefined) this.directories.push(dir);
    dir.base = path;
    dir.staged = undefined;
    let known = false;
    for (const [name, child] of dir.children ?? []) {
      const meaning = wanted?.children?.get(name);
      const keep = child === TOMBSTONE ? meaning === TOMBSTONE : this.#child({ dir, name, isHome }, child, meaning);
      if (keep) known = true;
      else dir.children?.delete(name);
    }
    return known || dir.nodeId !== 0;
  }

  #child(at: Spot, child: Inode, meaning: Dentry | undefined): boolean {
    const wanted = meaning && isFor(meaning, child) ? meaning : undefined;
    if (wanted !== undefined || this.#staged.has(child)) {
      if (this.#linked.has(child)) this.#options.resolver.learnName(child, at);
      if (wanted !== undefined && !this.#staged.has(child)) this.#become(child, wanted);
      return true;
    }
    const path = at.dir.base === undefined ? undefined : join(at.dir.base, at.name);
    if (child.children !== undefined) {
      const keep = this.#directory(child, path, undefined);
      if (keep && child.nodeId !== 0) this.#refresh(at, child, { path, how: 'overridden' });
      return keep;
    }
    return this.#file(at, child, path);
  }

  /** It is staged, as the target has it. */
  #become(known: Inode, wanted: Inode): void {
    this.#staged.add(known);
    if (known.children === undefined) {
      known.base = wanted.base;
      // The descriptor at hand is of the base's file, for reading only.
      this.#options.files.drop(known);
    } else this.#directory(known, wanted.base, wanted);
    known.staged = wanted.staged;
    const ino = wanted.ino || known.ino;
    if (known.children !== undefined || known.ino !== ino) this.changed.push(known);
    known.ino = ino;
    if (known.type === S_IFREG && wanted.staged?.object === 0) this.original.push(known);
  }

  /** It is the base's own. */
  #file(at: Spot, child: Inode, path: BytePath | undefined): boolean {
    if (this.#isUntouched(at, child)) return child.nodeId !== 0;
    const { staged } = child;
    child.staged = undefined;
    // The name that it was known by has gone.
    if (child.parent === undefined) Object.assign(child, { parent: at.dir, name: at.name });
    if (child.parent === at.dir && child.name === at.name) child.base = NATURAL;
    if (child.nodeId === 0) return false;
    if (!this.#isKnown(child, staged))
      this.#refresh(at, child, { path, how: staged === undefined ? 'carried' : 'overridden' });
    return true;
  }

  /** What was the base's own before: the base is not asked about all that the kernel knows, only about what has changed. */
  #isUntouched({ dir, name, isHome }: Spot, inode: Inode): boolean {
    const isOwn = inode.staged === undefined && inode.base === NATURAL && inode.parent === dir && inode.name === name;
    return isOwn && isHome && !this.#linked.has(inode);
  }

  /** Of what was put into its place a moment ago, the base need not be asked: a call for each of many files. */
  #isKnown(inode: Inode, staged: Staged | undefined): boolean {
    const { base, placed } = this.#options;
    const file = staged === undefined ? undefined : placed.get(staged.object);
    const { mtime } = file?.attributes ?? {};
    // With several names it is to be learned which they are.
    if (file === undefined || mtime === undefined || staged?.nlink !== 1 || inode.base !== NATURAL) return false;
    const { id, size } = file;
    remember(inode, { ino: base.numberOf(id.dev, id.ino), size, mtimeSec: mtime.sec, mtimeNsec: mtime.nsec });
    return true;
  }

  /** The number and times the base gave it, so that the next lookup finds the same file, by any of its names. */
  #refresh(at: Place, inode: Inode, { path, how }: Refreshed): void {
    const { base, resolver } = this.#options;
    const stat = path === undefined ? ENOENT : base.statPath(path);
    if (typeof stat === 'number') return;
    // What merely came along and has changed meanwhile is to the kernel what it was: the late look finds that.
    if (how === 'overridden' || inode.ino !== stat.ino) remember(inode, stat);
    resolver.learnLink(inode, at, stat);
  }
}

/** Whether the target has something staged that an inode can be. */
function isFor(wanted: Inode, known: Inode): boolean {
  return wanted.staged !== undefined && wanted.type === known.type;
}
