/**
 * Whether a file could have an extended attribute, by trying it out: which kinds there are, and how much room they have together, is for
 * its file system to say (ext4: one block for all of a file). The trial is made with a file beside the objects, as these become the
 * files of the base. What the store's file system takes and that of a base elsewhere does not is found out by the commit.
 */
import { EEXIST, EPERM, type Errno, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { S_IFBLK, S_IFCHR, S_IFDIR, S_IFLNK, S_IFREG } from '../../sys/stat.ts';
import type { ObjectStore } from '../object-store.ts';

/** No object has this name. */
const NAME = 'trial';

export interface Xattr {
  readonly name: string;
  readonly value: Buffer;
}

/** Tries a file of a type with attributes `present`, as far as they can be set, and then `more`. */
export function tryXattr(store: ObjectStore, type: number, present: Iterable<Xattr>, more: Xattr): Errno {
  // Only root may make those.
  if (type === S_IFCHR || type === S_IFBLK) return EPERM;
  const { dirfd } = store;
  const made = make(dirfd, type);
  if (made !== OK) return made;
  for (const { name, value } of present) libc.setxattrAt(dirfd, NAME, name, value);
  const result = libc.setxattrAt(dirfd, NAME, more.name, more.value);
  remove(dirfd, type);
  return result < 0 ? (-result as Errno) : OK;
}

function make(dirfd: number, type: number): Errno {
  const made = makeOnce(dirfd, type);
  if (made !== -EEXIST) return -Math.min(0, made) as Errno;
  // A crash has left it.
  remove(dirfd, S_IFREG);
  remove(dirfd, S_IFDIR);
  return -Math.min(0, makeOnce(dirfd, type)) as Errno;
}

function makeOnce(dirfd: number, type: number): number {
  if (type === S_IFDIR) return libc.mkdirAt(dirfd, NAME, 0o700);
  if (type === S_IFLNK) return libc.symlinkAt(NAME, dirfd, NAME);
  return libc.mknodAt(dirfd, NAME, type | 0o600, 0);
}

function remove(dirfd: number, type: number): void {
  libc.unlinkAt(dirfd, NAME, type === S_IFDIR ? libc.AT_REMOVEDIR : 0);
}
