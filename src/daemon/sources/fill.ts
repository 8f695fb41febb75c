/** A content takes its place in the mirror of its source. On the FUSE thread, between two requests: nobody sees a half. */
import { AWAITED, FETCHED } from '../../staging/awaited/fetched.ts';
import { type BytePath, splitPath } from '../../sys/bytes.ts';
import { type Errno, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { log } from '../../sys/log.ts';
import { hostPath } from '../../sys/mounts.ts';
import { decodeStatx, S_IFREG, STATX_SIZE } from '../../sys/stat.ts';

const statx = Buffer.alloc(STATX_SIZE);

/** Fills a file of the base in, if its content is awaited. `resized`: it has another size than was said. */
export function fill(path: BytePath, content: Uint8Array): 'filled' | 'resized' | 'not awaited' {
  const split = splitPath(path);
  if (split === undefined) return 'not awaited';
  const dirfd = libc.openAt(libc.AT_FDCWD, hostPath(split.dir), libc.O_PATH | libc.O_DIRECTORY);
  if (dirfd < 0) return 'not awaited';
  const fd = libc.openAt(dirfd, split.name, libc.O_WRONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  try {
    if (fd < 0 || libc.fstatxInto(fd, statx) < 0) return 'not awaited';
    const before = decodeStatx(statx);
    if (before.mode !== (S_IFREG | AWAITED)) return 'not awaited';
    put(fd, content);
    must(libc.ftruncate(fd, content.length));
    must(libc.utimesAt(dirfd, split.name, before));
    must(libc.fchmod(fd, FETCHED));
    return before.size === content.length ? 'filled' : 'resized';
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(`sources: ${error.message}`);
    return 'not awaited';
  } finally {
    if (fd >= 0) libc.close(fd);
    libc.close(dirfd);
  }
}

function put(fd: number, content: Uint8Array): void {
  for (let done = 0; done < content.length; ) {
    const piece = content.subarray(done);
    done += must(libc.pwrite(fd, piece, piece.length, done));
  }
}

function must(result: number): number {
  if (result < 0) throw new SystemError('cannot keep what a source has said', -result as Errno);
  return result;
}
