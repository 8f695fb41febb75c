/**
 * Namespace operations: lookup and everything that makes, moves or removes a name. Each mutation is recorded
 * first and becomes visible only then. Names are resolved in the override tree; the base is only read, through
 * descriptors of its directories, so no symlink can lead an operation elsewhere.
 */
import type { Caller, Entry, NegativeEntry, NewNode, RenameRequest } from '../fuse/filesystem.ts';
import type { Name, NodeId, ObjectId } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { EEXIST, EINVAL, EIO, EISDIR, EMLINK, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, OK } from '../sys/errno.ts';
import { RENAME_EXCHANGE, RENAME_NOREPLACE, RENAME_WHITEOUT } from '../sys/libc.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../sys/stat.ts';
import type { Content } from './content.ts';
import type { Core } from './core.ts';
import type { Directories } from './directories.ts';
import type { Time } from './inode.ts';
import { Inode, TOMBSTONE, viewPath } from './inode.ts';
import type { NewInode, Place } from './override-tree.ts';
import type { StageNew } from './recorder.ts';

const NAME_MAX = 255;
const LINK_MAX = 65_000;
const S_ISGID = 0o2000;

export class Names {
  readonly #core: Core;
  readonly #content: Content;
  readonly #directories: Directories;

  constructor(core: Core, content: Content, directories: Directories) {
    this.#core = core;
    this.#content = content;
    this.#directories = directories;
  }

  lookup(parent: NodeId, name: Name): Entry | NegativeEntry | Errno {
    const dir = this.#core.directory(parent);
    if (typeof dir === 'number') return dir;
    if (name.length > NAME_MAX) return ENAMETOOLONG;
    const inode = this.#core.child({ dir, name });
    if (inode === ENOENT) return { nodeId: 0, entryValid: this.#core.absence(dir) };
    return typeof inode === 'number' ? inode : this.#core.entry(inode);
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
    return this.#core.entry(inode);
  }

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    const at = this.#existing(parent, name);
    if (typeof at === 'number') return at;
    if (at.inode.type === S_IFDIR) return EISDIR;
    const time = this.#core.now();
    const error = this.#core.claim(at.inode, time, caller);
    return error === OK ? this.#remove(at, time, caller) : error;
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    const at = this.#existing(parent, name);
    if (typeof at === 'number') return at;
    if (at.inode.type !== S_IFDIR) return ENOTDIR;
    const empty = this.#directories.isEmpty(at.inode);
    return empty === OK ? this.#remove(at, this.#core.now(), caller) : empty;
  }

  rename(request: RenameRequest, caller: Caller): Errno {
    if (request.flags & RENAME_WHITEOUT) return EINVAL;
    const from = this.#existing(request.fromParent, request.from);
    if (typeof from === 'number') return from;
    const toDir = this.#core.directory(request.toParent);
    if (typeof toDir === 'number') return toDir;
    if (request.to.length > NAME_MAX) return ENAMETOOLONG;
    const to: Place = { dir: toDir, name: request.to };
    const target = this.#core.child(to);
    if (typeof target === 'number' && target !== ENOENT) return target;
    if (request.flags & RENAME_EXCHANGE) {
      return typeof target === 'number' ? ENOENT : this.#exchange(from, { ...to, inode: target }, caller);
    }
    if (typeof target === 'number') return this.#move(from, to, undefined, caller);
    if (request.flags & RENAME_NOREPLACE) return EEXIST;
    // Two names of one file: rename(2) does nothing and succeeds.
    if (target === from.inode) return OK;
    const refused = this.#mayReplace(from.inode, target);
    return refused === OK ? this.#move(from, to, target, caller) : refused;
  }

  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    if (inode.type === S_IFDIR) return EPERM;
    const at = this.#free(parent, name);
    if (typeof at === 'number') return at;
    const error = this.#linkAt(inode, at, caller);
    return error === OK ? this.#core.entry(inode) : error;
  }

  #linkAt(inode: Inode, at: Place, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    const existing = viewPath(inode);
    if (existing === undefined) return this.#nameTmpfile(inode, at, time, caller);
    const claimed = core.claim(inode, time, caller);
    if (claimed !== OK) return claimed;
    if ((inode.staged?.nlink ?? 1) >= LINK_MAX) return EMLINK;
    const path = this.#pathOf(at);
    if (path === undefined) return ENOENT;
    const error = core.record({ tag: 'L', existing, path, ino: inode.ino, of: core.backing(inode) }, time, caller);
    if (error === OK) core.tree.link(inode, at, time);
    return error;
  }

  /** linkat(2) of an O_TMPFILE inode: for history it is born now, under this name. */
  #nameTmpfile(inode: Inode, at: Place, time: Time, caller: Caller): Errno {
    const core = this.#core;
    const staged = inode.staged;
    if (staged === undefined || !core.doomed.has(inode) || staged.nlink !== 0) return ENOENT;
    const fresh = { ...toNewInode(inode), mode: staged.attributes.mode ?? 0o600 };
    const error = this.#recordNew(at, fresh, time, caller);
    if (error !== OK) return error;
    core.doomed.delete(inode);
    core.tree.link(inode, at, time);
    const { mtime, atime } = staged.attributes;
    const attributes = { ...(mtime && { mtime }), ...(atime && { atime }) };
    const path = viewPath(inode);
    if (path === undefined) return EIO;
    return core.record(
      {
        tag: 'M',
        path,
        attributes,
        changed: 0,
        xattr: undefined,
        ino: inode.ino,
        fingerprint: undefined,
        pre: core.backing(inode),
      },
      time,
      caller,
    );
  }

  #make(parent: NodeId, name: Name, node: Node, caller: Caller): Entry | Errno {
    const at = this.#free(parent, name);
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
    if (fresh.object !== 0) this.#content.adopt(inode);
    return this.#core.entry(inode);
  }

  #recordNew(at: Place, fresh: NewInode, time: Time, caller: Caller): Errno {
    const path = this.#pathOf(at);
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
      const made = this.#content.allocate();
      if (made < 0) return -made as Errno;
      object = made as ObjectId;
    }
    return {
      type,
      ino: this.#core.parts.numbers.nextIno(),
      object,
      gen: this.#core.recorder.generation,
      mode,
      uid: caller.uid,
      gid: inherits ? parent.gid : caller.gid,
      rdev: node.rdev,
      target: node.target,
    };
  }

  #remove(at: Found, time: Time, caller: Caller): Errno {
    const core = this.#core;
    const path = this.#pathOf(at);
    if (path === undefined) return ENOENT;
    const hides = core.baseHas(at, at.inode);
    const error = core.record({ tag: 'D', path, hides, pre: core.backing(at.inode) }, time, caller);
    if (error !== OK) return error;
    core.tree.remove(at, hides, time);
    this.#lostName(at.inode);
    return OK;
  }

  #move(from: Found, to: Place, target: Inode | undefined, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    for (const inode of target === undefined ? [from.inode] : [from.inode, target]) {
      const error = core.claim(inode, time, caller);
      if (error !== OK) return error;
    }
    const [fromPath, toPath] = [this.#pathOf(from), this.#pathOf(to)];
    if (fromPath === undefined || toPath === undefined) return ENOENT;
    const hides = core.baseHas(from, from.inode);
    const [pre, over] = [core.backing(from.inode), core.backing(target)];
    const ino = from.inode.ino;
    const error = core.record(
      { tag: 'R', from: fromPath, to: toPath, exchange: false, hides, ino, pre, over },
      time,
      caller,
    );
    if (error !== OK) return error;
    core.tree.rename(from, to, { hides, time });
    if (target !== undefined) this.#lostName(target);
    return OK;
  }

  #exchange(a: Found, b: Found, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    for (const inode of [a.inode, b.inode]) {
      const error = core.claim(inode, time, caller);
      if (error !== OK) return error;
    }
    const [from, to] = [this.#pathOf(a), this.#pathOf(b)];
    if (from === undefined || to === undefined) return ENOENT;
    const [pre, over] = [core.backing(a.inode), core.backing(b.inode)];
    const error = core.record(
      { tag: 'R', from, to, exchange: true, hides: false, ino: a.inode.ino, pre, over },
      time,
      caller,
    );
    if (error === OK && a.inode !== b.inode) core.tree.exchange(a, b, time);
    return error;
  }

  #mayReplace(moved: Inode, target: Inode): Errno {
    if (target.type === S_IFDIR) return moved.type === S_IFDIR ? this.#directories.isEmpty(target) : EISDIR;
    return moved.type === S_IFDIR ? ENOTDIR : OK;
  }

  /** After an inode's last name went: its object goes with the kernel's last reference, if no snapshot has it. */
  #lostName(inode: Inode): void {
    const staged = inode.staged;
    if (inode.type === S_IFDIR) this.#directories.forget(inode);
    if (staged === undefined || staged.object === 0 || staged.nlink > 0) return;
    if (staged.objectGen === this.#core.recorder.generation) this.#core.doomed.add(inode);
  }

  #existing(parent: NodeId, name: Name): Found | Errno {
    const dir = this.#core.directory(parent);
    if (typeof dir === 'number') return dir;
    const inode = this.#core.child({ dir, name });
    return typeof inode === 'number' ? inode : { dir, name, inode };
  }

  /** A place where nothing is yet. */
  #free(parent: NodeId, name: Name): Place | Errno {
    const dir = this.#core.directory(parent);
    if (typeof dir === 'number') return dir;
    if (name.length > NAME_MAX) return ENAMETOOLONG;
    if (dir.parent === undefined && dir !== this.#core.tree.root) return ENOENT;
    const inode = this.#core.child({ dir, name });
    if (typeof inode !== 'number') return EEXIST;
    if (inode !== ENOENT) return inode;
    return this.#isReserved(dir, name) ? EPERM : { dir, name };
  }

  /** A name the base tree hides must not be made either: it would stand for two things. */
  #isReserved(dir: Inode, name: Name): boolean {
    return dir.base !== undefined && dir.children?.get(name) !== TOMBSTONE && this.#core.base.hides(dir.base, name);
  }

  #pathOf(at: Place) {
    const dir = viewPath(at.dir);
    return dir === undefined ? undefined : join(dir, at.name);
  }
}

interface Node {
  readonly mode: number;
  readonly rdev: number;
  readonly target: string | undefined;
}

interface Found extends Place {
  readonly inode: Inode;
}

function toNewInode(inode: Inode): NewInode {
  const staged = inode.staged;
  if (staged === undefined) throw new RangeError('an inode without a staged part was never new');
  const { mode = 0o600, uid = 0, gid = 0 } = staged.attributes;
  const { object, objectGen: gen, rdev, target } = staged;
  return { type: inode.type, ino: inode.ino, object, gen, mode, uid, gid, rdev, target };
}
