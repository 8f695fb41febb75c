/**
 * The fields of a journal line: an encode/decode pair for each kind of value. A field is printable ASCII without
 * tabs; everything else in it is written `\xNN`. `-` alone stands for "none", so a real `-` is escaped.
 * The decoders throw FieldError.
 */

import type { BaseStamp } from '../../staging/base-stamps.ts';
import { sharedTime } from '../../staging/compact.ts';
import type { Attributes, DraftAttributes, Fingerprint, Time } from '../../staging/inode.ts';
import type { Backing } from '../../staging/recorder.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../sys/bytes.ts';
import { S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT, S_IFREG, S_IFSOCK } from '../../sys/stat.ts';
import type { GenRange } from './generations.ts';

export const NONE = '-';

/** A field does not hold what its place says: the line was not written by this version, or is damaged. */
export class FieldError extends Error {
  constructor(field: string, expected: string) {
    super(`\`${field.slice(0, 80)}\` is not ${expected}`);
    this.name = 'FieldError';
  }
}

// A test of the whole string first: nearly all names have nothing to escape.
const SUSPECT = /[^\x21-\x5b\x5d-\x7e]|^-$/;
const ESCAPED = /[^\x20-\x5b\x5d-\x7e]|^ | $|^-$/g;

/** Any byte string as one field; undefined as `-`. Spaces stay readable inside, not at the edges. */
export function encodeBytes(bytes: string | undefined): string {
  if (bytes === undefined) return NONE;
  return SUSPECT.test(bytes) ? bytes.replace(ESCAPED, escapeByte) : bytes;
}

function escapeByte(c: string): string {
  return `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** The inverse of `encodeBytes`. */
export function decodeBytes(field: string): string | undefined {
  if (field === NONE) return undefined;
  if (!field.includes('\\')) return field;
  return field.replace(/\\(x([0-9a-f]{2}))?/g, (_, hex: string | undefined) => {
    if (hex === undefined) throw new FieldError(field, 'escaped text');
    return String.fromCharCode(Number.parseInt(hex.slice(1), 16));
  });
}

/** An absolute path. */
export function decodePath(field: string): BytePath {
  const path = decodeBytes(field);
  if (!path?.startsWith('/')) throw new FieldError(field, 'an absolute path');
  return path as BytePath;
}

const TYPE_WORDS: readonly (readonly [number, string])[] = [
  [S_IFREG, 'file'],
  [S_IFDIR, 'directory'],
  [S_IFLNK, 'symlink'],
  [S_IFIFO, 'fifo'],
  [S_IFSOCK, 'socket'],
  [S_IFCHR, 'char'],
  [S_IFBLK, 'block'],
];
const WORD_OF_TYPE = new Map(TYPE_WORDS);
const TYPE_OF_WORD = new Map(TYPE_WORDS.map(([type, word]) => [word, type]));

/** S_IFMT bits as a word, e.g. `directory`. */
export function encodeType(type: number): string {
  return WORD_OF_TYPE.get(type & S_IFMT) ?? NONE;
}

export function decodeType(field: string): number {
  const type = TYPE_OF_WORD.get(field);
  if (type === undefined) throw new FieldError(field, 'a file type');
  return type;
}

/** A non-negative integer up to 2^53-1. */
export function decodeInteger(field: string): number {
  return checked(Number(field), field);
}

/** `FROM-TO`, both included. */
export function encodeRange({ from, to }: GenRange): string {
  return `${from}-${to}`;
}

export function decodeRange(field: string): GenRange {
  const [from = '', to = ''] = field.split('-');
  return { from: decodeInteger(from) as Gen, to: decodeInteger(to) as Gen };
}

/** A mode: octal with a leading zero. */
export function decodeOctal(field: string): number {
  return checked(Number(`0o${field}`), field);
}

function checked(value: number, field: string): number {
  if (field === '' || !Number.isSafeInteger(value) || value < 0) throw new FieldError(field, 'a number');
  return value;
}

/** `word` for true, `-` for false. */
export function encodeFlag(flag: boolean, word: string): string {
  return flag ? word : NONE;
}

export function decodeFlag(field: string, word: string): boolean {
  if (field !== word && field !== NONE) throw new FieldError(field, `\`${word}\` or \`-\``);
  return field === word;
}

/** `seconds.nanoseconds`, nine digits after the point. Before 1970 the seconds are negative and the rest still counts upwards. */
export function encodeTime(time: Time): string {
  const { sec, nsec } = time;
  if (sec !== lastWritten.sec || nsec !== lastWritten.nsec) {
    lastWritten = { sec, nsec, field: `${sec}.${String(nsec).padStart(9, '0')}` };
  }
  return lastWritten.field;
}

/** Most records have one time several times over. */
let lastWritten = { sec: 0, nsec: 0, field: '0.000000000' };

export function decodeTime(field: string): Time {
  // Records that follow each other, and the times in one, are mostly of the same moment.
  if (field !== lastTime.field) lastTime = { field, time: parseTime(field) };
  return lastTime.time;
}

let lastTime = { field: '0.0', time: sharedTime(0, 0) };

function parseTime(field: string): Time {
  const dot = field.indexOf('.');
  const sec = Number(field.slice(0, dot));
  if (dot < 1 || !Number.isSafeInteger(sec)) throw new FieldError(field, 'a time');
  return sharedTime(sec, decodeInteger(field.slice(dot + 1)));
}

type SetAttributes = { readonly [Key in keyof Attributes]: Attributes[Key] | undefined };

/** `mode=0644,uid=0,mtime=1.000000000`, the staged ones only; `-` when there are none. */
export function encodeAttributes(attributes: SetAttributes): string {
  let field = '';
  if (attributes.mode !== undefined) field += `,mode=0${attributes.mode.toString(8)}`;
  if (attributes.uid !== undefined) field += `,uid=${attributes.uid}`;
  if (attributes.gid !== undefined) field += `,gid=${attributes.gid}`;
  if (attributes.atime !== undefined) field += `,atime=${encodeTime(attributes.atime)}`;
  if (attributes.mtime !== undefined) field += `,mtime=${encodeTime(attributes.mtime)}`;
  if (attributes.ctime !== undefined) field += `,ctime=${encodeTime(attributes.ctime)}`;
  return field === '' ? NONE : field.slice(1);
}

export function decodeAttributes(field: string): Attributes {
  const attributes: DraftAttributes = {};
  if (field === NONE) return attributes;
  for (const part of field.split(',')) {
    const equals = part.indexOf('=');
    setAttribute(attributes, part.slice(0, equals), part.slice(equals + 1));
  }
  return attributes;
}

function setAttribute(attributes: DraftAttributes, key: string, field: string): void {
  switch (key) {
    case 'mode':
      attributes.mode = decodeOctal(field);
      return;
    case 'uid':
    case 'gid':
      attributes[key] = decodeInteger(field);
      return;
    case 'atime':
    case 'mtime':
    case 'ctime':
      attributes[key] = decodeTime(field);
      return;
    default:
      throw new FieldError(key, 'an attribute');
  }
}

/** `dev:ino:size:mtime:ctime:nlink`. */
export function encodeFingerprint(print: Fingerprint | undefined): string {
  if (print === undefined) return NONE;
  const times = `${encodeTime(print.mtime)}:${encodeTime(print.ctime)}`;
  return `${print.dev}:${print.ino}:${print.size}:${times}:${print.nlink}`;
}

export function decodeFingerprint(field: string): Fingerprint | undefined {
  if (field === NONE) return undefined;
  const [dev = '', ino = '', size = '', mtime = '', ctime = '', nlink = ''] = field.split(':');
  return {
    dev: decodeInteger(dev),
    ino: decodeInteger(ino),
    size: decodeInteger(size),
    mtime: decodeTime(mtime),
    ctime: decodeTime(ctime),
    nlink: decodeInteger(nlink),
  };
}

/** A number, or none. */
export function encodeStamp(stamp: BaseStamp | undefined): string {
  return stamp === undefined ? NONE : String(stamp);
}

/** `absent`, `base:TYPE:PATH`, `object:ID:PATH`, `symlink:TARGET`, `other:TYPE`. */
export function encodeBacking(backing: Backing): string {
  switch (backing.kind) {
    case 'absent':
      return 'absent';
    case 'base':
      return `base:${encodeType(backing.type)}:${encodeBytes(backing.path)}`;
    case 'object':
      return `object:${backing.object}:${encodeBytes(backing.path)}`;
    case 'symlink':
      return `symlink:${encodeBytes(backing.target)}`;
    case 'other':
      return `other:${encodeType(backing.type)}`;
  }
}

export function decodeBacking(field: string): Backing {
  const [kind, rest] = splitColon(field);
  switch (kind) {
    case 'absent':
      return { kind };
    case 'base': {
      const [type, path] = splitColon(rest);
      return { kind, type: decodeType(type), path: decodePath(path) };
    }
    case 'object': {
      const [object, path] = splitColon(rest);
      return { kind, object: decodeInteger(object) as ObjectId, path: path === NONE ? undefined : decodePath(path) };
    }
    case 'symlink':
      return { kind, target: decodeBytes(rest) ?? '' };
    case 'other':
      return { kind, type: decodeType(rest) };
    default:
      throw new FieldError(field, 'what a name stood for');
  }
}

function splitColon(field: string): [string, string] {
  const colon = field.indexOf(':');
  return colon < 0 ? [field, ''] : [field.slice(0, colon), field.slice(colon + 1)];
}

/** A set of CHANGED_* bits in words, by its number. */
const CHANGED_WORDS = makeChangedWords();

function makeChangedWords(): string[] {
  const bits = ['mode', 'owner', 'times', 'xattr'];
  return Array.from({ length: 16 }, (_, set) => bits.filter((_bit, i) => set & (1 << i)).join('+') || '-');
}

/** A set of CHANGED_* bits: `mode+times`, `-` when there are none. */
export function encodeChanged(changed: number): string {
  return CHANGED_WORDS[changed] ?? NONE;
}

export function decodeChanged(field: string): number {
  const changed = CHANGED_WORDS.indexOf(field);
  if (changed < 0) throw new FieldError(field, 'a set of changes');
  return changed;
}

export function decodeIno(field: string): Ino {
  return decodeInteger(field) as Ino;
}

export function decodeObject(field: string): ObjectId {
  return decodeInteger(field) as ObjectId;
}
