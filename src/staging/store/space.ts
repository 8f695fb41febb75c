/** statfs(2) in the view: room on the file system that holds the store, or what the quota leaves of it. */
import type { StatFs } from '../../fuse/filesystem.ts';
import type { Errno } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Quota } from './quota.ts';

const STATFS_SIZE = 120;

/** That is what a write in the view consumes. */
export function spaceFor(store: ObjectStore, quota: Quota): StatFs | Errno {
  const b = Buffer.alloc(STATFS_SIZE);
  const result = libc.fstatfsInto(store.dirfd, b);
  if (result < 0) return -result as Errno;
  const u64 = (at: number): number => Number(b.readBigUInt64LE(at));
  const frsize = u64(72) || u64(8);
  const limit = Math.floor(quota.limit / frsize);
  const left = Math.max(0, Math.floor((quota.limit - quota.used) / frsize));
  return {
    bsize: u64(8),
    blocks: Math.min(u64(16), limit),
    bfree: Math.min(u64(24), left),
    bavail: Math.min(u64(32), left),
    files: u64(40),
    ffree: u64(48),
    namelen: u64(64),
    frsize: u64(72),
  };
}
