/**
 * The inode of the view: one object per file identity, whether the kernel holds a reference, something about
 * it is staged, or both. Pure data; `OverrideTree` keeps it consistent, `Overlay` serves it.
 *
 *     dentry (dir.children: name -> inode | TOMBSTONE)          absent name = ask the base
 *        |
 *      Inode -- base:   where the base directory tree holds its base entry (undefined: born in the view)
 *        `----- staged: what differs (content object, attributes, ...) and its persistent id
 */

import type { BytePath, Gen, Ino, Name, NodeId, ObjectId } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import type { Stat } from '../sys/stat.ts';
import { S_IFDIR, S_IFMT, S_IFREG } from '../sys/stat.ts';
import type { Attributes, Time } from './attribute-set.ts';
import { sharedAttributes, sharedTime, small, withAttributes } from './compact.ts';

export type { Attributes, DraftAttributes, Time } from './attribute-set.ts';

/** "This name is deleted": hides what the base has under it. */
export const TOMBSTONE = null;

export type Dentry = Inode | typeof TOMBSTONE;

/** Bits of `Staged.changed`: which metadata somebody changed on purpose (not the mtime of a directory as a side effect). */
export const CHANGED_MODE = 1;
export const CHANGED_OWNER = 2;
export const CHANGED_TIMES = 4;
export const CHANGED_XATTR = 8;

/** What the base file looked like when it was first overridden; conflict checks compare against it. */
export interface Fingerprint {
  dev: number;
  ino: number;
  size: number;
  mtime: Time;
  ctime: Time;
  nlink: number;
}

/** The fingerprint of what a base tree says. */
export function fingerprintOf(stat: Stat): Fingerprint {
  return {
    dev: small(stat.dev),
    ino: small(stat.ino),
    size: small(stat.size),
    mtime: sharedTime(stat.mtimeSec, stat.mtimeNsec),
    ctime: sharedTime(stat.ctimeSec, stat.ctimeNsec),
    nlink: small(stat.nlink),
  };
}

/** Everything about an inode that differs from the base. Exists as soon as the inode is in the override tree, also as a mere scaffold. */
export interface Staged {
  /** Key in the durable tree, never reused within a session. */
  id: number;
  /** Content file of a regular file; 0 = content is the base's. */
  object: ObjectId;
  /** Generation in which `object` was made; an older one than the current is copied before the next write. */
  objectGen: Gen;
  attributes: Attributes;
  changed: number;
  /** Names in the view of an inode that is not a directory. */
  nlink: number;
  /** Directory: the base's entries are hidden (it was born in the view, even where the base has one at this path). */
  opaque: boolean;
  /** Symlink born in the view: its target. */
  target: string | undefined;
  /** Device node: its number (kernel encoding). */
  rdev: number;
  /** Changed extended attributes; null = removed. */
  xattrs: Map<string, Buffer | null> | undefined;
  fingerprint: Fingerprint | undefined;
}

/** What an inode born in the view starts with. */
export interface NewInode {
  readonly type: number;
  readonly ino: Ino;
  readonly object: ObjectId;
  readonly gen: Gen;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly rdev: number;
  readonly target: string | undefined;
}

/** The staged part of an inode of which nothing differs yet. */
export function newStaged(id: number): Staged {
  return {
    id,
    object: 0 as ObjectId,
    objectGen: 0 as Gen,
    attributes: {},
    changed: 0,
    nlink: 1,
    opaque: false,
    target: undefined,
    rdev: 0,
    xattrs: undefined,
    fingerprint: undefined,
  };
}

/** Turns the staged part of an inode of which nothing differs yet into that of one born in the view. */
export function fillNew(staged: Staged, fresh: NewInode, time: Time): Staged {
  const { mode, uid, gid, object, gen: objectGen, target, rdev } = fresh;
  const opaque = (fresh.type & S_IFMT) === S_IFDIR;
  const attributes = sharedAttributes({ mode, uid, gid, atime: time, mtime: time, ctime: time });
  return Object.assign(staged, { object, objectGen, attributes, opaque, target, rdev });
}

/** A change of attributes, and of one extended attribute. */
export interface StagedChange {
  readonly attributes: Attributes;
  /** CHANGED_* bits that it adds. */
  readonly changed: number;
  readonly xattr?: { readonly name: string; readonly value: Buffer | null } | undefined;
  readonly fingerprint?: Fingerprint | undefined;
}

/** Notes a change in the staged part of an inode. */
export function applyChange(inode: Inode, staged: Staged, { attributes, changed, xattr }: StagedChange): void {
  staged.attributes = withAttributes(staged.attributes, attributes);
  staged.changed |= changed;
  if (xattr === undefined) return;
  staged.xattrs ??= new Map();
  if (xattr.value === null && inode.base === undefined) staged.xattrs.delete(xattr.name);
  else staged.xattrs.set(xattr.name, xattr.value);
}

export class Inode {
  /** Kernel reference; 0 = the kernel does not know it. */
  nodeId = 0 as NodeId;
  /** Lookup references the kernel holds (FUSE_FORGET gives them back). */
  lookups = 0;
  /** stat's inode number; 0 = not known yet (a replayed scaffold that was never looked up). */
  ino: Ino;
  /** S_IFMT bits. */
  readonly type: number;
  /** One live dentry of this inode; parent undefined: unlinked, or the root. */
  parent: Inode | undefined;
  name: Name;
  /**
   * Path in the base of the base entry; undefined when born in the view. For a file that still lies where the
   * base has it this stays `NATURAL` to save memory: use `basePath()`.
   */
  base: BytePath | undefined;
  staged: Staged | undefined;
  /** What the kernel was told of the base file (bytes, times as `seenTime`, names; see copy-up/seen-version.ts); tells whether it drifted. */
  seenSize = 0;
  seenMtime = 0;
  seenCtime = 0;
  seenLinks = 0;
  /** The watch reported a change of this base entry since. */
  stale = false;
  /** Directories: overrides, and children of the base that the kernel knows. Other names: ask the base. */
  children: Map<Name, Dentry> | undefined;

  constructor(type: number, ino: Ino, base: BytePath | undefined) {
    this.type = type & S_IFMT;
    this.ino = small(ino) as Ino;
    this.parent = undefined;
    this.name = '' as Name;
    this.base = base;
    this.staged = undefined;
    this.children = this.type === S_IFDIR ? new Map() : undefined;
  }
}

/**
 * Of a field that has held numbers only, one of which was large, V8 makes one that holds doubles, each in 16 bytes of its own, in
 * all objects of its kind. One that has also held something else goes on holding small integers in place.
 */
function loosenFields(): void {
  const none = undefined as never;
  const inode = new Inode(S_IFREG, none, undefined);
  inode.staged = newStaged(none);
  inode.seenSize = none;
  Object.assign(inode.staged, { object: none, objectGen: none, fingerprint: fingerprintOf({} as Stat) });
}

loosenFields();

/** Stands for "the parent's base path plus my name". */
export const NATURAL = '' as BytePath;

/** Where the base holds the base entry of this inode; undefined when it was born in the view. */
export function basePath(inode: Inode): BytePath | undefined {
  if (inode.base !== NATURAL) return inode.base;
  const dir = inode.parent?.base;
  return dir === undefined ? undefined : join(dir, inode.name);
}

/** Whether the base has this inode under the same directory and name as the view (so the dentry overrides nothing). */
export function isNatural(inode: Inode): boolean {
  if (inode.base === NATURAL) return true;
  const parent = inode.parent;
  if (parent === undefined) return inode.base === '/';
  if (inode.base === undefined || parent.base === undefined || parent.staged?.opaque) return false;
  return inode.base === join(parent.base, inode.name);
}

/** Path in the view; undefined for an unlinked inode. */
export function viewPath(inode: Inode): BytePath | undefined {
  let path = '';
  let at: Inode = inode;
  while (at.parent !== undefined) {
    path = `/${at.name}${path}`;
    at = at.parent;
  }
  if (at.base !== '/' || at.name !== '') return undefined;
  return (path === '' ? '/' : path) as BytePath;
}

export interface Place {
  readonly dir: Inode;
  readonly name: Name;
}
