/**
 * Keys of the tree store: a byte for the kind, six for an id (big-endian, so that keys sort by id), and for a dentry
 * the name. In memory a key is a byte string, which is half the work of a Buffer for each of many thousand.
 */
import { createHash } from 'node:crypto';
import type { BytePath, Name } from '../../../sys/bytes.ts';

export type StoreKey = string & { readonly __brand: 'StoreKey' };

/**
 * First byte of a key; what dentries refer to comes before them, so that one pass can build the tree. A file with
 * one name, that is nearly every file, has no record of its own: its dentry holds it.
 */
export const KEY_META = 0x10;
export const KEY_DIRECTORY = 0x20;
export const KEY_SHARED = 0x21;
export const KEY_DENTRY = 0x30;
export const KEY_STAMP = 0x40;

const START_OF_NAME = 7;

/** Key of an inode, or (with KEY_DENTRY) what all dentries of a directory start with. */
export function idKey(kind: number, id: number): StoreKey {
  const high = Math.floor(id / 0x1_0000_0000);
  return String.fromCharCode(
    kind,
    (high >>> 8) & 0xff,
    high & 0xff,
    id >>> 24,
    (id >>> 16) & 0xff,
    (id >>> 8) & 0xff,
    id & 0xff,
  ) as StoreKey;
}

export const META = idKey(KEY_META, 0);

export function dentryKey(dir: number, name: Name): StoreKey {
  return (idKey(KEY_DENTRY, dir) + name) as StoreKey;
}

/** Longer than any but the strangest path, shorter than what LMDB takes. */
const LONGEST_PATH = 900;

/** Key of the stamp of a place in the base. */
export function stampKey(path: BytePath): StoreKey {
  const short = path.length <= LONGEST_PATH ? path : createHash('sha256').update(path, 'latin1').digest('hex');
  return (String.fromCharCode(KEY_STAMP) + short) as StoreKey;
}

export function kindOf(key: StoreKey): number {
  return key.charCodeAt(0);
}

export function idOf(key: StoreKey): number {
  const at = (i: number): number => key.charCodeAt(i);
  return (at(1) * 256 + at(2)) * 0x1_0000_0000 + (((at(3) << 24) | (at(4) << 16) | (at(5) << 8) | at(6)) >>> 0);
}

export function nameOf(key: StoreKey): Name {
  return key.slice(START_OF_NAME) as Name;
}

/** How `lmdb` turns keys into bytes and back. */
export const keyEncoder = {
  writeKey(key: StoreKey, into: Uint8Array, start: number): number {
    for (let i = 0; i < key.length; i++) into[start + i] = key.charCodeAt(i);
    return start + key.length;
  },
  readKey(from: Uint8Array, start: number, end: number): StoreKey {
    // `lmdb` hands out a Buffer in Node; making one of our own costs more than all the rest.
    const buffer = Buffer.isBuffer(from) ? from : Buffer.from(from.buffer, from.byteOffset, from.byteLength);
    return buffer.toString('latin1', start, end) as StoreKey;
  },
};
