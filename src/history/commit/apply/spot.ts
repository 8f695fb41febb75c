/**
 * Where things are and whether they are the ones that were meant: device and inode number tell. All that takes a step
 * back asks here first, so it may be asked twice, and after a crash, and moves nothing that somebody else put there.
 */

import { ownNumber } from '../../../staging/base-tree.ts';
import type { Errno } from '../../../sys/errno.ts';
import { ELOOP, ENOENT, ENOTDIR, OK, SystemError } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import type { Stat } from '../../../sys/stat.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import type { Identity, Seen } from '../plan/identity.ts';
import type { At } from './attributes.ts';
import type { Directory, Slot } from './directories.ts';
import { removeTree } from './remove-tree.ts';
import { renameToFree } from './rename.ts';
import type { StepContext } from './step-context.ts';
import { open, openBoth } from './step-context.ts';

/** A name in a directory of the plan, or in one that is open. */
export type Spot = Slot | At;

const statx = Buffer.alloc(STATX_SIZE);

export function openSpot(context: StepContext, spot: Spot): At | Errno {
  return 'dirfd' in spot ? spot : open(context, spot);
}

/** What is at a spot; undefined: nothing, or the directory is not there. Throws SystemError when that cannot be told. */
export function statAt(context: StepContext, spot: Spot): Stat | undefined {
  const at = openSpot(context, spot);
  const errno = typeof at === 'number' ? at : (-Math.min(0, libc.statxInto(at.dirfd, at.name, statx)) as Errno);
  if (errno === OK) return decodeStatx(statx);
  if (errno === ENOENT || errno === ENOTDIR || errno === ELOOP) return undefined;
  throw new SystemError('cannot look', errno);
}

/** Whether one of these is at the spot. Throws SystemError. */
export function holds(context: StepContext, spot: Spot, wanted: readonly (Identity | undefined)[]): boolean {
  const stat = statAt(context, spot);
  return stat !== undefined && isOneOf(context, stat, wanted);
}

/** Whether what was looked at is one of these. */
export function isOneOf(context: StepContext, stat: Identity, wanted: readonly (Identity | undefined)[]): boolean {
  return wanted.some((identity) => identity !== undefined && isSame(context, identity, stat));
}

/** Whether somebody has written to a file since the plan was made; false where that is not known. */
export function isWritten(stat: Stat | undefined, seen: Seen | undefined): boolean {
  if (seen === undefined || stat === undefined) return false;
  const { sec, nsec } = seen.mtime;
  return stat.size !== seen.size || stat.mtimeSec !== sec || stat.mtimeNsec !== nsec;
}

/** As `holds`, for a base entry; one that came along in a copy is known by its place alone. Throws SystemError. */
export function holdsBaseEntry(context: StepContext, slot: Slot, wanted: readonly (Identity | undefined)[]): boolean {
  return isInCopy(context, slot.dir) ? statAt(context, slot) !== undefined : holds(context, slot, wanted);
}

/** Whether a directory is a copy, or lies in one. */
export function isInCopy({ copies }: StepContext, directory: Directory): boolean {
  if (copies.size === 0) return false;
  for (let at: Directory | undefined = directory; at !== undefined; at = at.parent) if (copies.has(at)) return true;
  return false;
}

/** Device numbers mean something only in the boot in which they were written down. */
export function isSame({ notes }: StepContext, a: Identity, b: Identity): boolean {
  return ownNumber(a.ino) === ownNumber(b.ino) && (!notes.sameBoot || a.dev === b.dev);
}

/** Renames to a name that must be free. */
export function shift(context: StepContext, from: Spot, to: Spot): Errno {
  const both = openSpots(context, from, to);
  return typeof both === 'number' ? both : renameToFree(both[0], both[1]);
}

/** Two spots at once, or an errno. */
export function openSpots(context: StepContext, a: Spot, b: Spot): readonly [At, At] | Errno {
  if (!('dirfd' in a) && !('dirfd' in b)) return openBoth(context, a, b);
  const first = openSpot(context, a);
  const second = openSpot(context, b);
  if (typeof first === 'number') return first;
  return typeof second === 'number' ? second : [first, second];
}

/** Removes what is at a spot that only we give things to, if anything is. Throws SystemError. */
export function drop(context: StepContext, spot: Spot): void {
  if (statAt(context, spot) === undefined) return;
  const { dirfd, name } = opened(openSpot(context, spot));
  must(removeTree(dirfd, name));
}

/** Passes on what is no errno, and throws what is one. */
export function opened<T extends object>(result: T | Errno): T {
  if (typeof result === 'number') throw new SystemError('cannot take back', result);
  return result;
}

/** Throws what is an errno. */
export function must(errno: Errno): void {
  if (errno !== OK) throw new SystemError('cannot take back', errno);
}
