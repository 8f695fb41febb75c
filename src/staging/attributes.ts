/** Attributes: getattr, setattr and extended attributes. A change of these never copies content. */
import { CAPABILITY } from '../fuse/before-write.ts';
import type { AttrChange, AttrReply, Caller } from '../fuse/filesystem.ts';
import type { NodeId } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { EEXIST, EINVAL, EISDIR, ENODATA, ENOENT, EOPNOTSUPP, EPERM, ESTALE, OK } from '../sys/errno.ts';
import { S_IFDIR, S_IFLNK } from '../sys/stat.ts';
import type { Content } from './content.ts';
import type { Core } from './core.ts';
import type { DraftAttributes, Inode, Attributes as StagedAttributes, Time } from './inode.ts';
import { basePath, CHANGED_MODE, CHANGED_OWNER, CHANGED_TIMES, CHANGED_XATTR, viewPath } from './inode.ts';
import { mayChange } from './owner.ts';
import type { Change } from './recorder.ts';
import { tryXattr, type Xattr } from './store/xattr-trial.ts';

const XATTR_CREATE = 1;
const XATTR_REPLACE = 2;

export class Attributes {
  readonly #core: Core;
  readonly #content: Content;

  constructor(core: Core, content: Content) {
    this.#core = core;
    this.#content = content;
  }

  /** Whoever asks for a name is not told why a node is out of use: the kernel looks it up again. */
  getattr(nodeId: NodeId, opened: boolean): AttrReply | Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode !== 'number') return this.#core.attr(inode);
    return opened ? this.#content.unstored.refusal(nodeId) : inode;
  }

  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return change.opened ? this.#content.unstored.refusal(nodeId) : inode;
    const unchanged = inode.staged === undefined && isWriteBack(change) ? this.#asItIs(inode, change.mtime) : undefined;
    if (unchanged !== undefined) return unchanged;
    // The times of a version that is gone: of a write that has failed.
    if (isWriteBack(change) && this.#core.resolver.settle(inode) === ESTALE) return this.#core.attr(inode);
    const refused = this.#mayChange(inode, change);
    if (refused !== OK) return refused;
    if (change.size !== undefined) {
      if (inode.type === S_IFDIR) return EISDIR;
      const error = this.#content.truncate(inode, change.size, caller);
      if (error !== OK) return error;
    }
    const time = this.#core.now();
    if (change.killSuidgid) this.#content.dropSetId(inode, time, { ...caller, uid: caller.uid || 1 });
    const error = this.#apply(inode, this.#patch(inode, change, time), time, caller);
    return error === OK ? this.#core.attr(inode) : error;
  }

  readlink(nodeId: NodeId): string | Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    if (inode.type !== S_IFLNK) return EINVAL;
    const path = basePath(inode);
    return path === undefined ? (inode.staged?.target ?? EINVAL) : this.#core.base.readlink(path);
  }

  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    if (name === CAPABILITY) this.#core.recorder.expect(inode.ino, caller);
    if (isAcl(name)) return EOPNOTSUPP;
    const staged = inode.staged?.xattrs?.get(name);
    if (staged !== undefined) return staged ?? ENODATA;
    const path = basePath(inode);
    const value = path === undefined ? ENODATA : this.#core.base.getxattr(path, name);
    // What is staged outlives a base entry that somebody removes.
    return value === ENOENT && inode.staged !== undefined ? ENODATA : value;
  }

  listxattr(nodeId: NodeId): Buffer | Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    const path = basePath(inode);
    const base = path === undefined ? Buffer.alloc(0) : this.#core.base.listxattr(path);
    const names = new Set(typeof base === 'number' ? [] : base.toString('latin1').split('\0').filter(Boolean));
    for (const [name, value] of inode.staged?.xattrs ?? []) {
      if (value === null) names.delete(name);
      else names.add(name);
    }
    const visible = [...names].filter((name) => !isAcl(name));
    return Buffer.from(visible.map((name) => `${name}\0`).join(''), 'latin1');
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno {
    if (isAcl(name)) return EOPNOTSUPP;
    const present = this.getxattr(nodeId, name, caller);
    if (typeof present === 'number' && present !== ENODATA) return present;
    const exists = typeof present !== 'number';
    if (flags & XATTR_CREATE && exists) return EEXIST;
    if (flags & XATTR_REPLACE && !exists) return ENODATA;
    const refused = this.#tryXattr(nodeId, name, value);
    if (refused !== OK) return refused;
    return this.#changeXattr(nodeId, { name, value: Buffer.from(value) }, caller);
  }

  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno {
    const present = this.getxattr(nodeId, name, caller);
    if (typeof present === 'number') return present;
    return this.#changeXattr(nodeId, { name, value: null }, caller);
  }

  /** What the base could not take would be in the way of every commit. */
  #tryXattr(nodeId: NodeId, name: string, value: Buffer): Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    // What is born in the view will lie on the file system of the directory above it that the base has.
    for (let at: Inode | undefined = inode; at !== undefined; at = at.parent) {
      const path = basePath(at);
      if (path === undefined) continue;
      if (at !== inode && this.#core.base.getxattr(path, name) === EOPNOTSUPP) return EOPNOTSUPP;
      break;
    }
    return tryXattr(this.#core.layers.store, inode.type, this.#otherXattrs(inode, name), { name, value });
  }

  /** All but `name`, ACLs of the base too. */
  *#otherXattrs(inode: Inode, name: string): Generator<Xattr> {
    const path = basePath(inode);
    const staged = inode.staged?.xattrs;
    const listed = path === undefined ? ENODATA : this.#core.base.listxattr(path);
    for (const other of typeof listed === 'number' ? [] : listed.toString('latin1').split('\0').filter(Boolean)) {
      const value = path === undefined || staged?.has(other) ? ENODATA : this.#core.base.getxattr(path, other);
      if (other !== name && typeof value !== 'number') yield { name: other, value };
    }
    for (const [other, value] of staged ?? []) if (other !== name && value !== null) yield { name: other, value };
  }

  #changeXattr(nodeId: NodeId, xattr: { name: string; value: Buffer | null }, caller: Caller): Errno {
    const inode = this.#core.node(nodeId);
    if (typeof inode === 'number') return inode;
    const time = this.#core.now();
    return this.#apply(inode, { attributes: { ctime: time }, changed: CHANGED_XATTR, xattr }, time, caller);
  }

  /** What the kernel cannot check because it sees a presented owner (owner.ts). */
  #mayChange(inode: Inode, change: AttrChange): Errno {
    const explicit = change.mode !== undefined || change.uid !== undefined || change.gid !== undefined;
    if (!explicit || this.#core.layers.owner.mapsAll) return OK;
    const stat = this.#core.statOf(inode);
    if (typeof stat === 'number') return stat;
    return mayChange(this.#core.layers.owner, stat) ? OK : EPERM;
  }

  /** The answer to times that a base file has already; undefined if it has others. */
  #asItIs(inode: Inode, mtime: AttrChange['mtime']): AttrReply | undefined {
    const reply = this.#core.attr(inode);
    if (typeof reply === 'number' || mtime === 'now') return undefined;
    const { mtimeSec, mtimeNsec } = reply.stat;
    return mtime === undefined || (mtime.sec === mtimeSec && mtime.nsec === mtimeNsec) ? reply : undefined;
  }

  #patch(inode: Inode, change: AttrChange, time: Time): Patch {
    const attributes: DraftAttributes = { ctime: change.ctime ?? time };
    let changed = 0;
    if (change.mode !== undefined) {
      attributes.mode = change.mode & 0o7777;
      changed |= CHANGED_MODE;
    }
    if (change.uid !== undefined) attributes.uid = change.uid;
    if (change.gid !== undefined) attributes.gid = change.gid;
    if (change.uid !== undefined || change.gid !== undefined) changed |= CHANGED_OWNER;
    if (change.atime !== undefined) attributes.atime = change.atime === 'now' ? time : change.atime;
    const mtime =
      change.mtime === 'now' || (change.mtime === undefined && change.size !== undefined) ? time : change.mtime;
    // Without an atime it is most likely the kernel that writes its own times back (after a write, rename, unlink).
    const writeBack = change.atime === undefined;
    if (mtime !== undefined && !(writeBack && this.#hasMtime(inode, mtime))) {
      attributes.mtime = mtime;
      const written = writeBack && inode.staged !== undefined && inode.staged.object !== 0;
      if (!written) changed |= CHANGED_TIMES;
    }
    return { attributes, changed, xattr: undefined };
  }

  #hasMtime(inode: Inode, mtime: Time): boolean {
    let known = inode.staged?.attributes.mtime;
    if (known === undefined) {
      const stat = this.#core.statOf(inode);
      if (typeof stat === 'number') return false;
      known = { sec: stat.mtimeSec, nsec: stat.mtimeNsec };
    }
    return known.sec === mtime.sec && known.nsec === mtime.nsec;
  }

  #apply(inode: Inode, patch: Patch, time: Time, caller: Caller): Errno {
    const core = this.#core;
    if (isOnlyCtime(patch)) {
      // A time that nobody can set and commit cannot keep is not worth a record.
      core.tree.changeQuietly(inode, patch);
      return OK;
    }
    // Its name must not go to what has the content of now and, for the kernel, the size of then.
    const stale = core.resolver.settle(inode) || this.#content.returns.comeBack(inode, caller);
    if (stale !== OK) return stale;
    const path = viewPath(inode);
    if (path === undefined) {
      // Nor is what has no name to be found by.
      core.tree.changeQuietly(inode, patch);
      return OK;
    }
    const { attributes, changed, xattr } = patch;
    const [pre, fingerprint] = [core.backing(inode), core.fingerprint(inode)];
    const record: Change = { tag: 'M', path, ino: inode.ino, pre, attributes, changed, xattr, fingerprint };
    const error = core.record(record, time, caller);
    if (error === OK) core.tree.change(inode, record);
    return error;
  }
}

interface Patch {
  readonly attributes: StagedAttributes;
  readonly changed: number;
  readonly xattr: { name: string; value: Buffer | null } | undefined;
}

/** POSIX ACLs would need the kernel to enforce them, which this connection does not ask for. */
function isAcl(name: string): boolean {
  return name.startsWith('system.posix_acl_');
}

/** Times that the kernel sends by itself, and nothing else. */
function isWriteBack({ mode, uid, gid, size, atime, mtime, killSuidgid }: AttrChange): boolean {
  if (mode !== undefined || uid !== undefined || gid !== undefined || size !== undefined) return false;
  return atime === undefined && mtime !== 'now' && killSuidgid === undefined;
}

/** The kernel flushes its times after every rename and unlink; mostly only ctime is new then. */
function isOnlyCtime(patch: Patch): boolean {
  const { mode, uid, gid, atime, mtime } = patch.attributes;
  if (mode !== undefined || uid !== undefined || gid !== undefined) return false;
  return atime === undefined && mtime === undefined && patch.xattr === undefined;
}
