/**
 * The view as `yolofs mount` shows it to programs of the person's outside of it: the gate, but nobody is asked; nothing that the
 * kernel may remember; symlinks lead to where they lead in the view, never out of the mount. What is written is staged, as written
 * by nobody's run.
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
import type { Invalidation } from '../../staging/invalidation.ts';
import type { BytePath, Ino, Name, NodeId } from '../../sys/bytes.ts';
import { EROFS, type Errno, OK } from '../../sys/errno.ts';
import { S_IFDIR, S_IFMT } from '../../sys/stat.ts';
import { targetOutside } from './view-links.ts';

/** The view as it is mounted outside. */
export interface OutsideView {
  /** The gate of the rules. */
  readonly inner: FileSystem;
  /** Where on the host it is mounted. */
  readonly at: BytePath;
  readonly writes: boolean;
  /** Where a node is in the view, and what it is called there. */
  pathOf(node: NodeId): BytePath | undefined;
  nameOf(node: NodeId): Name | undefined;
  /** Runs what a program outside asks for. */
  outside<T>(work: () => T): T;
  /** What the view's own mounts know is not true any more. */
  changed(invalidations: readonly Invalidation[]): void;
}

/** The kernel's user without a name. */
const NOBODY = 65534;
const HEAD = 'HEAD' as Name;

export class MountedFileSystem implements FileSystem {
  readonly #inner: FileSystem;
  readonly #view: OutsideView;

  constructor(view: OutsideView) {
    this.#view = view;
    this.#inner = view.inner;
  }

  lookup(parent: NodeId, name: Name, caller?: Caller): Entry | NegativeEntry | Errno {
    const entry = passing(this.#look(() => this.#inner.lookup(parent, name, caller)));
    return typeof entry === 'number' || !('stat' in entry) ? entry : this.#owned(entry, entry.nodeId, name);
  }

  forget(nodeId: NodeId, lookups: number): void {
    this.#inner.forget(nodeId, lookups);
  }

  getattr(nodeId: NodeId, caller?: Caller, opened?: boolean): AttrReply | Errno {
    const attr = passingAttr(this.#look(() => this.#inner.getattr(nodeId, caller, opened)));
    return typeof attr === 'number' ? attr : this.#owned(attr, nodeId, this.#view.nameOf(nodeId));
  }

  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    return passingAttr(this.#change(() => this.#inner.setattr(nodeId, change, caller), content(nodeId)));
  }

  readlink(nodeId: NodeId): string | Errno {
    const { at, pathOf } = this.#view;
    return this.#look(() => {
      const target = this.#inner.readlink(nodeId);
      return typeof target === 'number' ? target : targetOutside({ fs: this.#inner, at }, pathOf(nodeId), target);
    });
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    return this.#make(parent, name, () => this.#inner.symlink(parent, name, target, caller));
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#make(parent, name, () => this.#inner.mknod(parent, name, node, caller));
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    return this.#make(parent, name, () => this.#inner.mkdir(parent, name, node, caller));
  }

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#change(() => this.#inner.unlink(parent, name, caller), names(parent, name));
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#change(() => this.#inner.rmdir(parent, name, caller), names(parent, name));
  }

  rename(request: RenameRequest, caller: Caller): Errno {
    const { fromParent, from, toParent, to } = request;
    const changed = [...names(fromParent, from), ...names(toParent, to)];
    return this.#change(() => this.#inner.rename(request, caller), changed);
  }

  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    return this.#make(parent, name, () => this.#inner.link(nodeId, parent, name, caller));
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    return passingEntry(this.#change(() => this.#inner.tmpfile(parent, node, caller), []));
  }

  open(nodeId: NodeId, flags: number, caller: Caller): Errno {
    return this.#look(() => this.#inner.open(nodeId, flags, caller));
  }

  read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number {
    return this.#look(() => this.#inner.read(nodeId, offset, into, caller));
  }

  expectWrite(nodeId: NodeId, caller: Caller): Errno {
    return this.#view.writes ? this.#look(() => this.#inner.expectWrite(nodeId, caller)) : OK;
  }

  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    return this.#changeBytes(nodeId, () => this.#inner.write(nodeId, offset, data, caller));
  }

  fsync(nodeId: NodeId, dataOnly: boolean): Errno {
    return this.#inner.fsync(nodeId, dataOnly);
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno {
    return this.#change(() => this.#inner.fallocate(nodeId, mode, range, caller), content(nodeId));
  }

  copyFileRange(request: CopyRequest, caller: Caller): number {
    return this.#changeBytes(request.to, () => this.#inner.copyFileRange(request, caller));
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean, caller?: Caller): Errno {
    return this.#look(() => this.#inner.readdir(nodeId, cookie, new PassingSink(sink), plus, caller));
  }

  statfs(): StatFs | Errno {
    return this.#inner.statfs();
  }

  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno {
    return this.#look(() => this.#inner.getxattr(nodeId, name, caller));
  }

  listxattr(nodeId: NodeId): Buffer | Errno {
    return this.#look(() => this.#inner.listxattr(nodeId));
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno {
    return this.#change(() => this.#inner.setxattr(nodeId, name, value, flags, caller), content(nodeId));
  }

  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno {
    return this.#change(() => this.#inner.removexattr(nodeId, name, caller), content(nodeId));
  }

  /**
   * What git takes for a repository belongs to nobody here: it does what the configuration of one says (`core.fsmonitor`), which an agent
   * may have written, and many a shell's prompt calls it in each directory. Of another's repository it does so only if it was told to.
   */
  #owned<T extends AttrReply>(attr: T, nodeId: NodeId, name: Name | undefined): T {
    const isRepository = name === '.git' || (isDirectory(attr) && this.#holdsHead(nodeId));
    return isRepository ? { ...attr, stat: { ...attr.stat, uid: NOBODY } } : attr;
  }

  #holdsHead(dir: NodeId): boolean {
    const head = this.#inner.lookup(dir, HEAD);
    if (typeof head === 'number' || !('stat' in head)) return false;
    this.#inner.forget(head.nodeId, 1);
    return true;
  }

  #look<T>(work: () => T): T {
    return this.#view.outside(work);
  }

  #make(parent: NodeId, name: Name, work: () => Entry | Errno): Entry | Errno {
    return passingEntry(this.#change(work, names(parent, name)));
  }

  /** What fails has perhaps changed nothing, but to forget too much is no harm. */
  #change<T>(work: () => T | Errno, changed: readonly Invalidation[]): T | Errno {
    if (!this.#view.writes) return EROFS;
    const result = this.#look(work);
    this.#view.changed(changed);
    return result;
  }

  #changeBytes(nodeId: NodeId, work: () => number): number {
    if (!this.#view.writes) return -EROFS;
    const count = this.#look(work);
    this.#view.changed(content(nodeId));
    return count;
  }
}

/** Entries that the kernel asks for again whenever it needs them. */
class PassingSink implements DirectorySink {
  readonly #sink: DirectorySink;

  constructor(sink: DirectorySink) {
    this.#sink = sink;
  }

  fits(name: Name): boolean {
    return this.#sink.fits(name);
  }

  add(name: Name, ino: Ino, typeBits: number, nextCookie: number, entry?: Entry): void {
    this.#sink.add(name, ino, typeBits, nextCookie, entry && passingPositive(entry));
  }
}

function isDirectory({ stat }: AttrReply): boolean {
  return (stat.mode & S_IFMT) === S_IFDIR;
}

function content(nodeId: NodeId): Invalidation[] {
  return [{ kind: 'inode', nodeId }];
}

function names(parent: NodeId, name: Name): Invalidation[] {
  return [
    { kind: 'entry', parent, name },
    { kind: 'inode', nodeId: parent },
  ];
}

function passing(entry: Entry | NegativeEntry | Errno): Entry | NegativeEntry | Errno {
  if (typeof entry === 'number') return entry;
  return 'stat' in entry ? passingPositive(entry) : { ...entry, entryValid: 0 };
}

function passingEntry(entry: Entry | Errno): Entry | Errno {
  return typeof entry === 'number' ? entry : passingPositive(entry);
}

function passingPositive(entry: Entry): Entry {
  return { ...entry, entryValid: 0, attrValid: 0 };
}

function passingAttr(attr: AttrReply | Errno): AttrReply | Errno {
  return typeof attr === 'number' ? attr : { ...attr, attrValid: 0 };
}
