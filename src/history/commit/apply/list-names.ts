import { parseDirents } from '../../../staging/dirents.ts';
import type { Name } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';

/** Opens a directory for listing, not following a symlink; the caller closes it. A negative errno on failure. */
export function openToList(dirfd: number, name: string): number {
  return libc.openAt(dirfd, name, libc.O_RDONLY | libc.O_DIRECTORY | libc.O_NOFOLLOW);
}

/** All names in a directory opened for reading, without "." and "..". */
export function listNames(fd: number): Name[] | Errno {
  const buffer = Buffer.allocUnsafe(32 * 1024);
  const names: Name[] = [];
  for (;;) {
    const length = libc.getdents(fd, buffer);
    if (length < 0) return -length as Errno;
    if (length === 0) return names;
    for (const entry of parseDirents(buffer, length)) names.push(entry.name);
  }
}
