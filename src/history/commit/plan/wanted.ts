/** Which attributes a file of the base shall have after a commit, and which of them must be set for that. */
import type { Inode } from '../../../staging/inode.ts';
import { CHANGED_MODE, CHANGED_OWNER, CHANGED_XATTR } from '../../../staging/inode.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import type { Stat } from '../../../sys/stat.ts';
import { S_IFLNK } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import type { FileAttributes, Xattr } from '../apply/attributes.ts';
import { attributesOf, lacking } from '../apply/attributes.ts';

const ON_PURPOSE = CHANGED_MODE | CHANGED_OWNER | CHANGED_XATTR;

/** A base entry that an inode overrides. */
export interface Original {
  readonly path: BytePath;
  readonly stat: Stat;
}

/** Attributes of what is born in the view and is no regular file. */
export function attributesOfNew(inode: Inode): FileAttributes {
  const { mode, uid, gid, atime, mtime } = inode.staged?.attributes ?? {};
  const xattrs = newXattrs(inode, []);
  return { mode: inode.type === S_IFLNK ? undefined : mode, uid, gid, atime, mtime, xattrs };
}

/** What a content object comes to be: it has the attributes of `object` now, and may take the place of a base entry. */
export interface ContentFile {
  readonly object: Stat;
  readonly original: Original | undefined;
}

/** All attributes of a content object once it is in its place. */
export function attributesOfContent(inode: Inode, { object, original }: ContentFile, facts: Facts): FileAttributes {
  const own = inode.staged?.attributes ?? {};
  const from = original?.stat ?? object;
  return {
    mode: own.mode ?? from.mode & 0o7777,
    uid: own.uid ?? from.uid,
    gid: own.gid ?? from.gid,
    atime: own.atime,
    // A write changes the time of the object itself; the kernel's own idea of it, if it sent one, is the truth.
    mtime: own.mtime ?? { sec: object.mtimeSec, nsec: object.mtimeNsec },
    xattrs: newXattrs(inode, original === undefined ? NO_XATTRS : carriedXattrs(original.path, facts)),
  };
}

/** The staged attributes that a base entry lacks, and what it has instead. */
export function adjustment(inode: Inode, original: Original, facts: Facts): Adjustment | undefined {
  const { mode, uid, gid, atime, mtime } = inode.staged?.attributes ?? {};
  const xattrs = changedXattrs(inode, original.path, facts);
  const wanted = { mode: inode.type === S_IFLNK ? undefined : mode, uid, gid, atime, mtime, xattrs };
  const attributes = lacking(wanted, original.stat);
  if (attributes === undefined) return undefined;
  const says = (inode.staged?.changed ?? 0) & ON_PURPOSE ? 'attributes' : undefined;
  return { attributes, before: beforeOf(xattrs, original, facts), says };
}

export interface Adjustment {
  readonly attributes: FileAttributes;
  readonly before: FileAttributes;
  readonly says: 'attributes' | undefined;
}

/** What puts a base entry's attributes back. */
export function beforeOf(changed: readonly Xattr[], original: Original, facts: Facts): FileAttributes {
  const xattrs = changed.map(({ name }) => ({ name, value: facts.xattr(original.path, name) ?? null, carried: false }));
  const attributes = attributesOf(original.stat);
  return { ...attributes, xattrs, ...(isLink(original.stat) ? { mode: undefined } : {}) };
}

/** The staged extended attributes that differ from a base entry's. */
export function changedXattrs(inode: Inode, path: BytePath, facts: Facts): Xattr[] {
  const changed: Xattr[] = [];
  for (const [name, value] of inode.staged?.xattrs ?? []) {
    const original = facts.xattr(path, name);
    const same = value === null ? original === undefined : original?.equals(value) === true;
    if (!same) changed.push({ name, value, carried: false });
  }
  return changed;
}

const NO_XATTRS: readonly Xattr[] = [];

function newXattrs(inode: Inode, carried: readonly Xattr[]): readonly Xattr[] {
  const staged = inode.staged?.xattrs;
  if (staged === undefined && carried.length === 0) return NO_XATTRS;
  const kept = carried.filter(({ name }) => staged?.has(name) !== true);
  for (const [name, value] of staged ?? []) {
    if (value !== null) kept.push({ name, value, carried: false });
  }
  return kept;
}

function carriedXattrs(path: BytePath, facts: Facts): Xattr[] {
  return facts.xattrNames(path).flatMap((name) => {
    const value = facts.xattr(path, name);
    return value === undefined ? [] : [{ name, value, carried: true }];
  });
}

function isLink(stat: Stat): boolean {
  return (stat.mode & 0o170000) === S_IFLNK;
}
