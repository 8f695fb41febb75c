/** Copying file content between descriptors: shared extents where the file system can, holes kept. */
import type { Errno } from '../sys/errno.ts';
import { EINVAL, EIO, ENXIO, EOPNOTSUPP, EXDEV, OK } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';

const CHUNK = 1 << 20;
let chunk: Buffer | undefined;

/** Copies the first `size` bytes of `from` over an empty `to`, keeping holes. */
export function copyContent(from: number, to: number, size: number): Errno {
  if (size === 0) return OK;
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

function copyExtent(from: number, to: number, extent: { start: number; end: number }): Errno {
  for (let at = extent.start; at < extent.end; ) {
    let n = libc.copyFileRange({ fd: from, offset: at }, { fd: to, offset: at }, extent.end - at);
    if (n === -EXDEV || n === -EINVAL || n === -EOPNOTSUPP) n = copyChunk(from, to, { at, length: extent.end - at });
    if (n < 0) return -n as Errno;
    // The source shrank meanwhile: the rest stays a hole, as a reader would have seen it.
    if (n === 0) return OK;
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
