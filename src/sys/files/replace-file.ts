/** Small files of other programs, changed with care: what is not ours to decide (mode, owner, what a symlink means) stays. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { EINVAL, SystemError } from '../errno.ts';
import { attempt } from './files.ts';
import { lookAt } from './text-files.ts';

/** A file as it was when it was read. */
export interface Seen {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

/** Reads the regular file at `path`, which is no symlink. Throws a SystemError when it cannot be read. */
export function readSeen(path: string): Seen {
  return attempt(`cannot read ${path}`, () => {
    // Not waiting for a writer, should it turn into a pipe.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw new SystemError(`cannot read ${path}`, EINVAL);
      return { bytes: readFileSync(fd), stats };
    } finally {
      closeSync(fd);
    }
  });
}

/**
 * Gives the file at `path` (no symlink) new content in one step, mode and owner kept; creates it, with this mode, when `seen` is
 * a number.
 * False, and nothing changed, when it is no longer as it was seen. Throws a SystemError when it cannot be written, or its
 * owner not kept.
 */
export function replaceSeen(path: string, bytes: Buffer, seen: Seen | number): boolean {
  const fresh = `${path}.yolofs-${process.pid}`;
  return attempt(`cannot write ${path}`, () => {
    const fd = openSync(fresh, 'wx', 0o600);
    try {
      try {
        writeFileSync(fd, bytes);
        if (typeof seen === 'number') fchmodSync(fd, seen);
        else keep(fd, seen.stats);
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      if (!isAsSeen(path, typeof seen === 'number' ? undefined : seen)) return false;
      renameSync(fresh, path);
      return true;
    } finally {
      rmSync(fresh, { force: true });
    }
  });
}

/** Removes the file; false, and nothing changed, when it is no longer as it was seen. */
export function removeSeen(path: string, seen: Seen): boolean {
  return attempt(`cannot remove ${path}`, () => {
    if (!isAsSeen(path, seen)) return false;
    rmSync(path);
    return true;
  });
}

function isAsSeen(path: string, seen: Seen | undefined): boolean {
  const now = lookAt(path);
  if (now === undefined || seen === undefined) return now === seen;
  const { ino, dev, size, mtimeMs, ctimeMs } = seen.stats;
  return now.ino === ino && now.dev === dev && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs;
}

function keep(fd: number, { uid, gid, mode }: Stats): void {
  if (uid !== process.geteuid?.() || gid !== process.getegid?.()) fchownSync(fd, uid, gid);
  fchmodSync(fd, mode & 0o7777);
}
