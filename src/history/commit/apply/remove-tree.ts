/** Removing what a commit took away, as `rm -rf` does, but relative to descriptors all the way down. */
import type { Errno } from '../../../sys/errno.ts';
import { EACCES, EISDIR, ENOENT, EPERM, OK } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { chmodNoFollow } from './attributes.ts';
import { listNames, openToList } from './list-names.ts';

/**
 * Removes `name` and everything below it. A directory of ours that we may not write to is made writable first:
 * in the view it had been, or it could not have been emptied there. What is gone already is fine.
 */
export function removeTree(dirfd: number, name: string): Errno {
  const result = libc.unlinkAt(dirfd, name);
  if (result >= 0 || result === -ENOENT) return OK;
  // Linux says EISDIR for a directory; POSIX, and some file systems, EPERM.
  if (result !== -EISDIR && result !== -EPERM) return -result as Errno;
  const empty = libc.unlinkAt(dirfd, name, libc.AT_REMOVEDIR);
  if (empty >= 0) return OK;
  const emptied = emptyDirectory(dirfd, name);
  if (emptied !== OK) return emptied;
  const removed = libc.unlinkAt(dirfd, name, libc.AT_REMOVEDIR);
  return removed < 0 ? (-removed as Errno) : OK;
}

function emptyDirectory(dirfd: number, name: string): Errno {
  const errno = removeEntries(dirfd, name);
  if (errno !== EACCES || chmodNoFollow(dirfd, name, 0o700) < 0) return errno;
  return removeEntries(dirfd, name);
}

function removeEntries(dirfd: number, name: string): Errno {
  const fd = openToList(dirfd, name);
  if (fd < 0) return -fd as Errno;
  try {
    const names = listNames(fd);
    if (typeof names === 'number') return names;
    for (const child of names) {
      const errno = removeTree(fd, child);
      if (errno !== OK) return errno;
    }
    return OK;
  } finally {
    libc.close(fd);
  }
}
