/** Encoding of attributes and entries: struct fuse_attr, fuse_entry_out and fuse_statx at any offset of a reply. */
import { STATX_BASIC_STATS, STATX_BTIME } from '../../sys/libc.ts';
import type { Stat } from '../../sys/stat.ts';
import type { Entry } from '../filesystem.ts';
import { ATTR, ENTRY_OUT, STATX_STAT } from './abi.ts';

const TWO_32 = 0x1_0000_0000;

/** A 64-bit number, signed or not: storing a double wraps it modulo 2^32, so each half comes out right. */
export function putU64(view: DataView, at: number, value: number): void {
  view.setUint32(at, value, true);
  view.setUint32(at + 4, Math.floor(value / TWO_32), true);
}

// A hundred years; the kernel counts in jiffies and clamps too, but infinity has no bits to send.
const FOREVER = 3_155_760_000;

/** A period in seconds (Infinity is fine) as a 64-bit count of seconds and a 32-bit count of nanoseconds. */
export function putSeconds(view: DataView, secondsAt: number, nsecAt: number, period: number): void {
  const whole = Math.floor(Math.min(period, FOREVER));
  putU64(view, secondsAt, whole);
  view.setUint32(nsecAt, whole === period || whole === FOREVER ? 0 : Math.floor((period - whole) * 1e9), true);
}

export function putAttr(view: DataView, at: number, stat: Stat): void {
  putU64(view, at + ATTR.INO, stat.ino);
  putU64(view, at + ATTR.SIZE, stat.size);
  putU64(view, at + ATTR.BLOCKS, stat.blocks);
  putU64(view, at + ATTR.ATIME, stat.atimeSec);
  putU64(view, at + ATTR.MTIME, stat.mtimeSec);
  putU64(view, at + ATTR.CTIME, stat.ctimeSec);
  view.setUint32(at + ATTR.ATIMENSEC, stat.atimeNsec, true);
  view.setUint32(at + ATTR.MTIMENSEC, stat.mtimeNsec, true);
  view.setUint32(at + ATTR.CTIMENSEC, stat.ctimeNsec, true);
  view.setUint32(at + ATTR.MODE, stat.mode, true);
  view.setUint32(at + ATTR.NLINK, stat.nlink, true);
  view.setUint32(at + ATTR.UID, stat.uid, true);
  view.setUint32(at + ATTR.GID, stat.gid, true);
  view.setUint32(at + ATTR.RDEV, stat.rdev, true);
  view.setUint32(at + ATTR.BLKSIZE, stat.blksize, true);
  view.setUint32(at + ATTR.FLAGS, 0, true);
}

export function putEntry(view: DataView, at: number, entry: Entry): void {
  putU64(view, at + ENTRY_OUT.NODEID, entry.nodeId);
  putU64(view, at + ENTRY_OUT.GENERATION, entry.inodeGeneration);
  putSeconds(view, at + ENTRY_OUT.ENTRY_VALID, at + ENTRY_OUT.ENTRY_VALID_NSEC, entry.entryValid);
  putSeconds(view, at + ENTRY_OUT.ATTR_VALID, at + ENTRY_OUT.ATTR_VALID_NSEC, entry.attrValid);
  putAttr(view, at + ENTRY_OUT.ATTR, entry.stat);
}

/** struct statx; the caller has zeroed the 256 bytes. A birth time of 0 is reported as unknown. */
export function putStatx(view: DataView, at: number, stat: Stat): void {
  const mask = STATX_BASIC_STATS | (stat.btimeSec === 0 ? 0 : STATX_BTIME);
  view.setUint32(at + STATX_STAT.MASK, mask, true);
  view.setUint32(at + STATX_STAT.BLKSIZE, stat.blksize, true);
  view.setUint32(at + STATX_STAT.NLINK, stat.nlink, true);
  view.setUint32(at + STATX_STAT.UID, stat.uid, true);
  view.setUint32(at + STATX_STAT.GID, stat.gid, true);
  view.setUint16(at + STATX_STAT.MODE, stat.mode, true);
  putU64(view, at + STATX_STAT.INO, stat.ino);
  putU64(view, at + STATX_STAT.SIZE, stat.size);
  putU64(view, at + STATX_STAT.BLOCKS, stat.blocks);
  putTime(view, at + STATX_STAT.ATIME, stat.atimeSec, stat.atimeNsec);
  putTime(view, at + STATX_STAT.BTIME, stat.btimeSec, stat.btimeNsec);
  putTime(view, at + STATX_STAT.CTIME, stat.ctimeSec, stat.ctimeNsec);
  putTime(view, at + STATX_STAT.MTIME, stat.mtimeSec, stat.mtimeNsec);
  // The inverse of encodeDev() in sys/stat.ts.
  view.setUint32(at + STATX_STAT.RDEV_MAJOR, (stat.rdev >>> 8) & 0xfff, true);
  view.setUint32(at + STATX_STAT.RDEV_MINOR, (stat.rdev & 0xff) | ((stat.rdev >>> 12) & 0xfff00), true);
}

function putTime(view: DataView, at: number, sec: number, nsec: number): void {
  putU64(view, at, sec);
  view.setUint32(at + 8, nsec, true);
}
