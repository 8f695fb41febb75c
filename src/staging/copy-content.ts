/** Copying file content between descriptors: shared extents where the file system can, holes kept. */
import type { Errno } from '../sys/errno.ts';
import { EINVAL, EIO, ENXIO, EOPNOTSUPP, EXDEV, OK } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';

const CHUNK = 1 << 20;
/** Of what one request may take: nobody else is served meanwhile. */
const ENOUGH_MS = 3;
let chunk: Buffer | undefined;

/** A place in an open file. */
export interface FilePosition {
  readonly fd: number;
  readonly offset: number;
}

/**
 * Copies the first `size` bytes of `from` over an empty `to`, keeping holes. `isWhole`: it is known to have none. Up to a MiB of that is one
 * system call, which shares blocks itself where it can (vfs_copy_file_range() in fs/read_write.c).
 */
export function copyContent(from: number, to: number, size: number, isWhole = false): Errno {
  if (size === 0) return OK;
  if (isWhole && size <= CHUNK) return copyExtent(from, to, { start: 0, end: size });
  if (libc.reflink(from, to) >= 0) return check(libc.ftruncate(to, size));
  const grown = check(libc.ftruncate(to, size));
  if (grown !== OK) return grown;
  for (let at = 0; at < size; ) {
    const data = libc.lseek(from, at, libc.SEEK_DATA);
    if (data === -ENXIO) return OK;
    // A file system without SEEK_DATA has no holes to keep.
    const start = data < 0 ? at : data;
    const hole = data < 0 ? size : libc.lseek(from, start, libc.SEEK_HOLE);
    const end = Math.min(hole < 0 ? size : hole, size);
    const error = copyExtent(from, to, { start, end });
    if (error !== OK) return error;
    at = end;
  }
  return OK;
}

/**
 * copy_file_range(2) of a part of it: the first MiB, and twice as much each time until that has taken long enough. So where
 * blocks are shared a large file goes at once, and where bytes are copied the next request does not wait for all of them.
 * Returns the bytes copied, or a negative errno.
 */
export function copySome(
  from: FilePosition,
  to: FilePosition,
  length: number,
  clock = (): number => performance.now(),
): number {
  const start = clock();
  for (let [done, piece] = [0, CHUNK]; ; piece *= 2) {
    const [source, target] = [from.offset + done, to.offset + done];
    const wanted = Math.min(piece, length - done);
    const n = libc.copyFileRange({ fd: from.fd, offset: source }, { fd: to.fd, offset: target }, wanted);
    if (n < 0 && done === 0) return n;
    done += Math.max(0, n);
    if (n < wanted || done === length || clock() - start >= ENOUGH_MS) return done;
  }
}

function copyExtent(from: number, to: number, extent: { start: number; end: number }): Errno {
  for (let at = extent.start; at < extent.end; ) {
    let n = libc.copyFileRange({ fd: from, offset: at }, { fd: to, offset: at }, extent.end - at);
    if (n === -EXDEV || n === -EINVAL || n === -EOPNOTSUPP) n = copyChunk(from, to, { at, length: extent.end - at });
    if (n < 0) return -n as Errno;
    // The source shrank meanwhile: the rest is a hole, as a reader would have seen it.
    if (n === 0) return check(libc.ftruncate(to, extent.end));
    at += n;
  }
  return OK;
}

function copyChunk(from: number, to: number, range: { at: number; length: number }): number {
  chunk ??= Buffer.allocUnsafeSlow(CHUNK);
  const n = libc.pread(from, chunk, Math.min(CHUNK, range.length), range.at);
  if (n <= 0) return n;
  for (let done = 0; done < n; ) {
    const written = libc.pwrite(to, chunk.subarray(done, n), n - done, range.at + done);
    if (written < 0) return written;
    if (written === 0) return -EIO;
    done += written;
  }
  return n;
}

function check(result: number): Errno {
  return result < 0 ? (-result as Errno) : OK;
}
