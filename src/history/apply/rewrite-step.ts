/** Carrying out `rewrite` steps: new content for a file of the base that must stay the same inode. */
import { copyContent } from '../../staging/copy-content.ts';
import { objectPath } from '../../staging/object-store.ts';
import type { Errno } from '../../sys/errno.ts';
import { EACCES, EIO, EPERM, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { decodeStatx, isRegular, STATX_SIZE } from '../../sys/stat.ts';
import type { FileAttributes, Rewrite } from '../steps.ts';
import type { At } from './attributes.ts';
import { applyAttributes, chmodNoFollow, lacking } from './attributes.ts';
import type { Bench } from './bench.ts';
import { errnoOf, open } from './bench.ts';

export function runRewrite(step: Rewrite, bench: Bench): Errno {
  const at = open(bench, step.at);
  if (typeof at === 'number') return at;
  const store = bench.store.dirfd;
  const kept = backUp(at, { dirfd: store, name: step.backup });
  if (kept !== OK) return kept;
  const errno = rewrite(at, { dirfd: store, name: objectPath(step.object) }, step.attributes);
  if (errno !== OK) revertRewrite(step, bench);
  return errno;
}

export function revertRewrite(step: Rewrite, bench: Bench): Errno {
  const at = open(bench, step.at);
  if (typeof at === 'number') return at;
  const backup = { dirfd: bench.store.dirfd, name: step.backup };
  const errno = rewrite(at, backup, step.before);
  if (errno === OK) libc.unlinkAt(backup.dirfd, backup.name);
  return errno;
}

function backUp(at: At, to: At): Errno {
  const from = libc.openAt(at.dirfd, at.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  if (from < 0) return -from as Errno;
  libc.unlinkAt(to.dirfd, to.name);
  const fd = libc.openAt(to.dirfd, to.name, libc.O_RDWR | libc.O_CREAT | libc.O_EXCL | libc.O_NOFOLLOW, 0o600);
  const errno = fd < 0 ? (-fd as Errno) : copyWhole(from, fd);
  libc.close(from);
  if (fd >= 0) libc.close(fd);
  return errno;
}

function rewrite(at: At, content: At, attributes: FileAttributes): Errno {
  const from = libc.openAt(content.dirfd, content.name, libc.O_RDONLY | libc.O_NOFOLLOW);
  if (from < 0) return -from as Errno;
  const to = openForWriting(at);
  const errno = to < 0 ? (-to as Errno) : errnoOf(libc.ftruncate(to, 0)) || copyWhole(from, to);
  libc.close(from);
  if (to >= 0) libc.close(to);
  return errno || restore(at, attributes);
}

/** Of a file of somebody else's that may only be written to, attributes stay as they are, and its time is now. */
function restore(at: At, attributes: FileAttributes): Errno {
  const statx = Buffer.alloc(STATX_SIZE);
  if (libc.statxInto(at.dirfd, at.name, statx) < 0) return EIO;
  const { atime, mtime, ...rest } = lacking(attributes, decodeStatx(statx)) ?? {};
  const errno = applyAttributes(at, rest) || applyAttributes(at, { atime, mtime });
  const isOurs = decodeStatx(statx).uid === process.geteuid?.();
  return errno === EPERM && !isOurs ? OK : errno;
}

/** A read-only file of ours becomes writable for the moment; its attributes are set afterwards anyway. */
function openForWriting(at: At): number {
  const flags = libc.O_RDWR | libc.O_NOFOLLOW | libc.O_NONBLOCK;
  const fd = libc.openAt(at.dirfd, at.name, flags);
  if (fd !== -EACCES || chmodNoFollow(at.dirfd, at.name, 0o600) < 0) return fd;
  return libc.openAt(at.dirfd, at.name, flags);
}

function copyWhole(from: number, to: number): Errno {
  const statx = Buffer.alloc(STATX_SIZE);
  if (libc.fstatxInto(from, statx) < 0) return EIO;
  const stat = decodeStatx(statx);
  // What else took the file's place is not to be written to.
  if (!isRegular(stat.mode)) return EIO;
  return copyContent(from, to, stat.size);
}
