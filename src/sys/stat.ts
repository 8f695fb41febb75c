/** struct statx (linux/stat.h) in a reused buffer, read field by field so that the hot path allocates nothing. */

export const STATX_SIZE = 256;

export const S_IFMT = 0o170000;
export const S_IFSOCK = 0o140000;
export const S_IFLNK = 0o120000;
export const S_IFREG = 0o100000;
export const S_IFBLK = 0o060000;
export const S_IFDIR = 0o040000;
export const S_IFCHR = 0o020000;
export const S_IFIFO = 0o010000;
export const S_ISUID = 0o4000;
export const S_ISGID = 0o2000;

/** Attributes as stat(2) reports them. Times are seconds and nanoseconds; `rdev` is in the kernel's 32-bit "new" encoding. */
export interface Stat {
  mode: number;
  nlink: number;
  uid: number;
  gid: number;
  ino: number;
  size: number;
  blocks: number;
  blksize: number;
  dev: number;
  rdev: number;
  atimeSec: number;
  atimeNsec: number;
  mtimeSec: number;
  mtimeNsec: number;
  ctimeSec: number;
  ctimeNsec: number;
  btimeSec: number;
  btimeNsec: number;
}

function u64(b: Buffer, at: number): number {
  return b.readUInt32LE(at) + b.readUInt32LE(at + 4) * 0x1_0000_0000;
}

function i64(b: Buffer, at: number): number {
  return b.readUInt32LE(at) + b.readInt32LE(at + 4) * 0x1_0000_0000;
}

/** Device number from major and minor in the encoding of new_encode_dev() (linux/kdev_t.h), which FUSE uses too. */
function encodeDev(major: number, minor: number): number {
  return ((minor & 0xff) | (major << 8) | ((minor & ~0xff) << 12)) >>> 0;
}

/** Decodes a buffer filled by `statxInto`. */
export function decodeStatx(b: Buffer): Stat {
  return {
    mode: b.readUInt16LE(28),
    nlink: b.readUInt32LE(16),
    uid: b.readUInt32LE(20),
    gid: b.readUInt32LE(24),
    ino: u64(b, 32),
    size: u64(b, 40),
    blocks: u64(b, 48),
    blksize: b.readUInt32LE(4),
    dev: encodeDev(b.readUInt32LE(136), b.readUInt32LE(140)),
    rdev: encodeDev(b.readUInt32LE(128), b.readUInt32LE(132)),
    atimeSec: i64(b, 64),
    atimeNsec: b.readUInt32LE(72),
    btimeSec: i64(b, 80),
    btimeNsec: b.readUInt32LE(88),
    ctimeSec: i64(b, 96),
    ctimeNsec: b.readUInt32LE(104),
    mtimeSec: i64(b, 112),
    mtimeNsec: b.readUInt32LE(120),
  };
}

export function isDirectory(mode: number): boolean {
  return (mode & S_IFMT) === S_IFDIR;
}

export function isRegular(mode: number): boolean {
  return (mode & S_IFMT) === S_IFREG;
}

export function isSymlink(mode: number): boolean {
  return (mode & S_IFMT) === S_IFLNK;
}
