/** Carrying out `rewrite` steps: new content for a file of the base that must stay the same inode. */
import { copyContent } from '../../../staging/copy-content.ts';
import type { Errno } from '../../../sys/errno.ts';
import { EACCES, EIO, EPERM, ESTALE, errnoOf, OK } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, isRegular, STATX_SIZE } from '../../../sys/stat.ts';
import type { FileAttributes, Rewrite } from '../plan/steps.ts';
import type { At } from './attributes.ts';
import { applyAttributes, chmodNoFollow, lacking } from './attributes.ts';
import { copyFile } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { drop, holdsBaseEntry, isWritten, must, opened, shift, statAt } from './spot.ts';
import type { StepContext } from './step-context.ts';
import { keptAt, objectAt, open, openBoth, partAt } from './step-context.ts';

export function runRewrite(step: Rewrite, context: StepContext): Errno {
  if (!holdsBaseEntry(context, step.at, [step.id]) || isWritten(statAt(context, step.at), step.seen)) return ESTALE;
  const kept = statAt(context, keptAt(context, step.kept)) === undefined ? backUp(step, context) : OK;
  if (kept !== OK) return kept;
  const at = open(context, step.at);
  return typeof at === 'number' ? at : rewrite(at, objectAt(context, step.object), step.attributes);
}

/** Puts the old content back; what was not backed up was not touched. Throws SystemError. */
export function revertRewrite(step: Rewrite, context: StepContext): void {
  drop(context, partOf(step, context));
  const kept = keptAt(context, step.kept);
  if (statAt(context, kept) === undefined) return;
  if (!holdsBaseEntry(context, step.at, [step.id])) must(ESTALE);
  const [at, from] = opened(openBoth(context, step.at, kept));
  must(rewrite(at, from, step.before));
  drop(context, kept);
}

/** The backup is whole and durable before it has its name: it tells that the file may have been written to. */
function backUp(step: Rewrite, context: StepContext): Errno {
  const part = partOf(step, context);
  drop(context, part);
  const both = openBoth(context, step.at, part);
  if (typeof both === 'number') return both;
  const [at, to] = both;
  const from = libc.openAt(at.dirfd, at.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  if (from < 0) return -from as Errno;
  const errno = copyFile(from, to, {});
  libc.close(from);
  return errno || shift(context, part, keptAt(context, step.kept));
}

function partOf(step: Rewrite, context: StepContext): Slot {
  return partAt(context, step.kept);
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
