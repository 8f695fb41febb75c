/**
 * What the base had at its places when the view first took them: kept for names that were deleted, covered or left
 * behind by a rename. (What a file looked like that is still in its place is its `Staged.fingerprint`.) A commit
 * compares. By path in the base, which does not change when directories of the view move.
 *
 *     no mark           the base had nothing there
 *     deleted file      its fingerprint
 *     moved directory   which one it is; what is in it travels along
 *     deleted directory which one it was, and a sum over the marks of all that was in it
 *
 * A name with a mark of its own is not in the sum of the directory around it: a directory that was moved out of one
 * that is then deleted stays what it is.
 */
import type { BytePath, Name } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import { S_IFDIR } from '../sys/stat.ts';
import type { Fingerprint, Inode, Place } from './inode.ts';

/** Four bits for the type, 49 of a hash; 0: something was there, but nobody knows what. */
export type Mark = number & { readonly __brand: 'Mark' };

export const UNKNOWN = 0 as Mark;

/** The type bits of a directory that moved, which no file type has. */
const MOVED = 0o030000;
const TYPE_SHIFT = 12;
const HASH_SIZE = 2 ** 49;

/** What a file (not a directory) of the base looks like. */
export function markOfFile(type: number, print: Omit<Fingerprint, 'nlink'>): Mark {
  const hash = new Hash();
  hash.number(print.dev);
  hash.number(print.ino);
  hash.number(print.size);
  hash.number(print.mtime.sec);
  hash.number(print.mtime.nsec);
  hash.number(print.ctime.sec);
  hash.number(print.ctime.nsec);
  return seal(type, hash);
}

/** Which directory it is, by its inode number in the view, and nothing about what is in it. */
export function markOfDirectory(ino: number): Mark {
  const hash = new Hash();
  hash.number(ino);
  return seal(MOVED, hash);
}

/** S_IFMT bits of what was there; 0 for `UNKNOWN`. */
export function typeOfMark(mark: Mark): number {
  const type = Math.floor(mark / HASH_SIZE) << TYPE_SHIFT;
  return type === MOVED ? S_IFDIR : type;
}

/** Whether the mark only says which directory it was. */
export function isMoved(mark: Mark): boolean {
  return Math.floor(mark / HASH_SIZE) << TYPE_SHIFT === MOVED;
}

/** The mark of a deleted directory, from that of the directory alone and those of its entries, in any order. */
export function markOfTree(directory: Mark, entries: Iterable<readonly [Name, Mark]>): Mark {
  let isKnown = directory !== UNKNOWN;
  let high = 0;
  let low = 0;
  for (const [name, mark] of entries) {
    if (mark === UNKNOWN) isKnown = false;
    const hash = new Hash();
    hash.text(name);
    hash.number(mark);
    high = (high + hash.high) | 0;
    low = (low + hash.low) | 0;
  }
  if (!isKnown) return UNKNOWN;
  const hash = new Hash();
  hash.number(directory);
  hash.number(high >>> 0);
  hash.number(low >>> 0);
  return seal(S_IFDIR, hash);
}

export class Marks {
  readonly #marks = new Map<BytePath, Mark>();
  /** What the durable copy has not seen yet. */
  readonly dirty = new Set<BytePath>();

  get size(): number {
    return this.#marks.size;
  }

  get(path: BytePath): Mark | undefined {
    return this.#marks.get(path);
  }

  entries(): IterableIterator<[BytePath, Mark]> {
    return this.#marks.entries();
  }

  /** Marks a place of the base; the first mark stays. */
  put(path: BytePath, mark: Mark): void {
    if (this.#marks.has(path)) return;
    this.#marks.set(path, mark);
    this.dirty.add(path);
  }

  /** The place shows what the base has there again. */
  drop(path: BytePath): void {
    if (this.#marks.delete(path)) this.dirty.add(path);
  }

  clear(): void {
    this.#marks.clear();
    this.dirty.clear();
  }

  /** Becomes what another tree has noted. */
  replace(others: Marks): void {
    this.clear();
    for (const [path, mark] of others.entries()) this.put(path, mark);
  }

  /** What the view shows at a place stops to be what the base has there. */
  note(at: Place, mark: Mark | undefined): void {
    const path = baseOf(at);
    if (mark !== undefined && path !== undefined) this.put(path, mark);
  }

  /** What a place shows is deleted. The mark is of this place, or there is none: then a directory came from elsewhere. */
  bury(at: Place, victim: Inode | undefined, mark: Mark | undefined): void {
    const path = mark === undefined ? victim?.base : baseOf(at);
    if (path === undefined) return;
    const directory = mark ?? this.#marks.get(path);
    if (directory !== undefined && isMoved(directory)) this.#fold(path, directory, victim?.children?.keys() ?? []);
    else this.note(at, mark);
  }

  /** The marks of `names`, which a deleted directory had, go into its own. */
  #fold(path: BytePath, directory: Mark, names: Iterable<Name>): void {
    const entries: [Name, Mark][] = [];
    for (const name of names) {
      const child = join(path, name);
      const mark = this.#marks.get(child);
      if (mark === undefined || isMoved(mark)) continue;
      entries.push([name, mark]);
      this.drop(child);
    }
    this.drop(path);
    this.put(path, markOfTree(directory, entries));
  }
}

function baseOf({ dir, name }: Place): BytePath | undefined {
  return dir.base === undefined ? undefined : join(dir.base, name);
}

function seal(type: number, { high, low }: Hash): Mark {
  return (((type & 0o170000) >> TYPE_SHIFT) * HASH_SIZE + (high >>> 0) * 2 ** 17 + (low >>> 15)) as Mark;
}

/** Two lanes of 32 bits (multiply, rotate, xor: the mixing of murmur3): no protection against who wants a collision. */
class Hash {
  high = 0x9e3779b9 | 0;
  low = 0x85ebca6b | 0;

  number(value: number): void {
    this.#mix(value | 0);
    this.#mix(Math.floor(value / 0x1_0000_0000) | 0);
  }

  text(bytes: string): void {
    for (let i = 0; i < bytes.length; i++) this.#mix(bytes.charCodeAt(i));
    this.#mix(bytes.length);
  }

  #mix(word: number): void {
    this.high = turn(Math.imul(this.high ^ word, 0xcc9e2d51), 15) ^ this.low;
    this.low = turn(Math.imul(this.low + word, 0x1b873593), 13) ^ (this.high >>> 7);
  }
}

function turn(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
