/**
 * Names in the backups of files that the base has, too, by other names: when one goes, the file gets a new ctime. Whoever
 * compares it with what it was is told that this was us.
 */
import { type Fingerprint, fingerprintOf, type Time } from '../../staging/inode.ts';
import type { Name } from '../../sys/bytes.ts';
import { EACCES, type Errno, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { decodeStatx, isDirectory, STATX_SIZE, type Stat } from '../../sys/stat.ts';
import { chmodNoFollow } from '../commit/apply/attributes.ts';
import { listNames, openToList } from '../commit/apply/list-names.ts';
import type { Touched } from '../commit/conflict/own-changes.ts';

/** Who is told. Numbers of files are those of the disk. */
export interface NamesGoing {
  /** These files are about to lose names of ours. */
  begin(prints: readonly Fingerprint[]): Promise<void>;
  /** These have lost them, and are in the base. Of others that were told of it may not be known. */
  done(touched: readonly Touched[]): Promise<void>;
}

interface Found {
  readonly dirfd: number;
  readonly name: Name;
  readonly stat: Stat;
}

/** What a file was before it lost the first name, and the state that the last one has left. */
interface Loss {
  readonly print: Fingerprint;
  readonly now: { readonly ctime: Time; readonly nlink: number };
}

/**
 * Unlinks, in directories (`names`, below the open `dirfd`), all that has other names, and tells of it. Rejects with a SystemError
 * where it cannot see or do that: nobody may go on to remove the directories then.
 */
export async function unlinkShared(dirfd: number, names: readonly string[], going: NamesGoing): Promise<void> {
  const prints = new Map<string, Fingerprint>();
  for (const { stat } of shared(dirfd, names)) prints.set(keyOf(stat), fingerprintOf(stat));
  if (prints.size === 0) return;
  await going.begin([...prints.values()]);
  const lost = new Map<string, Loss>();
  try {
    for (const found of shared(dirfd, names)) {
      const now = unlink(found);
      const print = lost.get(keyOf(found.stat))?.print ?? fingerprintOf(found.stat);
      lost.set(keyOf(found.stat), { print, now: fingerprintOf(now) });
    }
  } finally {
    const left = [...lost.values()].filter(({ now }) => now.nlink > 0);
    await going.done(left.map(({ print, now }) => ({ print, after: now.ctime })));
  }
}

function* shared(dirfd: number, names: readonly string[]): Generator<Found> {
  for (const name of names) yield* sharedIn(dirfd, name);
}

function* sharedIn(dirfd: number, directory: string): Generator<Found> {
  const fd = openDirectory(dirfd, directory);
  try {
    const names = listNames(fd);
    if (typeof names === 'number') throw failed(names);
    for (const name of names) {
      const stat = statOf(fd, name);
      if (isDirectory(stat.mode)) yield* sharedIn(fd, name);
      else if (stat.nlink > 1) yield { dirfd: fd, name, stat };
    }
  } finally {
    libc.close(fd);
  }
}

/** Made readable if need be, as where it is removed. */
function openDirectory(dirfd: number, name: string): number {
  let fd = openToList(dirfd, name);
  if (fd === -EACCES && chmodNoFollow(dirfd, name, 0o700) >= 0) fd = openToList(dirfd, name);
  if (fd < 0) throw failed(-fd as Errno);
  return fd;
}

/** What the file is like then. */
function unlink({ dirfd, name }: Found): Stat {
  const fd = libc.openAt(dirfd, name, libc.O_PATH | libc.O_NOFOLLOW);
  if (fd < 0) throw failed(-fd as Errno);
  try {
    const unlinked = libc.unlinkAt(dirfd, name);
    if (unlinked < 0) throw failed(-unlinked as Errno);
    return statOf(fd, '');
  } finally {
    libc.close(fd);
  }
}

function statOf(fd: number, name: string): Stat {
  const statx = Buffer.alloc(STATX_SIZE);
  const result = name === '' ? libc.fstatxInto(fd, statx) : libc.statxInto(fd, name, statx);
  if (result < 0) throw failed(-result as Errno);
  return decodeStatx(statx);
}

function failed(errno: Errno): SystemError {
  return new SystemError('cannot remove what commits have put away', errno);
}

function keyOf({ dev, ino }: Stat): string {
  return `${dev}:${ino}`;
}
