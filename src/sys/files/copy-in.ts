/** Copies files of this user's into a directory in which somebody else may do as they like: nothing there is followed, or believed. */
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { uniqueName } from '../crypto-lazy.ts';
import { attempt } from './files.ts';
import { withPlainDirectory } from './plain-directory.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, COPYFILE_EXCL, COPYFILE_FICLONE } = constants;

/** Makes a new file, which this user may only read, of what an open one holds. */
export function copyOpened(fd: number, path: string): void {
  attempt(`cannot write ${path}`, () => {
    copyFileSync(`/proc/self/fd/${fd}`, path, COPYFILE_EXCL | COPYFILE_FICLONE);
    chmodSync(path, 0o400);
  });
}

/** What was copied, and the copy. */
export interface Copied {
  /** Tells one version of the original from the next. */
  readonly version: string;
  /** Which file the copy is; undefined: something else had its name, and stays. */
  readonly copy: string | undefined;
}

export interface Copying {
  /** A file in a directory that nobody else renames. */
  readonly from: string;
  readonly dir: string;
  /** No path. */
  readonly name: string;
  /** Bytes; what is larger is not copied. */
  readonly most: number;
}

/**
 * Copies a regular file of this user's, in one step. In the place of the copy made `before` comes that of a new version; anything else
 * that has the name stays. Returns `before` where there is nothing to copy. Throws a SystemError.
 */
export function copyIn(copying: Copying, before: Copied | undefined): Copied | undefined {
  const { from, dir, name, most } = copying;
  const looked = attempt(`cannot look at ${from}`, () => lstatSync(from, { bigint: true, throwIfNoEntry: false }));
  if (looked === undefined || !isWanted(looked, most) || versionOf(looked) === before?.version) return before;
  const fd = attempt(`cannot open ${from}`, () => openSync(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!isWanted(stats, most)) return before;
    const copy = withPlainDirectory(dir, (at) =>
      attempt(`cannot copy ${from} to ${dir}`, () => place(`/proc/self/fd/${fd}`, `${at}/${name}`, before?.copy)),
    );
    return { version: versionOf(stats), copy };
  } finally {
    closeSync(fd);
  }
}

function isWanted(stats: BigIntStats, most: number): boolean {
  return stats.isFile() && Number(stats.uid) === process.geteuid?.() && stats.size <= most;
}

function versionOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Numbers are given again, so with the time at which it was made. */
function identityOf({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino} ${birthtimeNs}`;
}

/** Returns which file the copy is; undefined where the name is taken by anything but `own`. */
function place(from: string, to: string, own: string | undefined): string | undefined {
  const there = lstatSync(to, { bigint: true, throwIfNoEntry: false });
  if (there !== undefined && identityOf(there) !== own) return undefined;
  const fresh = `${to}.${uniqueName()}`;
  try {
    copyFileSync(from, fresh, COPYFILE_EXCL | COPYFILE_FICLONE);
    const copy = identityOf(lstatSync(fresh, { bigint: true }));
    if (there === undefined) linkSync(fresh, to);
    else renameSync(fresh, to);
    return copy;
  } finally {
    rmSync(fresh, { force: true });
  }
}
