/**
 * Namespace operations: lookup and everything that moves or removes a name, or adds one (see creation.ts for new inodes). Each mutation is recorded
 * first and becomes visible only then. Names are resolved in the override tree; the base is only read, through
 * descriptors of its directories, so no symlink can lead an operation elsewhere.
 */
import type { Caller, Entry, NegativeEntry, RenameRequest } from '../../fuse/filesystem.ts';
import type { Name, NodeId } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { EEXIST, EINVAL, EISDIR, EMLINK, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, OK } from '../../sys/errno.ts';
import { RENAME_EXCHANGE, RENAME_NOREPLACE, RENAME_WHITEOUT } from '../../sys/libc.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Leaving } from '../base-stamps.ts';
import type { Core } from '../core.ts';
import type { Creation } from '../creation.ts';
import { admitMove, NAME_MAX, placePath } from '../creation.ts';
import type { Directories } from '../directories.ts';
import type { Time } from '../inode.ts';
import { type Inode, viewPath } from '../inode.ts';
import type { Place } from '../override-tree.ts';

const LINK_MAX = 65_000;

export class Names {
  readonly #core: Core;
  readonly #creation: Creation;
  readonly #directories: Directories;

  constructor(core: Core, creation: Creation, directories: Directories) {
    this.#core = core;
    this.#creation = creation;
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

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    const at = this.#existing(parent, name);
    if (typeof at === 'number') return at;
    if (at.inode.type === S_IFDIR) return EISDIR;
    return this.#remove(at, caller);
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    const at = this.#existing(parent, name);
    if (typeof at === 'number') return at;
    if (at.inode.type !== S_IFDIR) return ENOTDIR;
    const empty = this.#directories.isEmpty(at.inode);
    return empty === OK ? this.#remove(at, caller) : empty;
  }

  rename(request: RenameRequest, caller: Caller): Errno {
    if (request.flags & RENAME_WHITEOUT) return EINVAL;
    const from = this.#existing(request.fromParent, request.from);
    if (typeof from === 'number') return from;
    const toDir = this.#core.directory(request.toParent);
    if (typeof toDir === 'number') return toDir;
    if (request.to.length > NAME_MAX) return ENAMETOOLONG;
    const to: Place = { dir: toDir, name: request.to };
    if (admitMove(from.inode, from, to) !== OK) return ENAMETOOLONG;
    const target = this.#creation.occupant(to, caller);
    if (typeof target === 'number' && target !== ENOENT) return target;
    if (request.flags & RENAME_EXCHANGE) {
      return typeof target === 'number' ? ENOENT : this.#exchange(from, { ...to, inode: target }, caller);
    }
    if (typeof target === 'number') {
      return this.#creation.isReserved(to) ? EPERM : this.#move(from, to, undefined, caller);
    }
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
    const at = this.#creation.freePlace(parent, name, caller);
    if (typeof at === 'number') return at;
    const error = this.#linkAt(inode, at, caller);
    return error === OK ? this.#core.entry(inode) : error;
  }

  #linkAt(inode: Inode, at: Place, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    const existing = viewPath(inode);
    if (existing === undefined) return this.#creation.nameTmpfile(inode, at, caller);
    const claimed = core.claim(inode, time, caller).error;
    if (claimed !== OK) return claimed;
    if ((inode.staged?.nlink ?? 1) >= LINK_MAX) return EMLINK;
    const path = placePath(at);
    if (path === undefined) return ENOENT;
    const error = core.record({ tag: 'L', existing, path, ino: inode.ino, of: core.backing(inode) }, time, caller);
    if (error === OK) core.tree.link(inode, at, time);
    return error;
  }

  #remove(at: Found, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    const leaving = this.#leave(at, time, caller);
    if (typeof leaving === 'number') return leaving;
    const path = placePath(at);
    if (path === undefined) return ENOENT;
    const { hides, stamp } = leaving;
    const error = core.record({ tag: 'D', path, hides, stamp, pre: core.backing(at.inode) }, time, caller);
    if (error !== OK) return error;
    core.tree.remove(at, leaving, time);
    this.#lostName(at.inode);
    return OK;
  }

  #move(from: Found, to: Place, target: Inode | undefined, caller: Caller): Errno {
    const core = this.#core;
    const time = core.now();
    const leaving = this.#leave(from, time, caller);
    if (typeof leaving === 'number') return leaving;
    const replaced = target === undefined ? undefined : this.#leave({ ...to, inode: target }, time, caller);
    if (typeof replaced === 'number') return replaced;
    const [fromPath, toPath] = [placePath(from), placePath(to)];
    if (fromPath === undefined || toPath === undefined) return ENOENT;
    const { hides, stamp } = leaving;
    const overStamp = replaced?.stamp;
    const [pre, over] = [core.backing(from.inode), core.backing(target)];
    const what = { ino: from.inode.ino, pre, over, stamp, overStamp };
    const error = core.record({ tag: 'R', from: fromPath, to: toPath, exchange: false, hides, ...what }, time, caller);
    if (error !== OK) return error;
    core.tree.rename(from, to, { hides, stamp, overStamp, time });
    if (target !== undefined) this.#lostName(target);
    return OK;
  }

  #exchange(a: Found, b: Found, caller: Caller): Errno {
    // Two names of one file: nothing changes, so there is nothing to record.
    if (a.inode === b.inode) return OK;
    if (admitMove(b.inode, b, a) !== OK) return ENAMETOOLONG;
    const core = this.#core;
    const time = core.now();
    const first = this.#leave(a, time, caller);
    const second = this.#leave(b, time, caller);
    if (typeof first === 'number') return first;
    if (typeof second === 'number') return second;
    const [from, to] = [placePath(a), placePath(b)];
    if (from === undefined || to === undefined) return ENOENT;
    const [stamp, overStamp] = [first.stamp, second.stamp];
    const [pre, over] = [core.backing(a.inode), core.backing(b.inode)];
    const what = { ino: a.inode.ino, pre, over, stamp, overStamp };
    const error = core.record({ tag: 'R', from, to, exchange: true, hides: false, ...what }, time, caller);
    if (error === OK) core.tree.exchange(a, b, { stamp, overStamp, time });
    return error;
  }

  /** Claims an inode that is about to lose a name; what stays behind in the base, or an errno. */
  #leave(at: Found, time: Time, caller: Caller): Leaving | Errno {
    const { error, fingerprint } = this.#core.claim(at.inode, time, caller);
    return error === OK ? this.#core.leaving(at, at.inode, fingerprint) : error;
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
}

interface Found extends Place {
  readonly inode: Inode;
}
