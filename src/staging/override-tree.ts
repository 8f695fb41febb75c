/**
 * The override tree: sparse, in memory, pure (no I/O). Its verbs are the journal's records, and both the live
 * view and replay change the tree through nothing else, so that "live tree = replayed journal" holds by
 * construction. It also keeps the sets of what the durable copy (LMDB) has not seen yet.
 *
 * Invariant: a dentry whose inode has `staged` hangs below directories that all have `staged` (scaffolds), up
 * to the root. Inodes without `staged` in `children` are merely known to the kernel and belong to nobody else.
 */
import type { BytePath, Gen, Ino, Name, ObjectId } from '../sys/bytes.ts';
import { components, join, ROOT, splitPath } from '../sys/bytes.ts';
import { S_IFDIR, S_IFMT } from '../sys/stat.ts';
import { BaseStamps, type Leaving, type Replacing } from './base-stamps.ts';
import { isSameTime, withAttributes } from './compact.ts';
import type { Dentry, Fingerprint, NewInode, Place, Staged, StagedChange, Time } from './inode.ts';
import { applyChange, basePath, fillNew, Inode, isNatural, NATURAL, newStaged, TOMBSTONE } from './inode.ts';
import { giveName, giveOwnName, goOnByAnother, loseName } from './names/hard-links.ts';

export type { Place } from './inode.ts';

export class OverrideTree {
  readonly root = new Inode(S_IFDIR, 0 as Ino, ROOT);
  /** Next persistent id; ids are never reused. */
  nextId = 2;
  /** Inodes and dentries that changed since the durable copy was written (see history/timeline/store/tree-store.ts). */
  readonly dirtyInodes = new Set<Inode>();
  readonly dirtyDentries = new Map<Inode, Set<Name>>();
  /** Ids whose inode is gone for good. */
  readonly deadIds: number[] = [];
  /** Overridden base files with several names: `dev:ino` -> inode, so that every name shows the same file. */
  readonly linked = new Map<string, Inode>();
  /** What the base had at the places that the view hides, covers or shows elsewhere. */
  readonly stamps = new BaseStamps();

  constructor() {
    this.root.staged = newStaged(1);
  }

  /**
   * Forgets every override (after commit or abort); ids go on counting. The root stays the same object, with
   * what is merely known from the base below it.
   */
  clear(): void {
    this.root.staged = newStaged(1);
    for (const [name, child] of this.root.children ?? []) {
      if (child === TOMBSTONE || child.staged !== undefined) this.root.children?.delete(name);
    }
    this.dirtyInodes.clear();
    this.dirtyDentries.clear();
    this.deadIds.length = 0;
    this.stamps.clear();
    for (const [key, inode] of this.linked) {
      if (inode.staged !== undefined || inode.nodeId === 0) this.linked.delete(key);
    }
  }

  /** Gives `inode` and all directories above it a place in the tree, and returns its staged part. */
  stage(inode: Inode): Staged {
    if (inode.staged !== undefined) {
      this.dirtyInodes.add(inode);
      return inode.staged;
    }
    const staged = newStaged(this.nextId++);
    inode.staged = staged;
    this.dirtyInodes.add(inode);
    if (inode.parent !== undefined) {
      this.stage(inode.parent);
      this.noteDirtyDentry(inode.parent, inode.name);
    }
    return staged;
  }

  /** S new: a fresh inode at a place; whatever was there is replaced. */
  create(at: Place, fresh: NewInode, time: Time): Inode {
    const inode = new Inode(fresh.type, fresh.ino, undefined);
    this.adopt(inode, fresh, time);
    this.#attach(at, inode);
    this.touch(at.dir, time);
    return inode;
  }

  /** Fills the staged part of an inode born in the view, without giving it a name (O_TMPFILE). */
  adopt(inode: Inode, fresh: NewInode, time: Time): Staged {
    return fillNew(this.stage(inode), fresh, time);
  }

  /** S content: a regular file's content is `object` from now on. */
  setContent(inode: Inode, content: { object: ObjectId; gen: Gen; fingerprint?: Fingerprint | undefined }): void {
    const staged = this.stage(inode);
    staged.object = content.object;
    staged.objectGen = content.gen;
    this.#remember(inode, staged, content.fingerprint);
  }

  /** D: the name goes. Returns the inode that lost it, if it was known. */
  remove(at: Place, { hides, stamp }: Leaving, time: Time): Inode | undefined {
    const victim = this.#detach(at, hides);
    this.stamps.bury(at, victim, stamp);
    this.touch(at.dir, time);
    if (victim?.staged !== undefined) setCtime(victim.staged, time);
    return victim;
  }

  /** R: moves a dentry with all that hangs below it; returns the inode that was replaced, if it was known. */
  rename(from: Place, to: Place, options: Leaving & Replacing): Inode | undefined {
    const moved = this.#need(from);
    this.#pin(moved);
    this.#detach(from, options.hides, true);
    this.stamps.note(from, options.stamp);
    const replaced = to.dir.children?.get(to.name) ?? undefined;
    if (replaced !== undefined) this.#detach(to, false);
    if (replaced?.staged !== undefined) setCtime(replaced.staged, options.time);
    this.stamps.bury(to, replaced, options.overStamp);
    this.#attach(to, moved);
    this.#unpin(moved);
    this.#touchBoth(from, to, moved, options.time);
    return replaced;
  }

  /** R with exchange: the two names swap their inodes. */
  exchange(a: Place, b: Place, options: Pick<Leaving, 'stamp'> & Replacing): void {
    const { time } = options;
    const [first, second] = [this.#need(a), this.#need(b)];
    for (const inode of [first, second]) this.#pin(inode);
    this.#detach(a, false, true);
    this.#detach(b, false, true);
    this.stamps.note(a, options.stamp);
    this.stamps.note(b, options.overStamp);
    this.#attach(b, first);
    this.#attach(a, second);
    for (const inode of [first, second]) this.#unpin(inode);
    this.#touchBoth(a, b, first, time);
    if (second.staged !== undefined) setCtime(second.staged, time);
  }

  /** L: one more name for an inode. */
  link(inode: Inode, at: Place, time: Time): void {
    const unnamed = inode.parent === undefined;
    this.#pin(inode);
    const staged = this.stage(inode);
    if (unnamed) staged.nlink = 0;
    staged.nlink += 1;
    setCtime(staged, time);
    giveName(inode, at);
    this.stage(at.dir);
    this.noteDirtyDentry(at.dir, at.name);
    this.touch(at.dir, time);
  }

  /** M: attributes and one extended attribute. */
  change(inode: Inode, change: StagedChange): void {
    const staged = this.stage(inode);
    applyChange(inode, staged, change);
    this.#remember(inode, staged, change.fingerprint);
  }

  /** What nobody needs to find again after a restart; an inode without a staged part has no place for it. */
  changeQuietly(inode: Inode, { attributes, xattr }: Pick<StagedChange, 'attributes' | 'xattr'>): void {
    if (inode.staged !== undefined) applyChange(inode, inode.staged, { attributes, xattr, changed: 0 });
  }

  /** Finds the inode at a view path for replay, making scaffolds of base directories on the way. */
  resolve(path: BytePath, leafType: number, leafIno: Ino): Inode {
    let at = this.root;
    const names = components(path);
    names.forEach((name, i) => {
      const leaf = i === names.length - 1;
      const known = at.children?.get(name);
      if (known) at = known;
      else at = this.scaffold({ dir: at, name }, leaf ? leafType : S_IFDIR, leaf ? leafIno : (0 as Ino));
    });
    return at;
  }

  /** The directory and name of a view path, for replay. */
  place(path: BytePath): Place {
    const split = splitPath(path);
    if (split === undefined) throw new RangeError('the root has no parent');
    return { dir: this.resolve(split.dir, S_IFDIR, 0 as Ino), name: split.name };
  }

  /** A known-from-the-base inode at its natural place, not staged. */
  scaffold(at: Place, type: number, ino: Ino): Inode {
    const isDirectory = (type & S_IFMT) === S_IFDIR;
    const dirBase = at.dir.base;
    const inode = new Inode(type, ino, isDirectory && dirBase !== undefined ? join(dirBase, at.name) : NATURAL);
    giveName(inode, at);
    return inode;
  }

  /** Remembers what changed for the durable copy. */
  noteDirtyDentry(dir: Inode, name: Name): void {
    const names = this.dirtyDentries.get(dir);
    if (names === undefined) this.dirtyDentries.set(dir, new Set([name]));
    else names.add(name);
  }

  /** A change of entries changes the directory's times, as a side effect. */
  touch(dir: Inode, time: Time): void {
    const staged = this.stage(dir);
    const { mtime, ctime } = staged.attributes;
    if (isSameTime(mtime, time) && isSameTime(ctime, time)) return;
    staged.attributes = withAttributes(staged.attributes, { mtime: time, ctime: time });
  }

  #touchBoth(from: Place, to: Place, moved: Inode, time: Time): void {
    this.touch(from.dir, time);
    if (to.dir !== from.dir) this.touch(to.dir, time);
    if (moved.staged !== undefined) setCtime(moved.staged, time);
  }

  #need(at: Place): Inode {
    const inode = at.dir.children?.get(at.name);
    if (!inode) throw new RangeError('rename of a name that is not known');
    return inode;
  }

  /** Makes the base path explicit, before the inode leaves its natural place. */
  #pin(inode: Inode): void {
    this.stage(inode);
    if (inode.base === NATURAL) inode.base = basePath(inode);
  }

  /** Back at its natural place, a file needs no explicit path, and nothing is hidden there. */
  #unpin(inode: Inode): void {
    if (inode.base === undefined || !isNatural(inode)) return;
    const path = basePath(inode);
    if (path !== undefined) this.stamps.drop(path);
    if (inode.type !== S_IFDIR) inode.base = NATURAL;
  }

  #attach(at: Place, inode: Inode): void {
    this.stage(at.dir);
    giveOwnName(inode, at);
    this.noteDirtyDentry(at.dir, at.name);
    this.dirtyInodes.add(inode);
  }

  /** Takes the name away; `keep` when the inode is about to get another one. */
  #detach(at: Place, hides: boolean, keep = false): Inode | undefined {
    const known: Dentry | undefined = at.dir.children?.get(at.name);
    this.stage(at.dir);
    this.noteDirtyDentry(at.dir, at.name);
    if (hides) at.dir.children?.set(at.name, TOMBSTONE);
    else at.dir.children?.delete(at.name);
    if (!known) return undefined;
    if (!keep) this.#dropName(known, at);
    else loseName(known, at);
    return known;
  }

  #dropName(inode: Inode, at: Place): void {
    const staged = inode.staged;
    if (staged !== undefined && inode.type !== S_IFDIR) {
      staged.nlink = Math.max(0, staged.nlink - 1);
      this.dirtyInodes.add(inode);
    }
    const base = basePath(inode);
    if (!loseName(inode, at)) return;
    if (inode.base === NATURAL) inode.base = base;
    if (staged === undefined) return;
    if (inode.type !== S_IFDIR && staged.nlink > 0) goOnByAnother(inode, this.root);
    else {
      this.deadIds.push(staged.id);
      this.dirtyInodes.delete(inode);
    }
  }

  #remember(inode: Inode, staged: Staged, fingerprint: Fingerprint | undefined): void {
    if (fingerprint === undefined || staged.fingerprint !== undefined) return;
    staged.fingerprint = fingerprint;
    if (inode.type !== S_IFDIR && fingerprint.nlink > 1) {
      staged.nlink = fingerprint.nlink;
      this.linked.set(`${fingerprint.dev}:${fingerprint.ino}`, inode);
    }
  }
}

function setCtime(staged: Staged, ctime: Time): void {
  staged.attributes = withAttributes(staged.attributes, { ctime });
}
