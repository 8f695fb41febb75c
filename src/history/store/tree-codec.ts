/**
 * Keys and values of the tree store (FORMAT.md): an encode/decode pair each. Every value starts with a checksum
 * over its key and the rest, so that a damaged store is noticed and rebuilt from the journal.
 */

import { type Attributes, basePath, type Fingerprint, Inode, type Staged } from '../../staging/inode.ts';
import type { BytePath, Gen, Ino, Name, ObjectId } from '../../sys/bytes.ts';
import { crc32 } from '../../sys/crc32.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import { BinaryReader, BinaryWriter } from './binary.ts';

/** First byte of a key. Directories come first, so that one pass can build the tree. */
export const KEY_META = 0x10;
export const KEY_DIRECTORY = 0x20;
export const KEY_FILE = 0x21;
export const KEY_DENTRY = 0x30;

export const META_KEY = Buffer.from([KEY_META]);

const SUM = 4;
const ID_KEY = 9;

/** Key of an inode, or (with KEY_DENTRY) what all dentries of a directory start with. */
export function idKey(kind: number, id: number, nameLength = 0): Buffer {
  const key = Buffer.allocUnsafe(ID_KEY + nameLength);
  key[0] = kind;
  key.writeUInt32BE(Math.floor(id / 0x1_0000_0000), 1);
  key.writeUInt32BE(id >>> 0, 5);
  return key;
}

export function inodeKey(inode: Inode, id: number): Buffer {
  return idKey(inode.type === S_IFDIR ? KEY_DIRECTORY : KEY_FILE, id);
}

export function dentryKey(dir: number, name: Name): Buffer {
  const key = idKey(KEY_DENTRY, dir, name.length);
  key.write(name, ID_KEY, 'latin1');
  return key;
}

export function idOf(key: Buffer): number {
  return key.readUInt32BE(1) * 0x1_0000_0000 + key.readUInt32BE(5);
}

export function nameOf(key: Buffer): Name {
  return key.toString('latin1', ID_KEY) as Name;
}

const writer = new BinaryWriter();

function seal(key: Buffer): Buffer {
  const value = writer.written;
  value.writeUInt32LE(crc32(value, SUM, value.length, crc32(key)), 0);
  return value;
}

/** A reader of the value behind the checksum; throws RangeError when that does not match. */
export function unseal(key: Buffer, value: Buffer): BinaryReader {
  if (value.length < SUM || value.readUInt32LE(0) !== crc32(value, SUM, value.length, crc32(key))) {
    throw new RangeError('a checksum does not match');
  }
  return new BinaryReader(value, SUM);
}

/** A dentry's value: the inode's id, 0 for a tombstone. The buffer is reused by the next call of an encoder. */
export function encodeDentry(key: Buffer, id: number): Buffer {
  writer.reset(SUM);
  writer.number(id);
  return seal(key);
}

/** Any text, for the meta record. */
export function encodeMeta(json: string): Buffer {
  writer.reset(SUM);
  writer.bytes(json);
  return seal(META_KEY);
}

const OPAQUE = 1;
const HAS_BASE = 2;
const HAS_TARGET = 4;
const HAS_FINGERPRINT = 8;
const HAS_XATTRS = 16;

/** An inode with all that is staged. The buffer is reused by the next call of an encoder. */
export function encodeInode(key: Buffer, inode: Inode, staged: Staged): Buffer {
  // Which of several names comes first is not kept, so only an inode with one may derive its base path from it.
  const base = staged.nlink > 1 || inode.parent === undefined ? basePath(inode) : inode.base;
  writer.reset(SUM);
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
  return seal(key);
}

/** The inverse of `encodeInode`: an inode without a name yet. Throws RangeError when the value is damaged. */
export function decodeInode(key: Buffer, value: Buffer): { inode: Inode; staged: Staged } {
  const reader = unseal(key, value);
  const type = reader.u8() << 12;
  const flags = reader.u8();
  const changed = reader.u8();
  const nlink = reader.u32();
  const rdev = reader.u32();
  const ino = reader.number() as Ino;
  const object = reader.number() as ObjectId;
  const objectGen = reader.number() as Gen;
  const attributes = readAttributes(reader);
  const base = flags & HAS_BASE ? (reader.bytes() as BytePath) : undefined;
  const inode = new Inode(type, ino, base);
  const staged: Staged = {
    id: idOf(key),
    object,
    objectGen,
    attributes,
    changed,
    nlink,
    opaque: (flags & OPAQUE) !== 0,
    target: flags & HAS_TARGET ? reader.bytes() : undefined,
    rdev,
    fingerprint: flags & HAS_FINGERPRINT ? readFingerprint(reader) : undefined,
    xattrs: flags & HAS_XATTRS ? readXattrs(reader) : undefined,
  };
  inode.staged = staged;
  return { inode, staged };
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

const NUMBERS = ['mode', 'uid', 'gid'] as const;
const TIMES = ['atime', 'mtime', 'ctime'] as const;

function writeAttributes(attributes: Attributes): void {
  let mask = 0;
  NUMBERS.forEach((key, i) => {
    if (attributes[key] !== undefined) mask |= 1 << i;
  });
  TIMES.forEach((key, i) => {
    if (attributes[key] !== undefined) mask |= 8 << i;
  });
  writer.u8(mask);
  for (const key of NUMBERS) if (attributes[key] !== undefined) writer.u32(attributes[key]);
  for (const key of TIMES) if (attributes[key] !== undefined) writer.time(attributes[key]);
}

function readAttributes(reader: BinaryReader): Attributes {
  const mask = reader.u8();
  const attributes: Attributes = {};
  NUMBERS.forEach((key, i) => {
    if (mask & (1 << i)) attributes[key] = reader.u32();
  });
  TIMES.forEach((key, i) => {
    if (mask & (8 << i)) attributes[key] = reader.time();
  });
  return attributes;
}

function writeFingerprint(print: Fingerprint): void {
  writer.number(print.dev);
  writer.number(print.ino);
  writer.number(print.size);
  writer.time(print.mtime);
  writer.time(print.ctime);
  writer.u32(print.nlink);
}

function readFingerprint(reader: BinaryReader): Fingerprint {
  return {
    dev: reader.number(),
    ino: reader.number(),
    size: reader.number(),
    mtime: reader.time(),
    ctime: reader.time(),
    nlink: reader.u32(),
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

function readXattrs(reader: BinaryReader): Map<string, Buffer | null> {
  const xattrs = new Map<string, Buffer | null>();
  for (let left = reader.u32(); left > 0; left--) {
    const name = reader.bytes();
    xattrs.set(name, reader.u8() === 0 ? null : Buffer.from(reader.bytes(), 'latin1'));
  }
  return xattrs;
}
