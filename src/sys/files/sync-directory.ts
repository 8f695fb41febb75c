/** The names in a directory, made to survive a power cut. */
import type { BytePath } from '../bytes.ts';
import { type Errno, OK } from '../errno.ts';
import { AT_FDCWD, close, fsync, O_DIRECTORY, O_RDONLY, openAt } from '../libc.ts';

/** fsync(2) of the directory at `path`, seen from the one that is open as `dirfd`. */
export function syncDirectory(path: BytePath, dirfd = AT_FDCWD): Errno {
  const fd = openAt(dirfd, path, O_RDONLY | O_DIRECTORY);
  if (fd < 0) return -fd as Errno;
  const result = fsync(fd);
  close(fd);
  return result < 0 ? (-result as Errno) : OK;
}
