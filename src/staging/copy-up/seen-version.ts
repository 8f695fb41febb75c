/**
 * Which version of a base file the kernel was told of. Under write-back it puts whole pages together from what it has of a file, and
 * believes its own size: what is written belongs to the version that it had when it got the node, and to no other.
 */
import type { Stat } from '../../sys/stat.ts';
import { small } from '../compact.ts';
import type { Fingerprint, Inode, Time } from '../inode.ts';

const NANOSECONDS = 1e9;

/** No file has it: whatever the base has differs from what was overridden. */
const NEVER = { sec: 0, nsec: 0 };

/** What `seenTime` needs of an mtime. */
type Mtime = Pick<Stat, 'mtimeSec' | 'mtimeNsec'>;

/** An mtime in 32 bits, so that no inode needs a number in memory of its own: others are told, unless they are n * 4.294967296 s away. */
export function seenTime({ mtimeSec, mtimeNsec }: Mtime): number {
  return hashTime(mtimeSec, mtimeNsec);
}

/** The same of a time that is set. */
export function timeSet({ sec, nsec }: Time): number {
  return hashTime(sec, nsec);
}

function hashTime(sec: number, nsec: number): number {
  return (Math.imul(sec, NANOSECONDS) + nsec) | 0;
}

type Seen = Mtime & Pick<Stat, 'size'> & Partial<Pick<Stat, 'ctimeSec' | 'ctimeNsec' | 'nlink'>>;

/** Notes what the kernel has been told, so that it shows later whether it changed. */
export function noteSeen(inode: Inode, stat: Seen): void {
  inode.seenSize = small(stat.size);
  inode.seenMtime = seenTime(stat);
  inode.seenCtime = hashTime(stat.ctimeSec ?? 0, stat.ctimeNsec ?? 0);
  inode.seenLinks = small(stat.nlink ?? 0);
  inode.stale = false;
}

/** Whether a file has the size and mtime that the kernel was told. */
export function isAsSeen(inode: Inode, stat: Mtime & Pick<Stat, 'size'>): boolean {
  return inode.seenSize === stat.size && inode.seenMtime === seenTime(stat);
}

/**
 * Whether it has the size and mtime of which the kernel was told. Not the number: a commit or undo that copies a directory to another file
 * system gives what is in it others.
 */
export function hasContentSeen(inode: Inode, stat: Stat): boolean {
  return inode.nodeId === 0 || isAsSeen(inode, stat);
}

/**
 * The same, and nobody has set the mtime back. A new ctime alone does not say so: a hard link that a backup makes changes it, without an
 * event where the file is. After an event, and with as many names as before, it does.
 */
export function isVersionSeen(inode: Inode, stat: Stat): boolean {
  if (!hasContentSeen(inode, stat)) return false;
  if (!inode.stale || inode.nodeId === 0 || inode.seenLinks !== stat.nlink) return true;
  return inode.seenCtime === hashTime(stat.ctimeSec, stat.ctimeNsec);
}

/** The fingerprint of a version that is gone: whatever the base has is a conflict. */
export function goneFingerprint(inode: Inode, now: Fingerprint | undefined): Fingerprint {
  const which = now ?? { dev: 0, ino: inode.ino, nlink: 1 };
  return { dev: which.dev, ino: which.ino, nlink: which.nlink, size: inode.seenSize, mtime: NEVER, ctime: NEVER };
}
