/**
 * The encoding half of the codec: one reused buffer that a reply is built in.
 *
 * Every method takes what a FileSystem method returned, which is a value or an errno, encodes the value and
 * returns the errno the reply carries (OK for a value). So a handler is one expression.
 */
import { ERANGE, type Errno, OK } from '../../sys/errno.ts';
import type { AttrReply, Entry, NegativeEntry, StatFs } from '../filesystem.ts';
import { Nodes } from '../nodes.ts';
import {
  ATTR_OUT,
  ATTR_OUT_SIZE,
  COPY_FILE_RANGE_OUT_SIZE,
  ENTRY_OUT,
  ENTRY_OUT_SIZE,
  FOPEN_KEEP_CACHE,
  GETXATTR_OUT_SIZE,
  OPEN_OUT,
  OPEN_OUT_SIZE,
  OUT_HEADER,
  OUT_HEADER_SIZE,
  STATFS_OUT,
  STATFS_OUT_SIZE,
  STATX_OUT,
  STATX_OUT_SIZE,
  WRITE_OUT_SIZE,
} from './abi.ts';
import { putAttr, putEntry, putSeconds, putStatx, putU64 } from './attributes.ts';
import { Dirents } from './dirents.ts';
import { Windows } from './windows.ts';

/** One reply: a header, then `length` bytes. */
export class Reply {
  readonly buffer: Buffer;
  /** Bytes behind the header; set by the encoding methods, 0 for a bare errno. */
  length = 0;
  readonly #view: DataView;
  readonly #data: Windows;
  readonly #dirents: Dirents;
  #nodes = new Nodes();

  /** @param capacity bytes of the largest reply without its header */
  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafeSlow(OUT_HEADER_SIZE + capacity).fill(0);
    this.#view = new DataView(this.buffer.buffer, this.buffer.byteOffset, this.buffer.length);
    this.#data = new Windows(this.buffer, OUT_HEADER_SIZE);
    this.#dirents = new Dirents(this.buffer, this.#view);
  }

  /** Counts what the kernel gets to know. */
  set nodes(nodes: Nodes) {
    this.#nodes = nodes;
    this.#dirents.nodes = nodes;
  }

  /** Writes the header and returns the bytes to send. An error carries no payload. */
  finish(errno: number, uniqueLow: number, uniqueHigh: number): number {
    const total = OUT_HEADER_SIZE + (errno === 0 ? this.length : 0);
    const view = this.#view;
    view.setUint32(OUT_HEADER.LEN, total, true);
    view.setInt32(OUT_HEADER.ERROR, -errno, true);
    view.setUint32(OUT_HEADER.UNIQUE, uniqueLow, true);
    view.setUint32(OUT_HEADER.UNIQUE + 4, uniqueHigh, true);
    return total;
  }

  /** A u32 of the payload, as encoded. */
  u32(offset: number): number {
    return this.#view.getUint32(OUT_HEADER_SIZE + offset, true);
  }

  /** fuse_entry_out; node id 0 tells the kernel to remember that there is no such name. */
  entry(result: Entry | NegativeEntry | Errno): Errno {
    if (typeof result === 'number') return result;
    const at = OUT_HEADER_SIZE;
    this.length = ENTRY_OUT_SIZE;
    if (isNegative(result)) {
      this.buffer.fill(0, at, at + ENTRY_OUT_SIZE);
      putSeconds(this.#view, at + ENTRY_OUT.ENTRY_VALID, at + ENTRY_OUT.ENTRY_VALID_NSEC, result.entryValid);
      return OK;
    }
    putEntry(this.#view, at, this.#nodes.introduce(result));
    return OK;
  }

  /** fuse_entry_out and fuse_open_out, the answer to TMPFILE. The handle is 0: files have none here. */
  entryAndOpen(result: Entry | Errno): Errno {
    const errno = this.entry(result);
    return errno === OK ? this.#open(ENTRY_OUT_SIZE) : errno;
  }

  /** fuse_open_out: the same handle, and the kernel keeps the pages that it has. */
  opened(errno: Errno): Errno {
    return errno === OK ? this.#open(0) : errno;
  }

  #open(offset: number): Errno {
    const at = OUT_HEADER_SIZE + offset;
    this.buffer.fill(0, at, at + OPEN_OUT_SIZE);
    this.#view.setUint32(at + OPEN_OUT.OPEN_FLAGS, FOPEN_KEEP_CACHE, true);
    this.length = offset + OPEN_OUT_SIZE;
    return OK;
  }

  attr(result: AttrReply | Errno): Errno {
    if (typeof result === 'number') return result;
    const at = OUT_HEADER_SIZE;
    putSeconds(this.#view, at + ATTR_OUT.ATTR_VALID, at + ATTR_OUT.ATTR_VALID_NSEC, result.attrValid);
    this.#view.setUint32(at + ATTR_OUT.DUMMY, 0, true);
    putAttr(this.#view, at + ATTR_OUT.ATTR, result.stat);
    this.length = ATTR_OUT_SIZE;
    return OK;
  }

  statx(result: AttrReply | Errno): Errno {
    if (typeof result === 'number') return result;
    const at = OUT_HEADER_SIZE;
    this.buffer.fill(0, at, at + STATX_OUT_SIZE);
    putSeconds(this.#view, at + STATX_OUT.ATTR_VALID, at + STATX_OUT.ATTR_VALID_NSEC, result.attrValid);
    putStatx(this.#view, at + STATX_OUT.STAT, result.stat);
    this.length = STATX_OUT_SIZE;
    return OK;
  }

  /** Bytes of a string, without a NUL: a symlink's target. */
  text(result: string | Errno): Errno {
    if (typeof result === 'number') return result;
    this.length = this.buffer.write(result, OUT_HEADER_SIZE, 'latin1');
    return OK;
  }

  /** Where READ puts `size` bytes of content: directly behind the header. */
  dataWindow(size: number): Buffer {
    return this.#data.take(size);
  }

  /** The count of bytes put into `dataWindow`, or a negative errno. */
  data(count: number): Errno {
    if (count < 0) return -count as Errno;
    this.length = count;
    return OK;
  }

  /** fuse_write_out from a byte count or a negative errno. */
  written(count: number): Errno {
    if (count < 0) return -count as Errno;
    putU64(this.#view, OUT_HEADER_SIZE, count);
    this.length = WRITE_OUT_SIZE;
    return OK;
  }

  /** fuse_copy_file_range_out: as `written`, with 64 bits. */
  copied(count: number): Errno {
    if (count < 0) return -count as Errno;
    putU64(this.#view, OUT_HEADER_SIZE, count);
    this.length = COPY_FILE_RANGE_OUT_SIZE;
    return OK;
  }

  /** The answer to GETXATTR and LISTXATTR: the bytes, or only their count when the caller has no room (`room` 0). */
  xattr(result: Buffer | Errno, room: number): Errno {
    if (typeof result === 'number') return result;
    if (room === 0) {
      putU64(this.#view, OUT_HEADER_SIZE, result.length);
      this.length = GETXATTR_OUT_SIZE;
      return OK;
    }
    if (result.length > room) return ERANGE;
    this.length = result.copy(this.buffer, OUT_HEADER_SIZE);
    return OK;
  }

  statfs(result: StatFs | Errno): Errno {
    if (typeof result === 'number') return result;
    const at = OUT_HEADER_SIZE;
    const view = this.#view;
    this.buffer.fill(0, at, at + STATFS_OUT_SIZE);
    putU64(view, at + STATFS_OUT.BLOCKS, result.blocks);
    putU64(view, at + STATFS_OUT.BFREE, result.bfree);
    putU64(view, at + STATFS_OUT.BAVAIL, result.bavail);
    putU64(view, at + STATFS_OUT.FILES, result.files);
    putU64(view, at + STATFS_OUT.FFREE, result.ffree);
    view.setUint32(at + STATFS_OUT.BSIZE, result.bsize, true);
    view.setUint32(at + STATFS_OUT.NAMELEN, result.namelen, true);
    view.setUint32(at + STATFS_OUT.FRSIZE, result.frsize, true);
    this.length = STATFS_OUT_SIZE;
    return OK;
  }

  /** An empty list of directory entries with room for `size` bytes; `directoryEnd` closes it. */
  directory(size: number, plus: boolean): Dirents {
    this.#dirents.begin(size, plus);
    return this.#dirents;
  }

  directoryEnd(errno: Errno): Errno {
    this.length = this.#dirents.length;
    return errno;
  }

  /** Raw payload bytes already encoded elsewhere (INIT). */
  payload(bytes: Buffer): Errno {
    this.length = bytes.copy(this.buffer, OUT_HEADER_SIZE);
    return OK;
  }
}

function isNegative(result: Entry | NegativeEntry): result is NegativeEntry {
  return (result.nodeId as number) === 0;
}
