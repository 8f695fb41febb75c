import type { Errno } from '../../../sys/errno.ts';
import { EEXIST, EINVAL, ENOENT, ENOSYS, errnoOf } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { STATX_SIZE } from '../../../sys/stat.ts';
import type { At } from './attributes.ts';

const statx = Buffer.alloc(STATX_SIZE);

/** Renames to a name that must be free: what appeared there meanwhile is somebody else's, and stays (EEXIST). */
export function renameToFree(from: At, to: At): Errno {
  const result = libc.renameAt2(from.dirfd, from.name, to.dirfd, to.name, libc.RENAME_NOREPLACE);
  if (result !== -EINVAL && result !== -ENOSYS) return errnoOf(result);
  // A file system without RENAME_NOREPLACE: looking first is the best there is.
  if (libc.statxInto(to.dirfd, to.name, statx) !== -ENOENT) return EEXIST;
  return errnoOf(libc.renameAt2(from.dirfd, from.name, to.dirfd, to.name));
}

/** Swaps two names in one action, so that nobody ever finds either missing. */
export function exchange(a: At, b: At): Errno {
  return errnoOf(libc.renameAt2(a.dirfd, a.name, b.dirfd, b.name, libc.RENAME_EXCHANGE));
}
