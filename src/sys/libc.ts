/**
 * The C library's calls on files; libc-process.ts, which is exported from here too, has the rest.
 *
 * Every call returns its result (>= 0) or a negative errno, and never throws. Path arguments are byte strings
 * (see bytes.ts). Calls take a directory descriptor and a name wherever Linux has such a form.
 */
import { ENOSYS, EPERM, type Errno } from './errno.ts';
import { bind, callAsync, path, pathB } from './kernel/ffi.ts';
import {
  AT_EACCESS,
  AT_EMPTY_PATH,
  AT_FDCWD,
  AT_SYMLINK_NOFOLLOW,
  O_CLOEXEC,
  STATX_WANTED,
  SYS,
} from './kernel/libc-constants.ts';

export * from './kernel/libc-constants.ts';
export * from './kernel/libc-process.ts';

const c = {
  openat: bind('int openat(int, const void*, int, int)'),
  close: bind('int close(int)'),
  read: bind('int64_t read(int, void*, size_t)'),
  write: bind('int64_t write(int, const void*, size_t)'),
  pread: bind('int64_t pread(int, void*, size_t, int64_t)'),
  pwrite: bind('int64_t pwrite(int, const void*, size_t, int64_t)'),
  statx: bind('int statx(int, const void*, int, unsigned int, void*)'),
  readlinkat: bind('int64_t readlinkat(int, const void*, void*, size_t)'),
  mkdirat: bind('int mkdirat(int, const void*, unsigned int)'),
  mknodat: bind('int mknodat(int, const void*, unsigned int, uint64_t)'),
  symlinkat: bind('int symlinkat(const void*, int, const void*)'),
  linkat: bind('int linkat(int, const void*, int, const void*, int)'),
  unlinkat: bind('int unlinkat(int, const void*, int)'),
  renameat2: bind('int renameat2(int, const void*, int, const void*, unsigned int)'),
  fchmod: bind('int fchmod(int, unsigned int)'),
  fchmodat: bind('int fchmodat(int, const void*, unsigned int, int)'),
  fchownat: bind('int fchownat(int, const void*, uint32_t, uint32_t, int)'),
  utimensat: bind('int utimensat(int, const void*, const void*, int)'),
  ftruncate: bind('int ftruncate(int, int64_t)'),
  fallocate: bind('int fallocate(int, int, int64_t, int64_t)'),
  lseek: bind('int64_t lseek(int, int64_t, int)'),
  copy_file_range: bind('int64_t copy_file_range(int, void*, int, void*, size_t, unsigned int)'),
  ioctl: bind('int ioctl(int, unsigned long, long)'),
  fsync: bind('int fsync(int)'),
  fdatasync: bind('int fdatasync(int)'),
  syncfs: bind('int syncfs(int)'),
  fstatfs: bind('int fstatfs(int, void*)'),
  lgetxattr: bind('int64_t lgetxattr(const void*, const void*, void*, size_t)'),
  lsetxattr: bind('int lsetxattr(const void*, const void*, const void*, size_t, int)'),
  llistxattr: bind('int64_t llistxattr(const void*, void*, size_t)'),
  listxattrat: bind('long syscall(long, int, const void*, unsigned int, void*, size_t)'),
  lremovexattr: bind('int lremovexattr(const void*, const void*)'),
  flock: bind('int flock(int, int)'),
  getdents64: bind('long syscall(long, int, void*, size_t)'),
  openat2: bind('long syscall(long, int, const void*, const void*, size_t)'),
  faccessat2: bind('long syscall(long, int, const void*, int, int)'),
  syncfsAsync: (fd: number): Promise<number> => callAsync('int syncfs(int)', fd),
};

/** What all functions below call: a test puts a fault in the place of one, and so sees every state that a crash can leave. */
export { c as boundCalls };

/** open(2) of `name` relative to `dirfd`; always close-on-exec. */
export function openAt(dirfd: number, name: string, flags: number, mode = 0): number {
  return c.openat(dirfd, path(name), flags | O_CLOEXEC, mode);
}

const openHow = Buffer.alloc(24);

/** openat2(2): as `openAt` with `RESOLVE_*` restrictions on every component. Kernel 5.6. */
export function openAt2(dirfd: number, name: string, flags: number, resolve: number, mode = 0): number {
  openHow.writeUInt32LE((flags | O_CLOEXEC) >>> 0, 0);
  openHow.writeUInt32LE(0, 4);
  openHow.writeUInt32LE(mode, 8);
  openHow.writeUInt32LE(resolve, 16);
  return c.openat2(SYS.openat2, dirfd, path(name), openHow, 24);
}

export function close(fd: number): number {
  return c.close(fd);
}

export function read(fd: number, into: Buffer, length = into.length): number {
  return c.read(fd, into, length);
}

export function write(fd: number, from: Uint8Array, length = from.length): number {
  return c.write(fd, from, length);
}

/** Reads up to `length` bytes at file offset `position` into the start of `into` (pass a subarray to place it). */
export function pread(fd: number, into: Uint8Array, length: number, position: number): number {
  return c.pread(fd, into, length, position);
}

export function pwrite(fd: number, from: Uint8Array, length: number, position: number): number {
  return c.pwrite(fd, from, length, position);
}

/** Fills `into` (256 bytes, see stat.ts for reading it) with statx(2) of `name`, not following a final symlink. */
export function statxInto(dirfd: number, name: string, into: Buffer, mask = STATX_WANTED): number {
  return c.statx(dirfd, path(name), AT_SYMLINK_NOFOLLOW, mask, into);
}

/** As `statxInto`, of an open descriptor (an `O_PATH` one too). */
export function fstatxInto(fd: number, into: Buffer, mask = STATX_WANTED): number {
  return c.statx(fd, path(''), AT_EMPTY_PATH, mask, into);
}

const linkBuffer = Buffer.alloc(4097);

/** The target of a symlink as bytes, or a negative errno. */
export function readlinkAt(dirfd: number, name: string): string | number {
  const n = c.readlinkat(dirfd, path(name), linkBuffer, linkBuffer.length);
  return n < 0 ? n : linkBuffer.toString('latin1', 0, n);
}

export function mkdirAt(dirfd: number, name: string, mode: number): number {
  return c.mkdirat(dirfd, path(name), mode);
}

export function mknodAt(dirfd: number, name: string, mode: number, rdev: number): number {
  return c.mknodat(dirfd, path(name), mode, rdev);
}

export function symlinkAt(target: string, dirfd: number, name: string): number {
  return c.symlinkat(path(target, pathB), dirfd, path(name));
}

/** linkat(2); `flags` may be AT_EMPTY_PATH (needs privileges) or 0: a symlink is linked, not followed. */
export function linkAt(fromFd: number, from: string, toFd: number, to: string, flags = 0): number {
  return c.linkat(fromFd, path(from), toFd, path(to, pathB), flags);
}

export const W_OK = 2;
export const X_OK = 1;

/** faccessat2(2) with the effective ids, of `name` itself; '' is `dirfd`. Kernel 5.8. */
export function accessAt(dirfd: number, name: string, mode: number): number {
  const flags = AT_EACCESS | AT_SYMLINK_NOFOLLOW | (name === '' ? AT_EMPTY_PATH : 0);
  return c.faccessat2(SYS.faccessat2, dirfd, path(name), mode, flags);
}

export function unlinkAt(dirfd: number, name: string, flags = 0): number {
  return c.unlinkat(dirfd, path(name), flags);
}

export function renameAt2(fromFd: number, from: string, toFd: number, to: string, flags = 0): number {
  return c.renameat2(fromFd, path(from), toFd, path(to, pathB), flags);
}

export function fchmod(fd: number, mode: number): number {
  return c.fchmod(fd, mode);
}

/** chmod of `name`, which must not be a symlink (fchmodat follows; callers know the type). */
export function chmodAt(dirfd: number, name: string, mode: number): number {
  return c.fchmodat(dirfd, path(name), mode, 0);
}

/** chown of `name` itself (never of a symlink's target); 0xffffffff leaves one of the two as it is. */
export function chownAt(dirfd: number, name: string, uid: number, gid: number): number {
  return c.fchownat(dirfd, path(name), uid, gid, AT_SYMLINK_NOFOLLOW);
}

export const UTIME_OMIT = 0x3ffffffe;

const timesBuffer = Buffer.alloc(32);

export interface FileTimes {
  readonly atimeSec: number;
  readonly atimeNsec: number;
  readonly mtimeSec: number;
  readonly mtimeNsec: number;
}

/** utimensat(2) of `name` itself, not of a symlink's target; nsec may be UTIME_OMIT. */
export function utimesAt(dirfd: number, name: string, times: FileTimes): number {
  writeI64(timesBuffer, times.atimeSec, 0);
  writeI64(timesBuffer, times.atimeNsec, 8);
  writeI64(timesBuffer, times.mtimeSec, 16);
  writeI64(timesBuffer, times.mtimeNsec, 24);
  return c.utimensat(dirfd, path(name), timesBuffer, AT_SYMLINK_NOFOLLOW);
}

/** A safe integer as an int64_t; as a BigInt it would be three objects on the heap. */
function writeI64(into: Buffer, value: number, at: number): void {
  into.writeUInt32LE(value >>> 0, at);
  into.writeInt32LE(Math.floor(value / 0x1_0000_0000), at + 4);
}

export function ftruncate(fd: number, size: number): number {
  return c.ftruncate(fd, size);
}

export function fallocate(fd: number, mode: number, offset: number, length: number): number {
  return c.fallocate(fd, mode, offset, length);
}

export const SEEK_SET = 0;
export const SEEK_END = 2;
export const SEEK_DATA = 3;
export const SEEK_HOLE = 4;

export function lseek(fd: number, offset: number, whence: number): number {
  return c.lseek(fd, offset, whence);
}

const rangeIn = Buffer.alloc(8);
const rangeOut = Buffer.alloc(8);

/** copy_file_range(2) with explicit offsets; returns the bytes copied, which may be fewer than asked. */
export function copyFileRange(
  from: { readonly fd: number; readonly offset: number },
  to: { readonly fd: number; readonly offset: number },
  length: number,
): number {
  writeI64(rangeIn, from.offset, 0);
  writeI64(rangeOut, to.offset, 0);
  return c.copy_file_range(from.fd, rangeIn, to.fd, rangeOut, length, 0);
}

const FICLONE = 0x40049409;

/** Makes `to` share all content of `from` (reflink); EOPNOTSUPP or EXDEV where the file system cannot. */
export function reflink(from: number, to: number): number {
  return c.ioctl(to, FICLONE, from);
}

export function fsync(fd: number): number {
  return c.fsync(fd);
}

export function fdatasync(fd: number): number {
  return c.fdatasync(fd);
}

export function syncfs(fd: number): number {
  return c.syncfs(fd);
}

/** syncfs(2) on a thread of the pool, for callers that must not block their own. */
export function syncfsAsync(fd: number): Promise<number> {
  return c.syncfsAsync(fd);
}

/** write(2) on a thread of the pool: a notification to the kernel may block until requests are answered. */
export function writeAsync(fd: number, from: Uint8Array): Promise<number> {
  return callAsync('int64_t write(int, const void*, size_t)', fd, from, from.length);
}

/** struct statfs (120 bytes on 64-bit) of the file system that holds `fd`. */
export function fstatfsInto(fd: number, into: Buffer): number {
  return c.fstatfs(fd, into);
}

// Extended attributes have no *at form: /proc/self/fd/N/name is one, and the l-calls do not follow `name` itself.
function procPath(dirfd: number, name: string): string {
  if (dirfd === AT_FDCWD) return name;
  return name === '' ? `/proc/self/fd/${dirfd}` : `/proc/self/fd/${dirfd}/${name}`;
}

export function getxattrAt(dirfd: number, name: string, attribute: string, into: Uint8Array): number {
  return c.lgetxattr(path(procPath(dirfd, name)), path(attribute, pathB), into, into.length);
}

export function setxattrAt(dirfd: number, name: string, attribute: string, value: Uint8Array, flags = 0): number {
  return c.lsetxattr(path(procPath(dirfd, name)), path(attribute, pathB), value, value.length, flags);
}

/**
 * NUL-separated names into `into`. Kernel 6.13 takes a name in a directory; before, and where a filter of a container does
 * not know the call (EPERM), it goes by way of /proc, which takes twice as long.
 */
export function listxattrAt(dirfd: number, name: string, into: Uint8Array): number {
  const flags = AT_SYMLINK_NOFOLLOW;
  const length = name === '' ? -ENOSYS : c.listxattrat(SYS.listxattrat, dirfd, path(name), flags, into, into.length);
  if (length !== -ENOSYS && length !== -EPERM) return length;
  return c.llistxattr(path(procPath(dirfd, name)), into, into.length);
}

export function removexattrAt(dirfd: number, name: string, attribute: string): number {
  return c.lremovexattr(path(procPath(dirfd, name)), path(attribute, pathB));
}

/** getdents64(2): raw directory records into `into`; 0 at the end. Offset is the descriptor's. */
export function getdents(fd: number, into: Buffer): number {
  return c.getdents64(SYS.getdents64, fd, into, into.length);
}

export function flock(fd: number, operation: number): number {
  return c.flock(fd, operation);
}

/** Whether a result of this module is an error, as an errno; undefined when it is a success. */
export function failed(result: number): Errno | undefined {
  return result < 0 ? (-result as Errno) : undefined;
}
