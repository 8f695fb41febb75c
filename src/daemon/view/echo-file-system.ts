/**
 * What is served: the gate, except to the init of the session, which makes what somebody changed outside in the view, too
 * (staging/watch/echoes.ts). Of its requests those that were asked for are answered as if they had changed something, and all others
 * that would are refused. Nobody else can have its process id for as long as there is a view.
 */
import type {
  AttrChange,
  AttrReply,
  Caller,
  CopyRequest,
  DirectorySink,
  Entry,
  FileSystem,
  NegativeEntry,
  NewNode,
  RenameRequest,
  StatFs,
} from '../../fuse/filesystem.ts';
import type { RuleFileSystem } from '../../rules/gate.ts';
import type { NodePaths } from '../../staging/names/node-paths.ts';
import type { Overlay } from '../../staging/overlay.ts';
import type { Echoes } from '../../staging/watch/echoes.ts';
import type { Name, NodeId } from '../../sys/bytes.ts';
import { EACCES, EIO, ENODATA, ENOENT, EPERM, type Errno, OK } from '../../sys/errno.ts';
import { S_IFDIR, S_IFLNK, S_IFMT } from '../../sys/stat.ts';

export class EchoFileSystem implements FileSystem {
  readonly #inner: RuleFileSystem;
  readonly #echoes: Echoes;
  readonly #nodePaths: NodePaths;

  constructor(inner: RuleFileSystem, { nodePaths, outside }: Overlay) {
    this.#inner = inner;
    this.#nodePaths = nodePaths;
    this.#echoes = outside.echoes;
  }

  lookup(parent: NodeId, name: Name, caller?: Caller): Entry | NegativeEntry | Errno {
    // To be made it must not be there, to be removed it must.
    const shown = this.#isInit(caller) && !this.#inner.isClosed(parent) ? this.#echoes.lookup(parent, name) : undefined;
    return shown ?? this.#inner.lookup(parent, name, caller);
  }

  forget(nodeId: NodeId, lookups: number): void {
    this.#inner.forget(nodeId, lookups);
  }

  getattr(nodeId: NodeId, caller?: Caller, opened?: boolean): AttrReply | Errno {
    return this.#inner.getattr(nodeId, caller, opened);
  }

  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    if (!this.#isInit(caller)) return this.#inner.setattr(nodeId, change, caller);
    const { size, mode, mtime } = change;
    const at = this.#nodePaths.nameOf(nodeId);
    const isAsked = at !== undefined && this.#echoes.mayTouch(at.parent, at.name);
    if (size === undefined && mode === undefined && !(isAsked && this.#echoes.mayDate(at.parent, at.name, mtime)))
      return this.#inner.setattr(nodeId, change, caller);
    if (!isAsked) return EPERM;
    return mode === undefined ? this.#echoes.followed(nodeId, change) : this.#inner.getattr(nodeId);
  }

  readlink(nodeId: NodeId): string | Errno {
    return this.#inner.readlink(nodeId);
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    if (this.#isInit(caller)) return this.#made(parent, name, S_IFLNK);
    return this.#inner.symlink(parent, name, target, caller);
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    if (this.#isInit(caller)) return this.#made(parent, name, node.mode & S_IFMT);
    return this.#inner.mknod(parent, name, node, caller);
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    if (this.#isInit(caller)) return this.#made(parent, name, S_IFDIR);
    return this.#inner.mkdir(parent, name, node, caller);
  }

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#isInit(caller) ? this.#echoes.remove(parent, name) : this.#inner.unlink(parent, name, caller);
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#isInit(caller) ? this.#echoes.remove(parent, name) : this.#inner.rmdir(parent, name, caller);
  }

  rename(request: RenameRequest, caller: Caller): Errno {
    return this.#isInit(caller) ? EPERM : this.#inner.rename(request, caller);
  }

  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    return this.#isInit(caller) ? EPERM : this.#inner.link(nodeId, parent, name, caller);
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    return this.#isInit(caller) ? EPERM : this.#inner.tmpfile(parent, node, caller);
  }

  open(nodeId: NodeId, flags: number, caller: Caller): Errno {
    if (!this.#isInit(caller)) return this.#inner.open(nodeId, flags, caller);
    return this.#mayTouch(nodeId) && !this.#inner.isClosed(nodeId) ? OK : EACCES;
  }

  read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number {
    return this.#inner.read(nodeId, offset, into, caller);
  }

  expectWrite(nodeId: NodeId, caller: Caller): Errno {
    return this.#isInit(caller) ? OK : this.#inner.expectWrite(nodeId, caller);
  }

  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    return this.#inner.write(nodeId, offset, data, caller);
  }

  fsync(nodeId: NodeId, dataOnly: boolean): Errno {
    return this.#inner.fsync(nodeId, dataOnly);
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno {
    return this.#inner.fallocate(nodeId, mode, range, caller);
  }

  copyFileRange(request: CopyRequest, caller: Caller): number {
    return this.#inner.copyFileRange(request, caller);
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean, caller?: Caller): Errno {
    return this.#inner.readdir(nodeId, cookie, sink, plus, caller);
  }

  statfs(): StatFs | Errno {
    return this.#inner.statfs();
  }

  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno {
    // Of whoever else is asked for it before a write: what comes then is theirs.
    return this.#isInit(caller) ? ENODATA : this.#inner.getxattr(nodeId, name, caller);
  }

  listxattr(nodeId: NodeId): Buffer | Errno {
    return this.#inner.listxattr(nodeId);
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno {
    return this.#isInit(caller) ? EPERM : this.#inner.setxattr(nodeId, name, value, flags, caller);
  }

  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno {
    return this.#isInit(caller) ? EPERM : this.#inner.removexattr(nodeId, name, caller);
  }

  #isInit(caller: Caller | undefined): boolean {
    return caller !== undefined && caller.pid !== 0 && caller.pid === this.#echoes.init;
  }

  #mayTouch(nodeId: NodeId): boolean {
    const at = this.#nodePaths.nameOf(nodeId);
    return at !== undefined && this.#echoes.mayTouch(at.parent, at.name);
  }

  /** What is there already is made, if it is of this type; or something that will be removed at once. */
  #made(parent: NodeId, name: Name, type: number): Entry | Errno {
    // Whoever watches a directory must not hear of more than it could list.
    if (this.#inner.isClosed(parent) || this.#inner.hides(parent, name, undefined)) return EACCES;
    const made = this.#echoes.make(parent, name);
    if (made !== 'born') return made;
    const entry = this.#inner.lookup(parent, name);
    if (typeof entry === 'number') return entry;
    if (!('stat' in entry)) return ENOENT;
    if ((entry.stat.mode & S_IFMT) === type) return entry;
    this.#inner.forget(entry.nodeId, 1);
    return EIO;
  }
}
