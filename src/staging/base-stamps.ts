/**
 * What the base had at its places when the view first took them: kept for names that were deleted, covered or left
 * behind by a rename. (What a file looked like that is still in its place is its `Staged.fingerprint`.) A commit
 * compares. By path in the base, which does not change when directories of the view move.
 *
 *     no stamp          the base had nothing there
 *     deleted file      its fingerprint
 *     moved directory   which one it is; what is in it travels along
 *     deleted directory which one it was, and a sum over the stamps of all that was in it
 *
 * A name with a stamp of its own is not in the sum of the directory around it: a directory that was moved out of one
 * that is then deleted stays what it is.
 */
import type { BytePath, Name } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import { hasLastingNumbers } from '../sys/host/file-systems.ts';
import { S_IFDIR } from '../sys/stat.ts';
import type { Fingerprint, Inode, Place, Time } from './inode.ts';

/** Four bits for the type, 49 of a hash; 0: something was there, but nobody knows what. */
export type BaseStamp = number & { readonly __brand: 'BaseStamp' };

/** A name that goes. */
export interface Leaving {
  /** The base has the name, too: a tombstone stays. */
  readonly hides: boolean;
  /** What the base has there, if that is what the view shows there. */
  readonly stamp?: BaseStamp | undefined;
}

/** What takes the place of something else, and when. */
export interface Replacing {
  /** What the base has at the place that is taken, if that is what the view showed there. */
  readonly overStamp?: BaseStamp | undefined;
  readonly time: Time;
}

export const UNKNOWN = 0 as BaseStamp;

/** The type bits of a directory that moved, which no file type has. */
const MOVED = 0o030000;
const TYPE_SHIFT = 12;
const HASH_SIZE = 2 ** 49;
/** Where inode numbers do not last, changes of them say nothing; the same file systems keep no ctime. */
const NOTHING_LASTING = { ino: 0, ctime: { sec: 0, nsec: 0 } };

/** What a file (not a directory) of the base looks like. */
export function stampOfFile(type: number, print: Omit<Fingerprint, 'nlink'>): BaseStamp {
  const hash = new Hash();
  const { dev, ino, ctime } = hasLastingNumbers(print.dev) ? print : { ...NOTHING_LASTING, dev: print.dev };
  hash.number(dev);
  hash.number(ino);
  hash.number(print.size);
  hash.number(print.mtime.sec);
  hash.number(print.mtime.nsec);
  hash.number(ctime.sec);
  hash.number(ctime.nsec);
  return seal(type, hash);
}

/** Which directory it is, by its inode number in the view, and nothing about what is in it. */
export function stampOfDirectory(ino: number): BaseStamp {
  const hash = new Hash();
  hash.number(ino);
  return seal(MOVED, hash);
}

/** S_IFMT bits of what was there; 0 for `UNKNOWN`. */
export function typeOfStamp(stamp: BaseStamp): number {
  const type = Math.floor(stamp / HASH_SIZE) << TYPE_SHIFT;
  return type === MOVED ? S_IFDIR : type;
}

/** Whether the stamp only says which directory it was. */
export function isMoved(stamp: BaseStamp): boolean {
  return Math.floor(stamp / HASH_SIZE) << TYPE_SHIFT === MOVED;
}

/** The stamp of a deleted directory, from that of the directory alone and those of its entries, in any order. */
export function stampOfTree(directory: BaseStamp, entries: Iterable<readonly [Name, BaseStamp]>): BaseStamp {
  let isKnown = directory !== UNKNOWN;
  let high = 0;
  let low = 0;
  for (const [name, stamp] of entries) {
    if (stamp === UNKNOWN) isKnown = false;
    const hash = new Hash();
    hash.text(name);
    hash.number(stamp);
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

export class BaseStamps {
  readonly #stamps = new Map<BytePath, BaseStamp>();
  /** What the durable copy has not seen yet. */
  readonly dirty = new Set<BytePath>();

  get size(): number {
    return this.#stamps.size;
  }

  get(path: BytePath): BaseStamp | undefined {
    return this.#stamps.get(path);
  }

  entries(): IterableIterator<[BytePath, BaseStamp]> {
    return this.#stamps.entries();
  }

  /** Stamps a place of the base; the first stamp stays. */
  put(path: BytePath, stamp: BaseStamp): void {
    if (this.#stamps.has(path)) return;
    this.#stamps.set(path, stamp);
    this.dirty.add(path);
  }

  /** The place shows what the base has there again. */
  drop(path: BytePath): void {
    if (this.#stamps.delete(path)) this.dirty.add(path);
  }

  clear(): void {
    this.#stamps.clear();
    this.dirty.clear();
  }

  /** Becomes what another tree has noted. */
  replace(others: BaseStamps): void {
    this.clear();
    for (const [path, stamp] of others.entries()) this.put(path, stamp);
  }

  /** What the view shows at a place stops to be what the base has there. */
  note(at: Place, stamp: BaseStamp | undefined): void {
    const path = baseOf(at);
    if (stamp !== undefined && path !== undefined) this.put(path, stamp);
  }

  /** What a place shows is deleted. The stamp is of this place, or there is none: then a directory came from elsewhere. */
  bury(at: Place, victim: Inode | undefined, stamp: BaseStamp | undefined): void {
    const path = stamp === undefined ? victim?.base : baseOf(at);
    if (path === undefined) return;
    const directory = stamp ?? this.#stamps.get(path);
    if (directory !== undefined && isMoved(directory)) this.#mergeInto(path, directory, victim?.children?.keys() ?? []);
    else this.note(at, stamp);
  }

  /** The stamps of `names`, which a deleted directory had, go into its own. */
  #mergeInto(path: BytePath, directory: BaseStamp, names: Iterable<Name>): void {
    const entries: [Name, BaseStamp][] = [];
    for (const name of names) {
      const child = join(path, name);
      const stamp = this.#stamps.get(child);
      if (stamp === undefined || isMoved(stamp)) continue;
      entries.push([name, stamp]);
      this.drop(child);
    }
    this.drop(path);
    this.put(path, stampOfTree(directory, entries));
  }
}

function baseOf({ dir, name }: Place): BytePath | undefined {
  return dir.base === undefined ? undefined : join(dir.base, name);
}

function seal(type: number, { high, low }: Hash): BaseStamp {
  return (((type & 0o170000) >> TYPE_SHIFT) * HASH_SIZE + (high >>> 0) * 2 ** 17 + (low >>> 15)) as BaseStamp;
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
