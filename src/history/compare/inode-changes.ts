/** Whether what is staged for one inode really differs from the base: its content, its metadata, or nothing. */

import { backingOf } from '../../staging/backing.ts';
import type { Attributes, Inode, Time } from '../../staging/inode.ts';
import { CHANGED_MODE, CHANGED_OWNER, CHANGED_TIMES, CHANGED_XATTR } from '../../staging/inode.ts';
import type { Backing } from '../../staging/recorder.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { Stat } from '../../sys/stat.ts';
import { S_IFBLK, S_IFCHR, S_IFLNK, S_IFMT } from '../../sys/stat.ts';
import { hasIdleTimes } from '../noise/paths.ts';
import type { Facts } from './facts.ts';

export type Difference = 'modified' | 'metadata' | undefined;

const ALL = CHANGED_MODE | CHANGED_OWNER | CHANGED_XATTR;

/** An inode that overrides its own base entry. */
export function differenceToBase(inode: Inode, path: BytePath, facts: Facts): Difference {
  const staged = inode.staged;
  if (staged === undefined || (staged.object === 0 && staged.changed === 0)) return undefined;
  const stat = facts.of(path);
  const original: Backing = { kind: 'base', type: inode.type, path };
  if (stat === undefined || !(staged.object === 0 || facts.same(backingOf(inode), original))) return 'modified';
  const which = hasIdleTimes(path) ? staged.changed & ~CHANGED_TIMES : staged.changed;
  return metadataDiffers(inode, { path, stat, which }, facts) ? 'metadata' : undefined;
}

/** An inode under a name where the base has another file. */
export function differenceToReplaced(inode: Inode, replaced: { path: BytePath; stat: Stat }, facts: Facts): Difference {
  const { path, stat } = replaced;
  if (!facts.same(backingOf(inode), { kind: 'base', type: stat.mode & S_IFMT, path })) return 'modified';
  const isDevice = inode.type === S_IFCHR || inode.type === S_IFBLK;
  if (isDevice && inode.base === undefined && inode.staged?.rdev !== stat.rdev) return 'modified';
  // A tool that writes a new file and renames it into place changes the time without meaning to.
  const which = ALL | ((inode.staged?.changed ?? 0) & CHANGED_TIMES);
  return metadataDiffers(inode, { path, stat, which }, facts) ? 'metadata' : undefined;
}

interface Original {
  readonly path: BytePath;
  readonly stat: Stat;
  /** CHANGED_* bits of what to compare. */
  readonly which: number;
}

function metadataDiffers(inode: Inode, original: Original, facts: Facts): boolean {
  const { stat, which } = original;
  const attributes = inode.staged?.attributes ?? {};
  if (which & CHANGED_MODE && inode.type !== S_IFLNK && isOther(attributes.mode, stat.mode & 0o7777)) return true;
  if (which & CHANGED_OWNER && (isOther(attributes.uid, stat.uid) || isOther(attributes.gid, stat.gid))) return true;
  if (which & CHANGED_TIMES && isOtherTime(attributes, stat)) return true;
  return (which & CHANGED_XATTR) !== 0 && xattrsDiffer(inode, original.path, facts);
}

function isOther(value: number | undefined, original: number): boolean {
  return value !== undefined && value !== original;
}

function isOtherTime({ mtime }: Attributes, stat: Stat): boolean {
  return mtime !== undefined && !isSameTime(mtime, { sec: stat.mtimeSec, nsec: stat.mtimeNsec });
}

function isSameTime(a: Time, b: Time): boolean {
  return a.sec === b.sec && a.nsec === b.nsec;
}

/** The staged attributes, and for an inode born in the view the user's attributes that it lacks. */
function xattrsDiffer(inode: Inode, path: BytePath, facts: Facts): boolean {
  const staged = inode.staged?.xattrs;
  for (const [name, value] of staged ?? []) {
    const original = facts.xattr(path, name);
    if (value === null ? original !== undefined : original?.equals(value) !== true) return true;
  }
  if (inode.base !== undefined) return false;
  return facts.xattrNames(path).some((name) => name.startsWith('user.') && staged?.has(name) !== true);
}
