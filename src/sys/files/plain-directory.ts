/** Directories that are opened before they are believed: never through a symbolic link, and asked who owns them once they are open. */
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { attempt, makeTree } from './files.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** What is at a path, or in a descriptor. Numbers as text: inode numbers have 64 bits. */
export interface Found {
  readonly kind: 'directory' | 'symlink' | 'other';
  readonly device: string;
  readonly inode: string;
  readonly owner: number;
  /** Permission bits. */
  readonly mode: number;
}

/** What is at `path`, not following a link; undefined when nothing is. Throws a SystemError. */
export function inspect(path: string): Found | undefined {
  const stats = attempt(`cannot look at ${path}`, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  return stats && foundOf(stats);
}

/**
 * Opens the directory at `path`, itself no link, for `work`, which gets what it is and a path below which the open one is meant whatever
 * becomes of its name. Throws a SystemError.
 */
export function withPlainDirectory<T>(path: string, work: (at: string, found: Found) => T): T {
  const fd = attempt(`cannot open ${path}`, () => openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  try {
    return work(`/proc/self/fd/${fd}`, foundOf(fstatSync(fd, { bigint: true })));
  } finally {
    closeSync(fd);
  }
}

/** Makes a directory for this user alone, with those above that are missing. Throws a SystemError. */
export function makePrivateDirectories(path: string): void {
  attempt(`cannot make ${path}`, () => makeTree(path, 0o700));
}

/** Makes a directory for this user alone that must not exist yet. Throws a SystemError. */
export function makePrivateDirectory(path: string): void {
  attempt(`cannot make ${path}`, () => mkdirSync(path, { mode: 0o700 }));
}

/** Closes a directory of this user's to others. Throws a SystemError. */
export function closeToOthers(path: string): void {
  attempt(`cannot change the mode of ${path}`, () => chmodSync(path, 0o700));
}

/** Gives a directory another name; false when something that is no empty directory has it. Throws a SystemError. */
export function renameDirectory(from: string, to: string): boolean {
  return attempt(`cannot make ${to}`, () => {
    try {
      renameSync(from, to);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false;
      throw error;
    }
  });
}

function foundOf({ mode, dev, ino, uid }: BigIntStats): Found {
  const type = Number(mode) & constants.S_IFMT;
  const kind = type === constants.S_IFDIR ? 'directory' : type === constants.S_IFLNK ? 'symlink' : 'other';
  return { kind, device: String(dev), inode: String(ino), owner: Number(uid), mode: Number(mode) & 0o7777 };
}
