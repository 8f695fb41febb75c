/**
 * What a git index says: names, modes, objects and stages. What else is in it (times and numbers of files, trees that were
 * computed) git writes anew whenever it looks, so two of them may say the same in other bytes. Pure.
 */
import { createHash } from 'node:crypto';

/** Bytes of an index up to which it is looked at, and its merge base kept. */
export const MOST_INDEX = 16 << 20;
/** Bytes of all names together: version 4 says of a name only what the one before has not, however long that is. */
const MOST_NAMES = 4 * MOST_INDEX;
const CHECKSUM = 20;
const FIXED = 62;
/** Assumed unchanged, and the stage; the rest is the length of the name, and whether there are more flags. */
const FLAGS = 0xb000;
/** Intent to add, and skipped in the work tree. */
const MORE_FLAGS = 0x6000;

/** Whether bytes may be an index. */
export function isGitIndex(bytes: Buffer): boolean {
  return bytes.length >= 12 + CHECKSUM && bytes.toString('latin1', 0, 4) === 'DIRC';
}

/** A digest of what it says; undefined for one that is not whole, of a form not known here, or not complete in itself. */
export function meaningOf(bytes: Buffer): string | undefined {
  const meaning = createHash('sha1');
  const isRead = readEntries(bytes, ({ says, name }) => meaning.update(`${says} ${name}\0`, 'latin1'));
  return isRead ? meaning.digest('hex') : undefined;
}

/** The names that are in it; undefined as for `meaningOf`. */
export function namesInIndex(bytes: Buffer): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  return readEntries(bytes, ({ name }) => names.add(name)) ? names : undefined;
}

/** Whether all of it could be read. */
function readEntries(bytes: Buffer, take: (entry: Entry) => void): boolean {
  if (!isGitIndex(bytes) || !isWhole(bytes)) return false;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return false;
  const body = bytes.subarray(0, bytes.length - CHECKSUM);
  let [at, said] = [12, 0];
  let name = '';
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const entry = entryAt(body, { at, version, before: name });
    if (entry === undefined) return false;
    said += entry.name.length;
    if (said > MOST_NAMES) return false;
    take(entry);
    ({ name, end: at } = entry);
  }
  return isSelfContained(body, at);
}

interface Entry {
  readonly name: string;
  readonly says: string;
  readonly end: number;
}

function entryAt(body: Buffer, from: { at: number; version: number; before: string }): Entry | undefined {
  const { at, version, before } = from;
  if (at + FIXED > body.length) return undefined;
  const flags = body.readUInt16BE(at + 60);
  const hasMore = version >= 3 && (flags & 0x4000) !== 0;
  let start = at + FIXED + (hasMore ? 2 : 0);
  let kept = '';
  if (version === 4) {
    const strip = numberAt(body, start);
    if (strip === undefined || strip.value > before.length) return undefined;
    kept = before.slice(0, before.length - strip.value);
    start = strip.end;
  }
  const nul = body.indexOf(0, start);
  if (nul < 0) return undefined;
  const more = hasMore ? body.readUInt16BE(at + FIXED) & MORE_FLAGS : 0;
  const object = body.toString('hex', at + 40, at + 60);
  const says = `${body.readUInt32BE(at + 24)} ${object} ${flags & FLAGS} ${more}`;
  // Entries have a multiple of eight bytes, with one NUL at least.
  const end = version === 4 ? nul + 1 : at + ((nul - at + 8) & ~7);
  return { name: kept + body.toString('latin1', start, nul), says, end };
}

/** As git writes offsets: seven bits a byte, the highest first. */
function numberAt(body: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let i = at; i < body.length && i < at + 5; i++) {
    const byte = body.readUInt8(i);
    value = i === at ? byte & 0x7f : ((value + 1) << 7) | (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, end: i + 1 };
  }
  return undefined;
}

/** What an extension in small letters says has to be understood: a part of the entries may be in another file. */
function isSelfContained(body: Buffer, from: number): boolean {
  let at = from;
  while (at + 8 <= body.length) {
    const signature = body.toString('latin1', at, at + 4);
    if (/^[a-z]/.test(signature) && signature !== 'sdir') return false;
    at += 8 + body.readUInt32BE(at + 4);
  }
  return at === body.length;
}

/** git may be told to leave the checksum out. */
function isWhole(bytes: Buffer): boolean {
  const sum = bytes.subarray(bytes.length - CHECKSUM);
  const body = bytes.subarray(0, bytes.length - CHECKSUM);
  return sum.every((byte) => byte === 0) || createHash('sha1').update(body).digest().equals(sum);
}
