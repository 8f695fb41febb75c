/**
 * The INIT handshake: what the kernel offers, what is taken of it, and why (README.md has the long version).
 */

import { pageSize } from '../../sys/libc.ts';
import {
  FUSE_ASYNC_READ,
  FUSE_AUTO_INVAL_DATA,
  FUSE_BIG_WRITES,
  FUSE_CACHE_SYMLINKS,
  FUSE_DO_READDIRPLUS,
  FUSE_HANDLE_KILLPRIV_V2,
  FUSE_INIT_EXT,
  FUSE_MAJOR,
  FUSE_MAX_PAGES,
  FUSE_MINOR,
  FUSE_MINOR_MIN,
  FUSE_NO_OPEN_SUPPORT,
  FUSE_NO_OPENDIR_SUPPORT,
  FUSE_PARALLEL_DIROPS,
  FUSE_READDIRPLUS_AUTO,
  FUSE_SETXATTR_EXT,
  FUSE_WRITEBACK_CACHE,
  INIT_IN,
  INIT_OUT,
  INIT_OUT_SIZE,
} from './abi.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Request } from './request.ts';

/** Bytes of one READ or WRITE: the most the kernel's default limit of 256 pages allows where a page has 4 KiB. */
export const MAX_WRITE = 256 * 4096;
/** Requests the kernel keeps in flight on its own behalf (readahead, writeback) before it makes writers wait. */
const MAX_BACKGROUND = 64;
const CONGESTION_THRESHOLD = 48;

/** What kernel and daemon agreed on. */
export interface Connection {
  readonly minor: number;
  readonly flags: number;
  readonly maxReadahead: number;
}

/** Chooses from an INIT request; throws an Error for a kernel that is too old. `undefined`: the kernel must ask again. */
export function negotiate(request: Request, options: ConnectionOptions): Connection | undefined {
  const major = request.u32(INIT_IN.MAJOR);
  const minor = request.u32(INIT_IN.MINOR);
  if (major > FUSE_MAJOR) return undefined;
  if (major < FUSE_MAJOR || minor < FUSE_MINOR_MIN) {
    throw new Error(`this kernel speaks FUSE ${major}.${minor}; 7.${FUSE_MINOR_MIN} (Linux 5.4) or newer is needed`);
  }
  return {
    minor: Math.min(minor, FUSE_MINOR),
    flags: (wantedFlags(options) & request.u32(INIT_IN.FLAGS)) >>> 0,
    maxReadahead: request.u32(INIT_IN.MAX_READAHEAD),
  };
}

// Left out on purpose: ATOMIC_O_TRUNC (there is no OPEN, so truncation must come as SETATTR), POSIX_LOCKS and
// FLOCK_LOCKS (the kernel's own locks do), POSIX_ACL, DONT_MASK, EXPLICIT_INVAL_DATA.
function wantedFlags(options: ConnectionOptions): number {
  return (
    FUSE_ASYNC_READ |
    FUSE_BIG_WRITES |
    FUSE_MAX_PAGES |
    FUSE_PARALLEL_DIROPS |
    FUSE_DO_READDIRPLUS |
    (options.readdirplusAuto ? FUSE_READDIRPLUS_AUTO : 0) |
    (options.writeback ? FUSE_WRITEBACK_CACHE : 0) |
    (options.autoInvalData ? FUSE_AUTO_INVAL_DATA : 0) |
    (options.cacheSymlinks === false ? 0 : FUSE_CACHE_SYMLINKS) |
    FUSE_NO_OPEN_SUPPORT |
    FUSE_NO_OPENDIR_SUPPORT |
    FUSE_HANDLE_KILLPRIV_V2 |
    FUSE_SETXATTR_EXT |
    FUSE_INIT_EXT
  );
}

/**
 * fuse_init_out; without a connection only the version, which asks the kernel to come down to it. Of READ the kernel takes nothing but
 * the number of pages as the limit, so that this has to follow from their size.
 */
export function encodeInitOut(connection: Connection | undefined, page = pageSize()): Buffer {
  const out = Buffer.alloc(INIT_OUT_SIZE);
  out.writeUInt32LE(FUSE_MAJOR, INIT_OUT.MAJOR);
  out.writeUInt32LE(connection?.minor ?? FUSE_MINOR, INIT_OUT.MINOR);
  if (connection === undefined) return out;
  out.writeUInt32LE(connection.maxReadahead, INIT_OUT.MAX_READAHEAD);
  out.writeUInt32LE(connection.flags, INIT_OUT.FLAGS);
  out.writeUInt16LE(MAX_BACKGROUND, INIT_OUT.MAX_BACKGROUND);
  out.writeUInt16LE(CONGESTION_THRESHOLD, INIT_OUT.CONGESTION_THRESHOLD);
  out.writeUInt32LE(MAX_WRITE, INIT_OUT.MAX_WRITE);
  out.writeUInt32LE(1, INIT_OUT.TIME_GRAN);
  out.writeUInt16LE(MAX_WRITE / page, INIT_OUT.MAX_PAGES);
  return out;
}
