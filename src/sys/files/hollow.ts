/** Files that have a size and a time before they have a content. */
import {
  closeSync,
  fchmodSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { toBytes } from '../bytes.ts';
import { type Errno, SystemError } from '../errno.ts';
import { AT_FDCWD, close, fstatxInto, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, openAt, pread, utimesAt } from '../libc.ts';
import { decodeStatx, isRegular, STATX_SIZE, type Stat } from '../stat.ts';
import { attempt, makeTree } from './files.ts';

export interface Hollow {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Nanoseconds of the time below a millisecond. */
  readonly nanoseconds: number;
  readonly mode: number;
}

/**
 * The content of a file whose mode is meant, if it has no more than `most` bytes; undefined for what cannot be read, or is no
 * such file.
 */
export function readIfMode(
  path: string,
  { isMeant, most }: { readonly isMeant: (mode: number) => boolean; readonly most: number },
): Buffer | undefined {
  const fd = openAt(AT_FDCWD, toBytes(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return undefined;
  try {
    const stat = statOf(fd);
    if (stat === undefined || !isRegular(stat.mode) || !isMeant(stat.mode) || stat.size > most) return undefined;
    const content = contentOf(fd, stat.size);
    // It may have become another one meanwhile, which its mode says first.
    return isMeant(statOf(fd)?.mode ?? 0) ? content : undefined;
  } finally {
    close(fd);
  }
}

const statx = Buffer.alloc(STATX_SIZE);

function statOf(fd: number): Stat | undefined {
  return fstatxInto(fd, statx) < 0 ? undefined : decodeStatx(statx);
}

/** Undefined for what cannot be read. */
function contentOf(fd: number, size: number): Buffer | undefined {
  const content = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; ) {
    const length = pread(fd, at === 0 ? content : content.subarray(at), size - at, at);
    if (length < 0) return undefined;
    if (length === 0) return content.subarray(0, at);
    at += length;
  }
  return content;
}

/** Makes a file that must not exist yet. Throws a SystemError. */
export function makeHollow(path: string, { size, mtime, nanoseconds, mode }: Hollow): void {
  attempt(`cannot make ${path}`, () => {
    const fd = openSync(path, 'wx', mode);
    try {
      if (size > 0) ftruncateSync(fd, size);
      // The umask of a daemon takes the rights of all others, and no more.
      if ((mode & 0o077) !== 0) fchmodSync(fd, mode);
      setTimes(path, Math.floor(mtime), nanoseconds);
    } finally {
      closeSync(fd);
    }
  });
}

/** As utimensat(2): Node's own calls know no nanoseconds. */
function setTimes(path: string, mtime: number, nanoseconds: number): void {
  const sec = Math.floor(mtime / 1000);
  const nsec = (mtime - sec * 1000) * 1_000_000 + nanoseconds;
  const times = { atimeSec: sec, atimeNsec: nsec, mtimeSec: sec, mtimeNsec: nsec };
  const result = utimesAt(AT_FDCWD, toBytes(path), times);
  if (result < 0) throw new SystemError(`cannot date ${path}`, -result as Errno);
}

/** Gives a file a time, in milliseconds since 1970. Throws a SystemError. */
export function setModified(path: string, mtime: number): void {
  attempt(`cannot date ${path}`, () => utimesSync(path, mtime / 1000, mtime / 1000));
}

/** Makes a symlink that must not exist yet. Throws a SystemError. */
export function makeSymlink(path: string, target: string): void {
  attempt(`cannot make ${path}`, () => symlinkSync(target, path));
}

/** Makes a directory with those above it; one that exists is fine. Throws a SystemError. */
export function makeDirectories(path: string): void {
  attempt(`cannot make ${path}`, () => makeTree(path, 0o755));
}

/** Puts what is at `from` in the place of what is at `to`. Throws a SystemError. */
export function replace(from: string, to: string): void {
  attempt(`cannot replace ${to}`, () => renameSync(from, to));
}

/** Removes a name that is no directory's, or an empty directory; false: it is not empty. Throws a SystemError. */
export function removeOne(path: string, kind: 'file' | 'directory'): boolean {
  const remove = (): boolean => {
    if (kind === 'directory') rmdirSync(path);
    else unlinkSync(path);
    return true;
  };
  const expected: Readonly<Record<string, boolean>> = { ENOTEMPTY: false, ENOENT: true };
  try {
    return remove();
  } catch (error) {
    const known = expected[(error as NodeJS.ErrnoException).code ?? ''];
    if (known !== undefined) return known;
    return attempt(`cannot remove ${path}`, () => {
      throw error;
    });
  }
}
