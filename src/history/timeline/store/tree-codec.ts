/**
 * Values of the tree store (FORMAT.md): an encode/decode pair each. Every value starts with a checksum over its key
 * and the rest, so that a damaged store is noticed and rebuilt from the journal.
 */

import type { BaseStamp } from '../../../staging/base-stamps.ts';
import { sharedAttributes } from '../../../staging/compact.ts';
import {
  type Attributes,
  basePath,
  type DraftAttributes,
  type Fingerprint,
  Inode,
  type Staged,
} from '../../../staging/inode.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../../sys/bytes.ts';
import { crc32 } from '../../../sys/text/crc32.ts';
import { BinaryReader, BinaryWriter } from './binary.ts';
import { idOf, keyEncoder, META, type StoreKey } from './keys.ts';

const SUM = 4;

const writer = new BinaryWriter();

const keyBytes = Buffer.alloc(1024);

/** The checksum of the key, which that of the value continues. */
function sumOf(key: StoreKey): number {
  return crc32(keyBytes, 0, keyEncoder.writeKey(key, keyBytes, 0));
}

function seal(key: StoreKey): Buffer {
  const value = writer.written;
  value.writeUInt32LE(crc32(value, SUM, value.length, sumOf(key)), 0);
  return value;
}

const reader = new BinaryReader();

/** The one reader, on the value behind its checksum; throws RangeError when that does not match. */
export function unseal(key: StoreKey, value: Buffer): BinaryReader {
  if (value.length < SUM || value.readUInt32LE(0) !== crc32(value, SUM, value.length, sumOf(key))) {
    throw new RangeError('a checksum does not match');
  }
  reader.reset(value, SUM);
  return reader;
}

/** Any text, for the meta record. The buffer is reused by the next call of an encoder. */
export function encodeMeta(json: string): Buffer {
  writer.reset(SUM);
  writer.bytes(json);
  return seal(META);
}

/** The stamp of a place. The buffer is reused, as above. */
export function encodeStamp(key: StoreKey, path: BytePath, stamp: BaseStamp): Buffer {
  writer.reset(SUM);
  writer.number(stamp);
  writer.bytes(path);
  return seal(key);
}

/** The inverse of `encodeStamp`. Throws RangeError when the value is damaged. */
export function decodeStamp(key: StoreKey, value: Buffer): { path: BytePath; stamp: BaseStamp } {
  const input = unseal(key, value);
  const stamp = input.number() as BaseStamp;
  return { path: input.bytes() as BytePath, stamp };
}

const TOMBSTONE_DENTRY = 0;
const LINK_DENTRY = 1;
const FULL_DENTRY = 2;

/** A dentry that hides the base's (no id), or refers to a record of its own. The buffer is reused, as above. */
export function encodeDentry(key: StoreKey, id: number | undefined): Buffer {
  writer.reset(SUM);
  writer.u8(id === undefined ? TOMBSTONE_DENTRY : LINK_DENTRY);
  if (id !== undefined) writer.number(id);
  return seal(key);
}

/** A dentry with its inode in it. The buffer is reused, as above. */
export function encodeFullDentry(key: StoreKey, inode: Inode, staged: Staged): Buffer {
  writer.reset(SUM);
  writer.u8(FULL_DENTRY);
  writer.number(staged.id);
  writeInode(inode, staged, inode.base);
  return seal(key);
}

export type DecodedDentry = 'tombstone' | { readonly id: number; readonly inode: Inode | undefined };

/** The inverse of both; throws RangeError when the value is damaged. */
export function decodeDentry(key: StoreKey, value: Buffer): DecodedDentry {
  const input = unseal(key, value);
  const kind = input.u8();
  if (kind === TOMBSTONE_DENTRY) return 'tombstone';
  const id = input.number();
  return { id, inode: kind === FULL_DENTRY ? readInode(input, id) : undefined };
}

const OPAQUE = 1;
const HAS_BASE = 2;
const HAS_TARGET = 4;
const HAS_FINGERPRINT = 8;
const HAS_XATTRS = 16;

/** The record of a directory or of a file with several names. The buffer is reused, as above. */
export function encodeInode(key: StoreKey, inode: Inode, staged: Staged): Buffer {
  writer.reset(SUM);
  // Which of several names is the first is not kept, so the base path cannot be derived from it.
  writeInode(inode, staged, basePath(inode));
  return seal(key);
}

/** The inverse of `encodeInode`: an inode without a name yet. Throws RangeError when the value is damaged. */
export function decodeInode(key: StoreKey, value: Buffer): Inode {
  return readInode(unseal(key, value), idOf(key));
}

function writeInode(inode: Inode, staged: Staged, base: BytePath | undefined): void {
  writer.u8(inode.type >> 12);
  writer.u8(flagsOf(staged, base));
  writer.u8(staged.changed);
  writer.u32(staged.nlink);
  writer.u32(staged.rdev);
  writer.number(inode.ino);
  writer.number(staged.object);
  writer.number(staged.objectGen);
  writeAttributes(staged.attributes);
  if (base !== undefined) writer.bytes(base);
  if (staged.target !== undefined) writer.bytes(staged.target);
  if (staged.fingerprint !== undefined) writeFingerprint(staged.fingerprint);
  if (staged.xattrs !== undefined) writeXattrs(staged.xattrs);
}

/** Written as one literal, as `newStaged` has it: to fill that in is a third more work, for each of many files. */
function readInode(input: BinaryReader, id: number): Inode {
  const type = input.u8() << 12;
  const flags = input.u8();
  const changed = input.u8();
  const nlink = input.u32();
  const rdev = input.u32();
  const ino = input.number() as Ino;
  const staged: Staged = {
    id,
    object: input.number() as ObjectId,
    objectGen: input.number() as Gen,
    attributes: readAttributes(input),
    changed,
    nlink,
    opaque: (flags & OPAQUE) !== 0,
    target: undefined,
    rdev,
    xattrs: undefined,
    fingerprint: undefined,
  };
  const inode = new Inode(type, ino, flags & HAS_BASE ? (input.bytes() as BytePath) : undefined);
  if (flags & HAS_TARGET) staged.target = input.bytes();
  if (flags & HAS_FINGERPRINT) staged.fingerprint = readFingerprint(input);
  if (flags & HAS_XATTRS) staged.xattrs = readXattrs(input);
  inode.staged = staged;
  return inode;
}

function flagsOf(staged: Staged, base: BytePath | undefined): number {
  return (
    (staged.opaque ? OPAQUE : 0) |
    (base !== undefined ? HAS_BASE : 0) |
    (staged.target !== undefined ? HAS_TARGET : 0) |
    (staged.fingerprint !== undefined ? HAS_FINGERPRINT : 0) |
    (staged.xattrs !== undefined ? HAS_XATTRS : 0)
  );
}

const MODE = 1;
const UID = 2;
const GID = 4;
const ATIME = 8;
const MTIME = 16;
const CTIME = 32;
const NUMBERS = MODE | UID | GID;
const TIMES = ATIME | MTIME | CTIME;

function writeAttributes({ mode, uid, gid, atime, mtime, ctime }: Attributes): void {
  const numbers = (mode === undefined ? 0 : MODE) | (uid === undefined ? 0 : UID) | (gid === undefined ? 0 : GID);
  const times = (atime ? ATIME : 0) | (mtime ? MTIME : 0) | (ctime ? CTIME : 0);
  writer.u8(numbers | times);
  if (mode !== undefined) writer.u32(mode);
  if (uid !== undefined) writer.u32(uid);
  if (gid !== undefined) writer.u32(gid);
  if (atime !== undefined) writer.time(atime);
  if (mtime !== undefined) writer.time(mtime);
  if (ctime !== undefined) writer.time(ctime);
}

/** The sets of fields that nearly all files have are literals, as in staging/compact.ts. */
function readAttributes(input: BinaryReader): Attributes {
  const mask = input.u8();
  if (mask === (NUMBERS | TIMES)) return sharedAttributes(readAll(input));
  if (mask === TIMES) return sharedAttributes({ atime: input.time(), mtime: input.time(), ctime: input.time() });
  if (mask === (MTIME | CTIME)) return sharedAttributes({ mtime: input.time(), ctime: input.time() });
  const attributes: DraftAttributes = {};
  if (mask & MODE) attributes.mode = input.u32();
  if (mask & UID) attributes.uid = input.u32();
  if (mask & GID) attributes.gid = input.u32();
  if (mask & ATIME) attributes.atime = input.time();
  if (mask & MTIME) attributes.mtime = input.time();
  if (mask & CTIME) attributes.ctime = input.time();
  return attributes;
}

function readAll(input: BinaryReader): Attributes {
  return {
    mode: input.u32(),
    uid: input.u32(),
    gid: input.u32(),
    atime: input.time(),
    mtime: input.time(),
    ctime: input.time(),
  };
}

function writeFingerprint(print: Fingerprint): void {
  writer.number(print.dev);
  writer.number(print.ino);
  writer.number(print.size);
  writer.time(print.mtime);
  writer.time(print.ctime);
  writer.u32(print.nlink);
}

function readFingerprint(input: BinaryReader): Fingerprint {
  return {
    dev: input.number(),
    ino: input.number(),
    size: input.number(),
    mtime: input.time(),
    ctime: input.time(),
    nlink: input.u32(),
  };
}

function writeXattrs(xattrs: ReadonlyMap<string, Buffer | null>): void {
  writer.u32(xattrs.size);
  for (const [name, value] of xattrs) {
    writer.bytes(name);
    writer.u8(value === null ? 0 : 1);
    if (value !== null) writer.bytes(value.toString('latin1'));
  }
}

function readXattrs(input: BinaryReader): Map<string, Buffer | null> {
  const xattrs = new Map<string, Buffer | null>();
  for (let left = input.u32(); left > 0; left--) {
    const name = input.bytes();
    xattrs.set(name, input.u8() === 0 ? null : Buffer.from(input.bytes(), 'latin1'));
  }
  return xattrs;
}
