/**
 * Makes the live tree show what another tree shows, in place: a travel. The target was built over the same base, of
 * inodes that nobody knows; it is used up.
 *
 *     survey ▸ match ▸ strip ▸ attach ▸ find places ▸ links ▸ differences
 *
 * Inodes that both trees have stay (matches.ts), so a directory keeps its place in the kernel. A file that is
 * in another state then loses its name to the target's; whoever has it open keeps it as an orphan without a name,
 * whose writes are not recorded and go to a copy.
 */
import type { BytePath, Ino, Name } from '../../sys/bytes.ts';
import { splitPath } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { S_IFDIR, type Stat } from '../../sys/stat.ts';
import type { ContentFiles } from '../content-files.ts';
import type { Attributes, Dentry, Inode } from '../inode.ts';
import { basePath, NATURAL, newStaged, TOMBSTONE, viewPath } from '../inode.ts';
import type { Invalidation } from '../invalidation.ts';
import { giveName, giveOwnName, takeOwnName } from '../names/hard-links.ts';
import type { OverrideTree, Place } from '../override-tree.ts';
import type { Resolver } from '../resolver.ts';
import type { DetachedDirectories } from './detached.ts';
import { Differences, type Differs } from './differences.ts';
import { identityOf, isSameAttributes } from './identity.ts';
import { Matches } from './matches.ts';
import { Survey } from './survey.ts';

/** What the view shows, and who knows its nodes. */
export interface LiveTree {
  readonly tree: OverrideTree;
  readonly resolver: Resolver;
  readonly files: ContentFiles;
  readonly detached: DetachedDirectories;
  readonly statOf: (inode: Inode) => Stat | Errno;
  /** Hears of each name that means something else then. */
  readonly differs: Differs;
}

/** What must be told to the kernel when another tree is shown. */
export interface Shown {
  readonly invalidations: readonly Invalidation[];
  /**
   * Where directories lie now that it knew elsewhere, or not at all any more, parents first. A process that works in
   * one finds its way up again when somebody has walked there.
   */
  readonly moved: readonly BytePath[];
}

/** Shows `target`. */
export function switchTree(live: LiveTree, target: OverrideTree): Shown {
  return new Switch(live, target).run();
}

class Switch {
  readonly #live: LiveTree;
  readonly #target: OverrideTree;
  readonly #survey: Survey;
  readonly #matches: Matches;
  readonly #differences: Differences;
  /** Directories of the base that have a place in the tree now, by their path in the base. */
  readonly #placed = new Map<BytePath, Inode>();
  /** Directories that lost their staged part and have no place yet. */
  readonly #stripped = new Map<BytePath, Inode>();
  /** What had a name that the target gives to something else. */
  readonly #displaced: Inode[] = [];

  constructor(live: LiveTree, target: OverrideTree) {
    this.#live = live;
    this.#target = target;
    this.#survey = new Survey(live.tree);
    this.#matches = new Matches(target, this.#survey, live.detached);
    this.#differences = new Differences(this.#survey.overrides, live.differs);
  }

  run(): Shown {
    const { tree } = this.#live;
    this.#strip();
    tree.dirtyInodes.clear();
    tree.dirtyDentries.clear();
    tree.deadIds.length = 0;
    tree.nextId = Math.max(tree.nextId, this.#target.nextId);
    tree.stamps.replace(this.#target.stamps);
    this.#attach();
    this.#findPlaces();
    this.#joinLinks();
    const moved = this.#compareDirectories();
    return { invalidations: this.#differences.close(), moved };
  }

  /** Takes every override away. What is merely known of the base stays where it hangs. */
  #strip(): void {
    for (const [dir, meanings] of this.#survey.overrides) {
      for (const name of meanings.keys()) dir.children?.delete(name);
      dir.staged = undefined;
      if (dir.base !== undefined) this.#stripped.set(dir.base, dir);
    }
    for (const inode of this.#survey.staged.keys()) {
      // Its path must be known when its directory lies elsewhere.
      if (inode.base === NATURAL) inode.base = basePath(inode);
      if (inode.children === undefined) this.#dropNames(inode);
      inode.staged = undefined;
    }
  }

  #attach(): void {
    const { root } = this.#target;
    this.#adopt(root);
    const stack = [root];
    for (let source = stack.pop(); source !== undefined; source = stack.pop()) {
      const dir = this.#matches.imageOf(source);
      const names = source.children;
      // What has its name in the target has it here from now on, and if the directory stays, its names are given to it anew.
      source.children = new Map();
      for (const [name, child] of names ?? []) {
        if (child !== TOMBSTONE && child.staged === undefined) continue;
        this.#put(dir, name, child === TOMBSTONE ? TOMBSTONE : this.#name(child, source, name));
        if (child?.children !== undefined) stack.push(child);
      }
    }
  }

  /** The image of `child`, staged as it is, with this name if it is its own. */
  #name(child: Inode, dir: Inode, name: Name): Inode {
    const image = this.#adopt(child);
    // The child may be the image itself, and its directory may not.
    if (child.parent === dir && child.name === name) takeOwnName(image, { dir: this.#matches.imageOf(dir), name });
    return image;
  }

  /** Gives the image of an inode of the target what is staged of it. */
  #adopt(source: Inode): Inode {
    const image = this.#matches.imageOf(source);
    if (image !== source) {
      image.base = source.base;
      image.staged = source.staged;
      if (source.parent === undefined) image.parent = undefined;
      if (image.ino === 0) image.ino = source.ino;
    }
    this.#live.tree.dirtyInodes.add(image);
    if (image.children !== undefined && image.base !== undefined) this.#placed.set(image.base, image);
    return image;
  }

  #put(dir: Inode, name: Name, meaning: Dentry): void {
    const known = dir.children?.get(name);
    this.#differences.note(dir, name, known);
    if (known && known !== meaning) this.#displaced.push(known);
    if (meaning === TOMBSTONE) dir.children?.set(name, TOMBSTONE);
    else giveName(meaning, { dir, name });
    this.#live.tree.noteDirtyDentry(dir, name);
  }

  /** Everything that lost its place gets its natural one, or none. */
  #findPlaces(): void {
    const { kept } = this.#matches;
    for (const inode of this.#survey.staged.keys()) {
      if (!kept.has(inode) && inode.children === undefined) this.#orphan(inode);
    }
    for (const path of this.#live.detached.paths()) this.#reach(path);
    for (const dir of this.#survey.overrides.keys()) {
      if (kept.has(dir)) continue;
      const isKnown = dir.nodeId !== 0 || (dir.children?.size ?? 0) > 0;
      const natural = dir.base !== undefined && isKnown ? this.#reach(dir.base) : undefined;
      if (natural !== dir) this.#leave(dir);
    }
    for (const inode of this.#displaced) {
      if (!kept.has(inode)) this.#leave(inode);
    }
  }

  /** The directory that the tree has of the base's at `path`, put in its natural place if need be; undefined: it is gone. */
  #reach(path: BytePath): Inode | undefined {
    const placed = this.#placed.get(path);
    const at = splitPath(path);
    if (placed !== undefined || at === undefined) return placed ?? this.#live.tree.root;
    const dir = this.#reach(at.dir);
    if (dir === undefined) return undefined;
    const known = dir.children?.get(at.name);
    const found = known === undefined ? this.#restore(path, { dir, name: at.name }) : known;
    if (found === TOMBSTONE || found.base !== path) return undefined;
    this.#placed.set(path, found);
    return found;
  }

  #restore(path: BytePath, at: Place): Inode {
    const { tree, detached } = this.#live;
    const dir = this.#stripped.get(path) ?? detached.take(path);
    if (dir === undefined) return tree.scaffold(at, S_IFDIR, 0 as Ino);
    this.#differences.note(at.dir, at.name, undefined);
    dir.base = path;
    dir.staged = undefined;
    giveOwnName(dir, at);
    return dir;
  }

  /** The target has no place for it, nor for what is merely known below it. */
  #leave(inode: Inode): void {
    if (inode.children === undefined) {
      this.#orphan(inode);
      return;
    }
    for (const [name, child] of inode.children) {
      if (child !== TOMBSTONE && !this.#matches.kept.has(child) && child.parent === inode && child.name === name)
        this.#leave(child);
    }
    if (inode.nodeId === 0) {
      inode.parent = undefined;
      return;
    }
    const meanings = [...inode.children, ...(this.#survey.overrides.get(inode) ?? [])];
    const names = meanings.map(([name]) => name);
    if (this.#live.detached.isLoose(inode)) {
      for (const [name, meaning] of meanings) if (meaning?.nodeId) this.#differences.forget(inode, name);
    }
    const identity = identityOf(inode);
    const attributes = this.#attributesOf(inode);
    this.#live.detached.leave(identity, { inode, names }, attributes);
    this.#differences.changed(inode);
  }

  /** As they were while it had a name. */
  #attributesOf(dir: Inode): Attributes {
    dir.staged = this.#survey.staged.get(dir);
    const stat = this.#live.statOf(dir);
    if (typeof stat === 'number') return dir.staged?.attributes ?? {};
    return {
      mode: stat.mode & 0o7777,
      uid: stat.uid,
      gid: stat.gid,
      atime: { sec: stat.atimeSec, nsec: stat.atimeNsec },
      mtime: { sec: stat.mtimeSec, nsec: stat.mtimeNsec },
      ctime: { sec: stat.ctimeSec, nsec: stat.ctimeNsec },
    };
  }

  /** A process may still have it open: it keeps what it had, but no name. */
  #orphan(inode: Inode): void {
    this.#dropNames(inode);
    if (inode.base === NATURAL) inode.base = basePath(inode);
    inode.parent = undefined;
    const staged = this.#survey.staged.get(inode);
    inode.staged = staged && { ...staged, nlink: 0 };
    if (inode.nodeId === 0) this.#live.files.drop(inode);
  }

  /** Takes away the names that a file has because the base has them. */
  #dropNames(inode: Inode): void {
    for (const { dir, name } of this.#live.resolver.dropNames(inode)) this.#differences.note(dir, name, inode);
  }

  /** Files of the base with several names: what the target has staged is what all of them show. */
  #joinLinks(): void {
    const { linked } = this.#live.tree;
    for (const [key, inode] of linked) {
      const isStaged = this.#survey.staged.has(inode);
      if (isStaged && !this.#matches.kept.has(inode)) linked.delete(key);
      if (!isStaged && this.#target.linked.has(key)) this.#orphan(inode);
    }
    for (const [key, source] of this.#target.linked) linked.set(key, this.#adopt(source));
  }

  /** Of a directory the kernel remembers attributes and the place, too. Returns where those are that moved. */
  #compareDirectories(): BytePath[] {
    const [differences, survey, detached] = [this.#differences, this.#survey, this.#live.detached];
    const moved: Inode[] = [];
    for (const dir of new Set([...survey.overrides.keys(), ...this.#matches.kept])) {
      if (dir.children === undefined || dir.nodeId === 0) continue;
      const before = survey.staged.get(dir) ?? NOTHING;
      if (!isSameAttributes(before, dir.staged ?? NOTHING)) differences.changed(dir);
      if (!survey.hasMoved(dir)) continue;
      moved.push(dir);
      detached.loosen(dir);
    }
    for (const [dir, names] of detached.remembered()) {
      moved.push(dir);
      differences.changed(dir);
      for (const name of names) differences.forget(dir, name);
    }
    const paths = new Set(moved.map(viewPath).filter((path) => path !== undefined));
    return [...paths].sort((a, b) => a.length - b.length);
  }
}

const NOTHING = newStaged(0);
