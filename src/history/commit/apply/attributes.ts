/** Setting attributes of one (directory descriptor, name), never through a symlink. */
import type { Time } from '../../../staging/inode.ts';
import type { Errno } from '../../../sys/errno.ts';
import { EACCES, EINVAL, ENODATA, EOPNOTSUPP, EPERM, ERANGE, OK } from '../../../sys/errno.ts';
import { limitsOf } from '../../../sys/host/file-systems.ts';
import * as libc from '../../../sys/libc.ts';
import type { Stat } from '../../../sys/stat.ts';
import { decodeStatx, isSymlink, STATX_SIZE } from '../../../sys/stat.ts';

export interface Xattr {
  readonly name: string;
  /** null = remove. */
  readonly value: Buffer | null;
  /** Comes from the file that is replaced: where the system refuses it, it is left out. */
  readonly carried: boolean;
}

/** What to set; a missing field is left alone. */
export interface FileAttributes {
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly atime?: Time | undefined;
  readonly mtime?: Time | undefined;
  readonly xattrs?: readonly Xattr[] | undefined;
}

export interface At {
  readonly dirfd: number;
  readonly name: string;
}

const SET_ID = 0o6000;
/** No value, no such kind of attribute here, a name that is too long, a name without an end. */
const ABSENT: ReadonlySet<Errno> = new Set([ENODATA, EOPNOTSUPP, ERANGE, EINVAL]);
/** Asks for the size of a value only. */
const NOTHING = Buffer.alloc(0);
const KEEP = 0xffffffff;
const statx = Buffer.alloc(STATX_SIZE);

/**
 * Applies attributes. An owner that only root may give is left out, and the set-id bits with it: they would say
 * "run as" somebody else than meant.
 */
export function applyAttributes(at: At, attributes: FileAttributes): Errno {
  return apply(at, attributes, chmodNoFollow);
}

/** As `applyAttributes`, for a file in a directory of ours, where nobody swaps it for a symlink. */
export function applyToOurs(at: At, attributes: FileAttributes): Errno {
  return apply(at, attributes, libc.chmodAt);
}

/** The attributes that make a file look like `stat`, but for extended ones. */
export function attributesOf(stat: Stat): FileAttributes {
  return {
    mode: stat.mode & 0o7777,
    uid: stat.uid,
    gid: stat.gid,
    atime: { sec: stat.atimeSec, nsec: stat.atimeNsec },
    mtime: { sec: stat.mtimeSec, nsec: stat.mtimeNsec },
  };
}

/** The part of `wanted` that a file with `stat` lacks; undefined when it lacks nothing. */
export function lacking(wanted: FileAttributes, stat: Stat): FileAttributes | undefined {
  const mode = wanted.mode === (stat.mode & 0o7777) ? undefined : wanted.mode;
  const uid = wanted.uid === stat.uid ? undefined : wanted.uid;
  const gid = wanted.gid === stat.gid ? undefined : wanted.gid;
  const sameTimes =
    isTime(wanted.mtime, stat.mtimeSec, stat.mtimeNsec) && isTime(wanted.atime, stat.atimeSec, stat.atimeNsec);
  const atime = sameTimes ? undefined : wanted.atime;
  const mtime = sameTimes ? undefined : wanted.mtime;
  const xattrs = wanted.xattrs?.length === 0 ? undefined : wanted.xattrs;
  const owner = uid !== undefined || gid !== undefined;
  if (!owner && mode === undefined && sameTimes && xattrs === undefined) return undefined;
  // chown(2) takes set-id bits away, so the mode is set again after it.
  return { mode: owner ? wanted.mode : mode, uid, gid, atime, mtime, xattrs };
}

type Chmod = (dirfd: number, name: string, mode: number) => number;

function apply(at: At, attributes: FileAttributes, chmod: Chmod): Errno {
  const { uid, gid, mode } = attributes;
  let keptBits = 0o7777;
  if (uid !== undefined || gid !== undefined) {
    // Before the mode: chown(2) clears set-id bits.
    const result = libc.chownAt(at.dirfd, at.name, uid ?? KEEP, gid ?? KEEP);
    if (result === -EPERM || result === -EINVAL) keptBits &= ~SET_ID;
    else if (result < 0) return -result as Errno;
  }
  for (const xattr of attributes.xattrs ?? []) {
    const errno = applyXattr(at, xattr, chmod);
    if (errno !== OK && keepsAttributes(at.dirfd)) return errno;
  }
  if (mode !== undefined) {
    // After the extended attributes: an ACL among them would set the group bits.
    const result = chmod(at.dirfd, at.name, mode & keptBits);
    if (result < 0 && keepsAttributes(at.dirfd)) return -result as Errno;
  }
  const errno = applyTimes(at, attributes);
  return errno === EPERM && !keepsAttributes(at.dirfd) ? OK : errno;
}

/** Whether the file system of a directory keeps modes, owners and extended attributes; asked where one was refused. */
export function keepsAttributes(dirfd: number): boolean {
  return limitsOf(`/proc/self/fd/${dirfd}`)?.attributes !== false;
}

/**
 * chmod(2) of `name` unless it is a symlink: through an O_PATH descriptor, because fchmodat(2) follows and
 * fchmodat2(2) is too new to rely on.
 */
export function chmodNoFollow(dirfd: number, name: string, mode: number): number {
  const fd = libc.openAt(dirfd, name, libc.O_PATH | libc.O_NOFOLLOW);
  if (fd < 0) return fd;
  const stated = libc.fstatxInto(fd, statx);
  const result =
    stated < 0 || isSymlink(decodeStatx(statx).mode)
      ? Math.min(stated, -EOPNOTSUPP)
      : libc.chmodAt(libc.AT_FDCWD, `/proc/self/fd/${fd}`, mode);
  libc.close(fd);
  return result;
}

function applyXattr(at: At, xattr: Xattr, chmod: Chmod): Errno {
  const { value, carried } = xattr;
  let result = changeXattr(at, xattr);
  if (result === -EACCES) result = changeReadOnly(at, xattr, chmod);
  if (result >= 0 || (value === null && isAbsent(at, xattr.name))) return OK;
  // NFS shows a mode as an attribute, which is refused its removal.
  if (value === null && result === -EINVAL) return OK;
  const isRefused = result === -EPERM || result === -EOPNOTSUPP;
  return carried && isRefused ? OK : (-result as Errno);
}

/** Whether the file does not have it, or cannot: then there is nothing to remove, whatever the removal was refused for. */
function isAbsent({ dirfd, name }: At, attribute: string): boolean {
  return ABSENT.has(-libc.getxattrAt(dirfd, name, attribute, NOTHING) as Errno);
}

function changeXattr({ dirfd, name: file }: At, { name, value }: Xattr): number {
  return value === null ? libc.removexattrAt(dirfd, file, name) : libc.setxattrAt(dirfd, file, name, value);
}

/** What its owner may not write to becomes writable for the moment. */
function changeReadOnly(at: At, xattr: Xattr, chmod: Chmod): number {
  if (libc.statxInto(at.dirfd, at.name, statx) < 0) return -EACCES;
  const mode = decodeStatx(statx).mode & 0o7777;
  if (mode & 0o200 || chmod(at.dirfd, at.name, mode | 0o200) < 0) return -EACCES;
  const result = changeXattr(at, xattr);
  const restored = chmod(at.dirfd, at.name, mode);
  return Math.min(result, restored);
}

function applyTimes(at: At, { atime, mtime }: FileAttributes): Errno {
  if (atime === undefined && mtime === undefined) return OK;
  const result = libc.utimesAt(at.dirfd, at.name, {
    atimeSec: atime?.sec ?? 0,
    atimeNsec: atime?.nsec ?? libc.UTIME_OMIT,
    mtimeSec: mtime?.sec ?? 0,
    mtimeNsec: mtime?.nsec ?? libc.UTIME_OMIT,
  });
  return result < 0 ? (-result as Errno) : OK;
}

function isTime(wanted: Time | undefined, sec: number, nsec: number): boolean {
  return wanted === undefined || (wanted.sec === sec && wanted.nsec === nsec);
}
