/** A content takes its place in the mirror of its source. On the FUSE thread, between two requests: nobody sees a half. */
import { AWAITED, FETCHED } from '../../staging/awaited/fetched.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { type Errno, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { log } from '../../sys/log.ts';
import { hostPath } from '../../sys/mounts.ts';
import { decodeStatx, S_IFREG, STATX_SIZE } from '../../sys/stat.ts';

const statx = Buffer.alloc(STATX_SIZE);

/** A content, and the file that is to have it. */
export interface Filling {
  readonly path: BytePath;
  readonly content: Uint8Array;
  /** The mirror may show another one there by now. */
  readonly ino: number;
}

/** Fills a file of the base in, if its content is awaited. `resized`: it has another size than was said. */
export function fill({ path, content, ino }: Filling): 'filled' | 'resized' | 'not awaited' {
  const filled = withFile(path, (fd, setTimes) => {
    const before = decodeStatx(statx);
    if (before.mode !== (S_IFREG | AWAITED) || Number(before.ino) !== ino) return 'not awaited';
    const isAsSaid = before.size === content.length;
    put(fd, content);
    if (!isAsSaid) must(libc.ftruncate(fd, content.length));
    must(setTimes(before));
    must(libc.fchmod(fd, FETCHED));
    return isAsSaid ? 'filled' : 'resized';
  });
  return filled ?? 'not awaited';
}

/**
 * Opens a file of the base for writing; what is known of it is in `statx`. Undefined where that fails, or the work does, which is logged.
 * A search has thousands filled in: so no call more than it takes.
 */
function withFile<T>(
  path: BytePath,
  work: (fd: number, setTimes: (times: libc.FileTimes) => number) => T,
): T | undefined {
  const place = hostPath(path);
  const fd = libc.openAt(libc.AT_FDCWD, place, libc.O_WRONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  if (fd < 0) return undefined;
  try {
    if (libc.fstatxInto(fd, statx) < 0) return undefined;
    return work(fd, (times) => libc.utimesAt(libc.AT_FDCWD, place, times));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    log(`sources: ${error.message}`);
    return undefined;
  } finally {
    libc.close(fd);
  }
}

/**
 * The opposite: what a file of the base had is awaited again. To be called where nobody has it open and nobody knows it, for it
 * stays the same file. Returns whether it was.
 */
export function empty(path: BytePath): boolean {
  return (
    withFile(path, (fd, setTimes) => {
      const before = decodeStatx(statx);
      if (before.mode !== (S_IFREG | FETCHED) || before.size === 0) return false;
      // From here on nobody believes what is in it.
      must(libc.fchmod(fd, AWAITED));
      must(libc.ftruncate(fd, 0));
      must(libc.ftruncate(fd, before.size));
      must(setTimes(before));
      return true;
    }) ?? false
  );
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
