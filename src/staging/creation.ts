/**
 * New inodes: mknod, mkdir, symlink, O_TMPFILE. A new inode is recorded before it is visible; a regular file's
 * empty content object is made first, so that what is recorded exists.
 */
import type { Caller, Entry, NewNode } from '../fuse/filesystem.ts';
import type { BytePath, Name, NodeId, ObjectId } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { EEXIST, EIO, ENAMETOOLONG, ENOENT, EPERM, OK } from '../sys/errno.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../sys/stat.ts';
import { isLost } from './backing.ts';
import type { Content } from './content.ts';
import type { Core } from './core.ts';
import type { NewInode, Time } from './inode.ts';
import { Inode, TOMBSTONE, viewPath } from './inode.ts';
import type { Place } from './override-tree.ts';
import type { StageNew } from './recorder.ts';

export const NAME_MAX = 255;
/**
 * Bytes of the longest path in the view: PATH_MAX without the zero at the end. A host's file system takes longer ones of who goes down
 * step by step; here each record, each line of a review and each step of a commit names its path in full.
 */
const LONGEST_PATH = 4095;
const S_ISGID = 0o2000;

interface Node {
  readonly mode: number;
  readonly rdev: number;
  readonly target: string | undefined;
}

export class Creation {
  readonly #core: Core;
  readonly #content: Content;

  constructor(core: Core, content: Content) {
    this.#core = core;
    this.#content = content;
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#make(parent, name, { mode: node.mode, rdev: node.rdev, target: undefined }, caller);
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#make(parent, name, { mode: S_IFDIR | (node.mode & ~S_IFMT), rdev: 0, target: undefined }, caller);
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    return this.#make(parent, name, { mode: S_IFLNK | 0o777, rdev: 0, target }, caller);
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    const dir = this.#core.directory(parent);
    if (typeof dir === 'number') return dir;
    const fresh = this.#fresh(dir, { mode: S_IFREG | (node.mode & ~S_IFMT), rdev: 0, target: undefined }, caller);
    if (typeof fresh === 'number') return fresh;
    const inode = new Inode(fresh.type, fresh.ino, undefined);
    const staged = this.#core.tree.adopt(inode, fresh, this.#core.now());
    // Without a name it is nobody's business but the kernel's: not in the durable tree until it is linked.
    staged.nlink = 0;
    this.#core.tree.dirtyInodes.delete(inode);
    this.#core.doomed.add(inode);
    this.#content.adopt(inode);
    return this.#core.entry(inode);
  }

  /** A place where nothing is yet. */
  freePlace(parent: NodeId, name: Name, caller: Caller): Place | Errno {
    const dir = this.#core.directory(parent);
    if (typeof dir === 'number') return dir;
    if (name.length > NAME_MAX || admitName({ dir, name }) !== OK) return ENAMETOOLONG;
    if (dir.parent === undefined && dir !== this.#core.tree.root) return ENOENT;
    const inode = this.occupant({ dir, name }, caller);
    if (inode !== ENOENT) return typeof inode === 'number' ? inode : EEXIST;
    return this.isReserved({ dir, name }) ? EPERM : { dir, name };
  }

  /** What has a name; ENOENT: nothing, also where something was that has nothing to show any more, which gives way. */
  occupant(at: Place, caller: Caller): Inode | Errno {
    const inode = this.#core.child(at);
    if (typeof inode === 'number' || !isLost(inode, this.#core)) return inode;
    return this.#drop(at, inode, caller) || ENOENT;
  }

  /** Takes a name away that nobody can see. */
  #drop(at: Place, inode: Inode, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    const { error: refused, fingerprint } = core.claim(inode, time, caller);
    const path = placePath(at);
    if (refused !== OK || path === undefined) return refused || ENOENT;
    const leaving = core.leaving(at, inode, fingerprint);
    const { hides, stamp } = leaving;
    const error = core.record({ tag: 'D', path, hides, stamp, pre: core.backing(inode) }, time, caller);
    if (error === OK) core.tree.remove(at, leaving, time);
    return error;
  }

  /** A name the base tree hides must not be made either: it would stand for two things. */
  isReserved({ dir, name }: Place): boolean {
    return dir.base !== undefined && dir.children?.get(name) !== TOMBSTONE && this.#core.base.hides(dir.base, name);
  }

  /** linkat(2) of an O_TMPFILE inode: for history it is born now, under this name. */
  nameTmpfile(inode: Inode, at: Place, caller: Caller): Errno {
    const core = this.#core;
    const staged = inode.staged;
    const time = core.now();
    // One that had a name and lost it cannot get another.
    if (staged === undefined || !core.doomed.has(inode) || staged.nlink !== 0 || inode.name !== '') return ENOENT;
    const fresh = { ...toNewInode(inode), mode: staged.attributes.mode ?? 0o600 };
    const error = this.#recordNew(at, fresh, time, caller) || this.#recordOwn(inode, at, time, caller);
    if (error !== OK) return error;
    core.doomed.delete(inode);
    core.tree.link(inode, at, time);
    return OK;
  }

  /** What was set while it had no name. On an errno the name is recorded as gone again. */
  #recordOwn(inode: Inode, at: Place, time: Time, caller: Caller): Errno {
    const core = this.#core;
    const path = placePath(at);
    const { staged, ino } = inode;
    if (path === undefined || staged === undefined) return EIO;
    const { mtime, atime } = staged.attributes;
    const pre = core.backing(inode);
    const about = { tag: 'M', path, changed: 0, ino, fingerprint: undefined, pre } as const;
    const times = { ...(mtime && { mtime }), ...(atime && { atime }) };
    let error = core.record({ ...about, attributes: times, xattr: undefined }, time, caller);
    for (const [name, value] of staged.xattrs ?? []) {
      error ||= core.record({ ...about, attributes: {}, xattr: { name, value } }, time, caller);
    }
    const hides = at.dir.children?.get(at.name) === TOMBSTONE;
    if (error !== OK) core.record({ tag: 'D', path, hides, stamp: undefined, pre }, time, caller);
    return error;
  }

  #make(parent: NodeId, name: Name, node: Node, caller: Caller): Entry | Errno {
    const at = this.freePlace(parent, name, caller);
    if (typeof at === 'number') return at;
    const fresh = this.#fresh(at.dir, node, caller);
    if (typeof fresh === 'number') return fresh;
    const time = this.#core.now();
    const error = this.#recordNew(at, fresh, time, caller);
    if (error !== OK) {
      if (fresh.object !== 0) this.#content.discard(fresh.object);
      return error;
    }
    const inode = this.#core.tree.create(at, fresh, time);
    if (fresh.object !== 0) {
      this.#content.adopt(inode);
      this.#core.layers.files.look.made(fresh.object, time);
    }
    return this.#core.entry(inode);
  }

  #recordNew(at: Place, fresh: NewInode, time: Time, caller: Caller): Errno {
    const path = placePath(at);
    if (path === undefined) return ENOENT;
    const { type, ino, object, mode, uid, gid, rdev, target } = fresh;
    const record: StageNew = {
      tag: 'S',
      how: 'new',
      path,
      type,
      ino,
      object,
      mode,
      uid,
      gid,
      rdev,
      target,
      pre: { kind: 'absent' },
    };
    return this.#core.record(record, time, caller);
  }

  /** Numbers, content object and inherited attributes of a new inode, or the errno that prevents it. */
  #fresh(dir: Inode, node: Node, caller: Caller): NewInode | Errno {
    const type = node.mode & S_IFMT || S_IFREG;
    const parent = this.#core.statOf(dir);
    if (typeof parent === 'number') return parent;
    const inherits = (parent.mode & S_ISGID) !== 0;
    let mode = node.mode & ~S_IFMT;
    if (inherits && type === S_IFDIR) mode |= S_ISGID;
    let object = 0 as ObjectId;
    if (type === S_IFREG) {
      const refused = this.#core.layers.quota.admitFile();
      if (refused !== OK) return refused;
      const made = this.#content.allocate(mode);
      if (made < 0) return -made as Errno;
      object = made as ObjectId;
    }
    return {
      type,
      ino: this.#core.layers.numbers.nextIno(),
      object,
      gen: this.#core.recorder.generation,
      mode,
      uid: caller.uid,
      gid: inherits ? parent.gid : caller.gid,
      rdev: node.rdev,
      target: node.target,
    };
  }
}

/** Whether a name may be given. */
function admitName(at: Place): Errno {
  return lengthOf(at) > LONGEST_PATH ? ENAMETOOLONG : OK;
}

/** Whether an inode may move, with all that is staged below it. */
export function admitMove(inode: Inode, from: Place, to: Place): Errno {
  const length = lengthOf(to);
  if (length > LONGEST_PATH) return ENAMETOOLONG;
  return length > lengthOf(from) && reaches(inode, LONGEST_PATH - length) ? ENAMETOOLONG : OK;
}

function lengthOf({ dir, name }: Place): number {
  let length = name.length + 1;
  for (let at = dir; at.parent !== undefined; at = at.parent) length += at.name.length + 1;
  return length;
}

/** Whether something that is staged below a directory has a path from there of more than `limit` bytes. */
function reaches(directory: Inode, limit: number): boolean {
  const stack: { dir: Inode; length: number }[] = [{ dir: directory, length: 0 }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const [name, child] of at.dir.children ?? []) {
      if (child === TOMBSTONE) continue;
      const length = at.length + name.length + 1;
      if (length > limit && child.staged !== undefined) return true;
      if (child.children !== undefined) stack.push({ dir: child, length });
    }
  }
  return false;
}

/** The view path of a place; undefined below a directory that was removed. */
export function placePath(at: Place): BytePath | undefined {
  const dir = viewPath(at.dir);
  return dir === undefined ? undefined : join(dir, at.name);
}

function toNewInode(inode: Inode): NewInode {
  const staged = inode.staged;
  if (staged === undefined) throw new RangeError('an inode without a staged part was never new');
  const { mode = 0o600, uid = 0, gid = 0 } = staged.attributes;
  const { object, objectGen: gen, rdev, target } = staged;
  return { type: inode.type, ino: inode.ino, object, gen, mode, uid, gid, rdev, target };
}
