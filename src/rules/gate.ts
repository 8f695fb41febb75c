/**
 * A FileSystem that asks the rules before it delegates. What it does not mention is not judged: lookup (but of what is
 * hidden), stat, readlink, fsync, statfs.
 *
 *     open, exec                          read or write of the file
 *     create, mkdir, symlink, mknod,
 *     unlink, rmdir, both ends of rename  write of the name: its own rule, else its directory's
 *     what moves, the source of a link    read, and write where its new name would be laxer
 *     setattr, setxattr                   write of the file
 *     read, write, ftruncate, fallocate,
 *     copy_file_range                     by descriptor: only what is denied or hidden since is refused
 *     getdents                            of what is denied: EACCES; what is hidden is left out
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
  Ticket,
} from '../fuse/filesystem.ts';
import { SESSION_DIR } from '../history/layout.ts';
import type { NodePaths } from '../staging/names/node-paths.ts';
import { join, type Name, type NodeId } from '../sys/bytes.ts';
import { EACCES, ENOENT, type Errno, OK } from '../sys/errno.ts';
import { O_ACCMODE, O_RDONLY, RENAME_EXCHANGE } from '../sys/libc.ts';
import type { Stat } from '../sys/stat.ts';
import type { GatedOp } from './asker.ts';
import { WithoutHidden } from './hidden.ts';
import type { Judge } from './judge.ts';
import type { NodeStates } from './node-states.ts';
import { answerOf, isClosed } from './states.ts';

const KERNEL: Caller = { uid: 0, gid: 0, pid: 0, ticket: 0 as Ticket };
const READING = { access: 'read', op: 'read', caller: KERNEL } as const;
const LISTING = { access: 'read', op: 'list', caller: KERNEL } as const;

export class RuleFileSystem implements FileSystem {
  readonly #inner: FileSystem;
  readonly #judge: Judge;
  readonly #states: NodeStates;
  readonly #nodePaths: NodePaths;

  constructor(inner: FileSystem, judge: Judge, nodePaths: NodePaths) {
    this.#inner = inner;
    this.#judge = judge;
    this.#states = judge.states;
    this.#nodePaths = nodePaths;
  }

  lookup(parent: NodeId, name: Name, caller?: Caller): Entry | NegativeEntry | Errno {
    if (name === SESSION_DIR) return ENOENT;
    const isHidden = this.#states.hidesName(parent, name);
    const entry = this.#inner.lookup(parent, name, isHidden ? undefined : caller);
    if (typeof entry === 'number' || !isPositive(entry)) return isHidden ? ENOENT : entry;
    // What it stands for may have other names.
    if (!this.#turnsOutHidden(parent, name, entry) && !isHidden) return entry;
    this.forget(entry.nodeId, 1);
    return ENOENT;
  }

  forget(nodeId: NodeId, lookups: number): void {
    this.#inner.forget(nodeId, lookups);
  }

  getattr(nodeId: NodeId, caller?: Caller, opened?: boolean): AttrReply | Errno {
    return this.#isHidden(nodeId) ? ENOENT : this.#inner.getattr(nodeId, caller, opened);
  }

  setattr(nodeId: NodeId, change: AttrChange, caller: Caller): AttrReply | Errno {
    return this.#maySetattr(nodeId, change, caller) || this.#inner.setattr(nodeId, change, caller);
  }

  readlink(nodeId: NodeId): string | Errno {
    return this.#isHidden(nodeId) ? ENOENT : this.#inner.readlink(nodeId);
  }

  symlink(parent: NodeId, name: Name, target: string, caller: Caller): Entry | Errno {
    const refused = this.#mayChange(parent, name, 'symlink', caller);
    return refused || this.#made(parent, name, this.#inner.symlink(parent, name, target, caller));
  }

  mknod(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    const refused = this.#mayChange(parent, name, 'create', caller);
    return refused || this.#made(parent, name, this.#inner.mknod(parent, name, node, caller));
  }

  mkdir(parent: NodeId, name: Name, node: NewNode, caller: Caller): Entry | Errno {
    const refused = this.#mayChange(parent, name, 'mkdir', caller);
    return refused || this.#made(parent, name, this.#inner.mkdir(parent, name, node, caller));
  }

  unlink(parent: NodeId, name: Name, caller: Caller): Errno {
    const refused = this.#mayChange(parent, name, 'unlink', caller);
    if (refused !== OK) return refused;
    const known = this.#nodePaths.childOf(parent, name);
    const errno = this.#inner.unlink(parent, name, caller);
    if (errno === OK && known !== undefined) this.#states.lostName(known.nodeId);
    return errno;
  }

  rmdir(parent: NodeId, name: Name, caller: Caller): Errno {
    return this.#mayChange(parent, name, 'rmdir', caller) || this.#inner.rmdir(parent, name, caller);
  }

  rename(request: RenameRequest, caller: Caller): Errno {
    const { fromParent, from, toParent, to, flags } = request;
    const back = { ...request, fromParent: toParent, from: to, toParent: fromParent, to: from };
    const refused =
      this.#mayChange(fromParent, from, 'rename', caller) ||
      this.#mayChange(toParent, to, 'rename', caller) ||
      this.#mayMove(request, caller) ||
      (flags & RENAME_EXCHANGE ? this.#mayMove(back, caller) : OK);
    if (refused !== OK) return refused;
    const moved = [this.#nodePaths.childOf(fromParent, from), this.#nodePaths.childOf(toParent, to)];
    const errno = this.#inner.rename(request, caller);
    if (errno !== OK) return errno;
    if (moved.some((node) => node?.isDirectory)) this.#states.moved();
    const [here, there] = moved;
    if (here !== undefined) this.#states.named(toParent, to, here.nodeId);
    if (there !== undefined) this.#states.named(fromParent, from, there.nodeId);
    return OK;
  }

  link(nodeId: NodeId, parent: NodeId, name: Name, caller: Caller): Entry | Errno {
    const act = { access: 'write', op: 'link', caller } as const;
    const refused = this.#mayChange(parent, name, 'link', caller) || this.#judge.link(nodeId, { parent, name }, act);
    if (refused !== OK) return refused;
    this.#states.named(parent, name, nodeId);
    return this.#inner.link(nodeId, parent, name, caller);
  }

  tmpfile(parent: NodeId, node: NewNode, caller: Caller): Entry | Errno {
    const act = { access: 'write', op: 'create', caller } as const;
    return this.#judge.node(parent, act) || this.#inner.tmpfile(parent, node, caller);
  }

  open(nodeId: NodeId, flags: number, caller: Caller): Errno {
    const access = (flags & O_ACCMODE) === O_RDONLY ? 'read' : 'write';
    return this.#judge.node(nodeId, { access, op: 'open', caller }) || this.#inner.open(nodeId, flags, caller);
  }

  read(nodeId: NodeId, offset: number, into: Buffer, caller?: Caller): number {
    const refused = this.#judge.opened(nodeId, READING);
    return refused === OK ? this.#inner.read(nodeId, offset, into, caller) : -refused;
  }

  /** Who would have to be asked, or is refused, is not yet about to write. */
  expectWrite(nodeId: NodeId, caller: Caller): Errno {
    return answerOf(this.#states.stateOf(nodeId), 'write') === 'pass' ? this.#inner.expectWrite(nodeId, caller) : OK;
  }

  write(nodeId: NodeId, offset: number, data: Buffer, caller: Caller): number {
    const refused = this.#judge.opened(nodeId, { access: 'write', op: 'write', caller });
    return refused === OK ? this.#inner.write(nodeId, offset, data, caller) : -refused;
  }

  fsync(nodeId: NodeId, dataOnly: boolean): Errno {
    return this.#inner.fsync(nodeId, dataOnly);
  }

  fallocate(nodeId: NodeId, mode: number, range: { offset: number; length: number }, caller: Caller): Errno {
    const refused = this.#judge.opened(nodeId, { access: 'write', op: 'write', caller });
    return refused || this.#inner.fallocate(nodeId, mode, range, caller);
  }

  copyFileRange(request: CopyRequest, caller: Caller): number {
    const refused =
      this.#judge.opened(request.from, { access: 'read', op: 'read', caller }) ||
      this.#judge.opened(request.to, { access: 'write', op: 'write', caller });
    return refused === OK ? this.#inner.copyFileRange(request, caller) : -refused;
  }

  readdir(nodeId: NodeId, cookie: number, sink: DirectorySink, plus: boolean, caller?: Caller): Errno {
    const refused = this.#judge.opened(nodeId, LISTING);
    if (refused !== OK) return refused;
    return this.#inner.readdir(nodeId, cookie, new WithoutHidden(sink, nodeId, this), plus, caller);
  }

  statfs(): StatFs | Errno {
    return this.#inner.statfs();
  }

  getxattr(nodeId: NodeId, name: string, caller: Caller): Buffer | Errno {
    const isRefused = name.startsWith('user.') && this.isClosed(nodeId);
    return isRefused ? EACCES : this.#inner.getxattr(nodeId, name, caller);
  }

  listxattr(nodeId: NodeId): Buffer | Errno {
    return this.#isHidden(nodeId) ? ENOENT : this.#inner.listxattr(nodeId);
  }

  setxattr(nodeId: NodeId, name: string, value: Buffer, flags: number, caller: Caller): Errno {
    const refused = this.#judge.node(nodeId, { access: 'write', op: 'attributes', caller });
    return refused || this.#inner.setxattr(nodeId, name, value, flags, caller);
  }

  removexattr(nodeId: NodeId, name: string, caller: Caller): Errno {
    const refused = this.#judge.node(nodeId, { access: 'write', op: 'attributes', caller });
    return refused || this.#inner.removexattr(nodeId, name, caller);
  }

  /** Whether `name` in `parent` is hidden, and what it stands for. */
  hides(parent: NodeId, name: Name, entry: Entry | undefined): boolean {
    if (name === SESSION_DIR || (entry !== undefined && this.#turnsOutHidden(parent, name, entry))) return true;
    return this.#states.hidesName(parent, name);
  }

  /** What is denied is about to be shown. */
  showDenied(_stat: Stat): void {}

  #turnsOutHidden(parent: NodeId, name: Name, entry: Entry): boolean {
    const state = this.#states.saw(parent, name, entry);
    if (state === 'deny') this.showDenied(entry.stat);
    if (isClosed(state)) this.#judge.sawClosed(parent, name, entry.stat);
    return state === 'hidden';
  }

  #isHidden(nodeId: NodeId): boolean {
    return this.#judge.rules.hides && this.#states.stateOf(nodeId) === 'hidden';
  }

  /** Whether a file or directory is denied or hidden. */
  isClosed(nodeId: NodeId): boolean {
    return isClosed(this.#states.stateOf(nodeId));
  }

  #made(parent: NodeId, name: Name, made: Entry | Errno): Entry | Errno {
    if (typeof made !== 'number') this.#judge.made(parent, name, made.nodeId);
    return made;
  }

  #mayChange(parent: NodeId, name: Name, op: GatedOp, caller: Caller): Errno {
    return this.#judge.name(parent, name, { access: 'write', op, caller });
  }

  /**
   * By a descriptor, as its own file may: so are the times that the kernel sends for what was written, of which it may
   * have closed the descriptor long ago.
   */
  #maySetattr(nodeId: NodeId, change: AttrChange, caller: Caller): Errno {
    const isAftermath = change.opened === true || asksNothing(change);
    if (isAftermath) return this.#judge.opened(nodeId, { access: 'write', op: 'write', caller });
    const op = change.size === undefined ? 'attributes' : 'truncate';
    return this.#judge.node(nodeId, { access: 'write', op, caller });
  }

  /** What moves may have a rule of its own, and so may what is below it. */
  #mayMove({ fromParent, from, toParent, to }: RenameRequest, caller: Caller): Errno {
    const node = this.#nodePaths.childOf(fromParent, from);
    if (node === undefined) return OK;
    const act = { access: 'write', op: 'rename', caller } as const;
    const refused = this.#judge.move(node.nodeId, { parent: fromParent, name: from }, act);
    if (refused !== OK || !node.isDirectory) return refused;
    const [dir, toDir] = [this.#nodePaths.pathOf(fromParent), this.#nodePaths.pathOf(toParent)];
    if (dir === undefined || toDir === undefined) return ENOENT;
    return this.#judge.rules.mayMove(join(dir, from), join(toDir, to)) ? OK : EACCES;
  }
}

function isPositive(entry: Entry | NegativeEntry): entry is Entry {
  return (entry.nodeId as number) !== 0;
}

/** Whether a change is no more than what the kernel sends by itself after a write or a change of names. */
function asksNothing({ mode, uid, gid, size, atime }: AttrChange): boolean {
  if (mode !== undefined || uid !== undefined || gid !== undefined) return false;
  return size === undefined && atime === undefined;
}
