/**
 * The opcodes: one row each, and one handler that decodes, calls one FileSystem method and encodes.
 *
 * Files and directories have no handles: OPENDIR, CREATE, FLUSH and ACCESS are answered ENOSYS once, after which the
 * kernel does their work by itself (CREATE becomes MKNOD), and so is OPEN, except on a gated connection. LSEEK is refused too, because with the
 * writeback cache the kernel asks it before it has flushed: dirty data would be reported as a hole.
 */
import { EINVAL, ENOSYS, ENOTTY, type Errno, OK } from '../sys/errno.ts';
import { announcesWrite, dropSetId } from './before-write.ts';
import * as abi from './codec/abi.ts';
import type { AnnouncedFileSystem as FileSystem } from './codec/announced.ts';
import type { Reply } from './codec/reply.ts';
import type { Request } from './codec/request.ts';
import { LATER, type NewNode } from './filesystem.ts';

type Handler = (fs: FileSystem, request: Request, reply: Reply) => Errno;

export interface Operation {
  readonly name: string;
  /** Bytes the fixed part of the request has; a shorter one is refused before the handler runs. */
  readonly size: number;
  /** Whether the kernel expects no reply. */
  readonly silent: boolean;
  readonly handle: Handler;
}

function op(name: string, size: number, handle: Handler): Operation {
  return { name, size, silent: false, handle };
}

function silent(name: string, size: number, handle: Handler): Operation {
  return { name, size, silent: true, handle };
}

/** Bytes of the shortest name with its NUL. */
const NAME = 2;

const ok: Handler = () => OK;
const unsupported: Handler = () => ENOSYS;

/** What an opcode without a row gets. */
export const UNKNOWN: Operation = op('UNKNOWN', 0, unsupported);

/** Rows by opcode; INIT is the session's own. */
export const OPERATIONS: readonly (Operation | undefined)[] = table({
  [abi.LOOKUP]: op('LOOKUP', NAME, (fs, rq, rp) => rp.entry(fs.lookup(rq.nodeId, rq.lastName(0), rq.caller))),
  [abi.FORGET]: silent('FORGET', abi.FORGET_IN_SIZE, forget),
  [abi.GETATTR]: op('GETATTR', abi.GETATTR_IN_SIZE, (fs, rq, rp) =>
    rp.attr(fs.getattr(rq.nodeId, rq.caller, (rq.u32(0) & abi.FUSE_GETATTR_FH) !== 0)),
  ),
  [abi.SETATTR]: op('SETATTR', abi.SETATTR_IN_SIZE, setattr),
  [abi.READLINK]: op('READLINK', 0, (fs, rq, rp) => rp.text(fs.readlink(rq.nodeId))),
  [abi.SYMLINK]: op('SYMLINK', 2 * NAME, symlink),
  [abi.MKNOD]: op('MKNOD', abi.MKNOD_IN_SIZE + NAME, mknod),
  [abi.MKDIR]: op('MKDIR', abi.MKDIR_IN_SIZE + NAME, mkdir),
  [abi.UNLINK]: op('UNLINK', NAME, (fs, rq) => fs.unlink(rq.nodeId, rq.changedName(0), rq.caller)),
  [abi.RMDIR]: op('RMDIR', NAME, (fs, rq) => fs.rmdir(rq.nodeId, rq.changedName(0), rq.caller)),
  [abi.RENAME]: op('RENAME', abi.RENAME_IN_SIZE + 2 * NAME, (fs, rq) => rename(fs, rq, abi.RENAME_IN_SIZE, 0)),
  [abi.LINK]: op('LINK', abi.LINK_IN_SIZE + NAME, link),
  [abi.OPEN]: op('OPEN', abi.OPEN_IN_SIZE, open),
  [abi.READ]: op('READ', abi.READ_IN_SIZE, read),
  [abi.WRITE]: op('WRITE', abi.WRITE_IN_SIZE, write),
  [abi.STATFS]: op('STATFS', 0, (fs, _rq, rp) => rp.statfs(fs.statfs())),
  // Its handle is 0 and holds nothing.
  [abi.RELEASE]: op('RELEASE', 0, ok),
  [abi.FSYNC]: op('FSYNC', abi.FSYNC_IN_SIZE, fsync),
  [abi.SETXATTR]: op('SETXATTR', abi.SETXATTR_IN_SIZE + NAME, setxattr),
  [abi.GETXATTR]: op('GETXATTR', abi.GETXATTR_IN_SIZE + NAME, getxattr),
  [abi.LISTXATTR]: op('LISTXATTR', abi.GETXATTR_IN_SIZE, (fs, rq, rp) => rp.xattr(fs.listxattr(rq.nodeId), rq.u32(0))),
  [abi.REMOVEXATTR]: op('REMOVEXATTR', NAME, (fs, rq) => fs.removexattr(rq.nodeId, rq.lastString(0), rq.caller)),
  [abi.FLUSH]: op('FLUSH', 0, unsupported),
  [abi.INIT]: op('INIT', abi.INIT_IN_SIZE, () => EINVAL),
  [abi.OPENDIR]: op('OPENDIR', 0, unsupported),
  [abi.READDIR]: op('READDIR', abi.READ_IN_SIZE, (fs, rq, rp) => readdir(fs, rq, rp, false)),
  [abi.RELEASEDIR]: op('RELEASEDIR', 0, ok),
  [abi.FSYNCDIR]: op('FSYNCDIR', abi.FSYNC_IN_SIZE, fsync),
  [abi.GETLK]: op('GETLK', 0, unsupported),
  [abi.SETLK]: op('SETLK', 0, unsupported),
  [abi.SETLKW]: op('SETLKW', 0, unsupported),
  [abi.ACCESS]: op('ACCESS', 0, unsupported),
  [abi.CREATE]: op('CREATE', 0, unsupported),
  // What it is about, only the session knows.
  [abi.INTERRUPT]: silent('INTERRUPT', abi.INTERRUPT_IN_SIZE, ok),
  [abi.BMAP]: op('BMAP', 0, unsupported),
  [abi.DESTROY]: op('DESTROY', 0, ok),
  [abi.IOCTL]: op('IOCTL', 0, () => ENOTTY),
  [abi.POLL]: op('POLL', 0, unsupported),
  [abi.NOTIFY_REPLY]: silent('NOTIFY_REPLY', 0, ok),
  [abi.BATCH_FORGET]: silent('BATCH_FORGET', abi.BATCH_FORGET_IN_SIZE, batchForget),
  [abi.FALLOCATE]: op('FALLOCATE', abi.FALLOCATE_IN_SIZE, fallocate),
  [abi.READDIRPLUS]: op('READDIRPLUS', abi.READ_IN_SIZE, (fs, rq, rp) => readdir(fs, rq, rp, true)),
  [abi.RENAME2]: op('RENAME2', abi.RENAME2_IN_SIZE + 2 * NAME, rename2),
  [abi.LSEEK]: op('LSEEK', 0, unsupported),
  [abi.COPY_FILE_RANGE]: op('COPY_FILE_RANGE', abi.COPY_FILE_RANGE_IN_SIZE, (fs, rq, rp) => rp.written(copy(fs, rq))),
  [abi.SETUPMAPPING]: op('SETUPMAPPING', 0, unsupported),
  [abi.REMOVEMAPPING]: op('REMOVEMAPPING', 0, unsupported),
  [abi.SYNCFS]: op('SYNCFS', 0, (fs, rq) => fs.fsync(rq.nodeId, false)),
  [abi.TMPFILE]: op('TMPFILE', abi.CREATE_IN_SIZE, tmpfile),
  [abi.STATX]: op('STATX', abi.STATX_IN_SIZE, (fs, rq, rp) => rp.statx(fs.getattr(rq.nodeId))),
  [abi.COPY_FILE_RANGE_64]: op('COPY_FILE_RANGE_64', abi.COPY_FILE_RANGE_IN_SIZE, (fs, rq, rp) =>
    rp.copied(copy(fs, rq)),
  ),
});

// An array is indexed faster than an object, and its length bounds the opcodes.
function table(rows: Record<number, Operation>): (Operation | undefined)[] {
  const byOpcode: (Operation | undefined)[] = [];
  for (let opcode = 0; opcode <= abi.COPY_FILE_RANGE_64; opcode++) byOpcode.push(rows[opcode]);
  return byOpcode;
}

function forget(fs: FileSystem, rq: Request): Errno {
  giveBack(fs, rq, { id: rq.kernelNodeId, lookups: rq.u64(0) });
  return OK;
}

function giveBack(fs: FileSystem, rq: Request, { id, lookups }: { id: number; lookups: number }): void {
  fs.forget(rq.device.nodes.giveBack(id, lookups), lookups);
}

function batchForget(fs: FileSystem, rq: Request): Errno {
  const end = abi.BATCH_FORGET_IN_SIZE + rq.u32(0) * abi.FORGET_ONE_SIZE;
  if (end > rq.length) throw new RangeError('a BATCH_FORGET shorter than its own count');
  for (let at = abi.BATCH_FORGET_IN_SIZE; at < end; at += abi.FORGET_ONE_SIZE) {
    giveBack(fs, rq, { id: rq.u64(at), lookups: rq.u64(at + 8) });
  }
  return OK;
}

function setattr(fs: FileSystem, rq: Request, rp: Reply): Errno {
  return rp.attr(fs.setattr(rq.changed(rq.nodeId), rq.attrChange(), rq.caller));
}

function symlink(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const name = rq.renamed(rq.nodeId, rq.name(0));
  return rp.entry(fs.symlink(rq.nodeId, name, rq.lastString(name.length + 1), rq.caller));
}

function mknod(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const node: NewNode = {
    mode: rq.u32(abi.MKNOD_IN.MODE),
    rdev: rq.u32(abi.MKNOD_IN.RDEV),
    umask: rq.u32(abi.MKNOD_IN.UMASK),
  };
  return rp.entry(fs.mknod(rq.nodeId, rq.changedName(abi.MKNOD_IN_SIZE), node, rq.caller));
}

function mkdir(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const node: NewNode = { mode: rq.u32(abi.MKDIR_IN.MODE), rdev: 0, umask: rq.u32(abi.MKDIR_IN.UMASK) };
  return rp.entry(fs.mkdir(rq.nodeId, rq.changedName(abi.MKDIR_IN_SIZE), node, rq.caller));
}

function rename2(fs: FileSystem, rq: Request): Errno {
  return rename(fs, rq, abi.RENAME2_IN_SIZE, rq.u32(abi.RENAME_IN.FLAGS));
}

function rename(fs: FileSystem, rq: Request, namesAt: number, flags: number): Errno {
  const toParent = rq.node(abi.RENAME_IN.NEWDIR);
  const from = rq.renamed(rq.nodeId, rq.name(namesAt));
  const to = rq.renamed(toParent, rq.lastName(namesAt + from.length + 1));
  return fs.rename({ fromParent: rq.nodeId, from, toParent, to, flags }, rq.caller);
}

function link(fs: FileSystem, rq: Request, rp: Reply): Errno {
  return rp.entry(fs.link(rq.node(0), rq.nodeId, rq.changedName(abi.LINK_IN_SIZE), rq.caller));
}

/** The answer is remembered by the kernel for the whole connection if it is ENOSYS. */
function open(fs: FileSystem, rq: Request, rp: Reply): Errno {
  if (rq.device.openless) return ENOSYS;
  return rp.opened(fs.open(rq.nodeId, rq.u32(abi.OPEN_IN.FLAGS), rq.caller));
}

function tmpfile(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const node: NewNode = { mode: rq.u32(abi.CREATE_IN.MODE), rdev: 0, umask: rq.u32(abi.CREATE_IN.UMASK) };
  return rp.entryAndOpen(fs.tmpfile(rq.nodeId, node, rq.caller));
}

function read(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const into = rp.dataWindow(rq.u32(abi.READ_IN.SIZE));
  return rp.data(fs.read(rq.nodeId, rq.u64(abi.READ_IN.OFFSET), into, rq.caller));
}

function write(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const data = rq.writeData(rq.u32(abi.WRITE_IN.SIZE));
  const node = rq.changed(rq.nodeId);
  const dropsSetId = (rq.u32(abi.WRITE_IN.WRITE_FLAGS) & abi.FUSE_WRITE_KILL_SUIDGID) !== 0;
  const errno = dropsSetId ? dropSetId(fs, node, rq.caller) : OK;
  return errno === OK ? rp.written(fs.write(node, rq.u64(abi.WRITE_IN.OFFSET), data, rq.caller)) : errno;
}

function fsync(fs: FileSystem, rq: Request): Errno {
  return fs.fsync(rq.nodeId, (rq.u32(abi.FSYNC_IN.FSYNC_FLAGS) & abi.FUSE_FSYNC_FDATASYNC) !== 0);
}

function fallocate(fs: FileSystem, rq: Request): Errno {
  const range = { offset: rq.u64(abi.FALLOCATE_IN.OFFSET), length: rq.u64(abi.FALLOCATE_IN.LENGTH) };
  return fs.fallocate(rq.changed(rq.nodeId), rq.u32(abi.FALLOCATE_IN.MODE), range, rq.caller);
}

function copy(fs: FileSystem, rq: Request): number {
  const at = abi.COPY_FILE_RANGE_IN;
  const to = rq.changed(rq.node(at.NODEID_OUT));
  const range = { fromOffset: rq.u64(at.OFF_IN), toOffset: rq.u64(at.OFF_OUT), length: rq.u64(at.LEN) };
  return fs.copyFileRange({ from: rq.nodeId, to, ...range }, rq.caller);
}

function readdir(fs: FileSystem, rq: Request, rp: Reply, plus: boolean): Errno {
  const sink = rp.directory(rq.u32(abi.READ_IN.SIZE), plus);
  return rp.directoryEnd(fs.readdir(rq.nodeId, rq.u64(abi.READ_IN.OFFSET), sink, plus, rq.caller));
}

function setxattr(fs: FileSystem, rq: Request): Errno {
  const nameAt = rq.device.setxattrExt ? abi.SETXATTR_IN_EXT_SIZE : abi.SETXATTR_IN_SIZE;
  const name = rq.string(nameAt);
  const value = rq.bytes(nameAt + name.length + 1, rq.u32(abi.SETXATTR_IN.SIZE));
  return fs.setxattr(rq.nodeId, name, value, rq.u32(abi.SETXATTR_IN.FLAGS), rq.caller);
}

function getxattr(fs: FileSystem, rq: Request, rp: Reply): Errno {
  const name = rq.lastString(abi.GETXATTR_IN_SIZE);
  const size = rq.u32(0);
  if (announcesWrite(name, size) && fs.expectWrite(rq.nodeId, rq.caller) === LATER) return LATER;
  return rp.xattr(fs.getxattr(rq.nodeId, name, rq.caller), size);
}
