/**
 * The tree underneath the view. Staging declares the interface; the host's directories implement it
 * (host-tree.ts), later virtual sources will too. Read-only: nothing here can change the base.
 */
import type { BytePath, Name } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import type { Stat } from '../sys/stat.ts';

/** Inode numbers below are a file system's own; the view puts the device above them where it must (`numberOf`). */
export const OWN_NUMBERS = 2 ** 40;

/** The file system's own number in one that the view reports. */
export function ownNumber(ino: number): number {
  return ino % OWN_NUMBERS;
}

export interface BaseEntry {
  readonly name: Name;
  /** Inode number as the view reports it. */
  readonly ino: number;
  /** S_IFMT bits; 0 when the base does not say. */
  readonly type: number;
}

export interface BaseTree {
  /**
   * The inode number that the view reports for a file that has this device and number in the base: numbers of different
   * host file systems overlap, while the view is one file system (new inodes of the view start at 2^48).
   */
  numberOf(dev: number, ino: number): number;
  /** Attributes of one name, not following a symlink; `ino` is the number the view reports. */
  stat(dir: BytePath, name: Name): Stat | Errno;
  statPath(path: BytePath): Stat | Errno;
  /** A read-only descriptor the caller closes, or a negative errno; EAGAIN: the content is not here yet. Regular files only. */
  openRead(path: BytePath): number;
  /** As `stat`, of what a descriptor leads to. */
  statOpen(fd: number): Stat | Errno;
  /** A symlink's target. */
  readlink(path: BytePath): string | Errno;
  /** All entries of a directory without "." and "..", in an order that stays while the directory is unchanged. */
  list(dir: BytePath): BaseEntry[] | Errno;
  getxattr(path: BytePath, attribute: string): Buffer | Errno;
  /** NUL-terminated names. */
  listxattr(path: BytePath): Buffer | Errno;
  /** Whether the view must not know this name at all. */
  hides(dir: BytePath, name: Name): boolean;
  /**
   * Asks to be told about outside changes in a directory. False: cannot be watched, so nothing about it may be
   * remembered for long.
   */
  watch(dir: BytePath): boolean;
  /** Whether that was asked before, and holds. */
  isWatched(dir: BytePath): boolean;
  /** Takes note of what has changed so far, of which nobody may have been told yet. */
  catchUp(): void;
  /** Whom to ask when this tree needs a descriptor and the process has none left. */
  onStarved(relieve: () => void): void;
  /** Gives up descriptors that are only kept for speed (the process ran out of them). */
  shed(): void;
}
