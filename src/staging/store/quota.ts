/**
 * How much the store may occupy, and does: counted as it changes, with one statx(2) after each write, so that nothing
 * has to be walked. Without a limit nothing is counted. What was in the store before is told once it is known.
 *
 * An object counts with what it occupied when it was last looked at. Of the blocks for its data the file system tells at
 * once; those for its list of extents it takes, or gives back, when it writes back (ext4 allocates late): they are
 * counted with the object's next change. What goes is taken off as it was counted, so such differences do not add up.
 *
 * A write is admitted if it fits even when every byte of it needs a fresh block; only near the limit is it looked at
 * more closely. So data does not pass the limit, only blocks for extents can; and what is there already can always be
 * written over.
 */
import type { ObjectId } from '../../sys/bytes.ts';
import { ENOSPC, type Errno, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../../sys/stat.ts';
import type { ObjectStore } from '../object-store.ts';

const SECTOR = 512;
const PAGE = 4096;
/** Objects whose size is remembered, those changed last; of others it is asked again before they are written. */
const MOST_KNOWN = 8192;

export class Quota {
  readonly #store: ObjectStore;
  /** Bytes of the records of what is staged. */
  readonly #records: () => number;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** Bytes on the disk by object, as last seen. */
  readonly #known = new Map<ObjectId, number>();
  #limit = Number.POSITIVE_INFINITY;
  #used = 0;
  /** Of `#used`: since the present count began. */
  #since = 0;
  #hasRefused = false;

  /** `records` tells how many bytes the records of what is staged take; they count as its contents do. */
  constructor(store: ObjectStore, records: () => number) {
    this.#store = store;
    this.#records = records;
  }

  /** Bytes; Infinity without a limit. */
  get limit(): number {
    return this.#limit;
  }

  /** Bytes that objects occupy on the disk, as far as known, and the records that name them. */
  get used(): number {
    return Math.max(0, this.#used) + this.#records();
  }

  /** Whether there may be another record. */
  admitRecord(): Errno {
    return this.#admit(this.#limit === Number.POSITIVE_INFINITY || this.used <= this.#limit);
  }

  /** The limit in bytes, if something was refused for it since the last call. */
  takeRefusal(): number | undefined {
    const limit = this.#hasRefused ? this.#limit : undefined;
    this.#hasRefused = false;
    return limit;
  }

  /** Sets the limit in bytes; undefined: none. The caller then counts what is there. */
  setLimit(limit: number | undefined): void {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    // What changed while nothing was counted is not known.
    this.#known.clear();
  }

  /** A count of what is in the store begins; what changes from here on is added to its result. */
  beginCount(): void {
    this.#since = 0;
  }

  /** The count is done: so much there was. */
  endCount(counted: number): void {
    this.#used = counted + this.#since;
  }

  /** Whether `length` bytes (0: none) at `offset` may be written to an object; also notes how large it was before. */
  admitWrite(object: ObjectId, fd: number, range: { readonly offset: number; readonly length: number }): Errno {
    if (this.#limit === Number.POSITIVE_INFINITY) return OK;
    this.#note(object, fd);
    const isFine = range.length === 0 || this.#fits(range.length + 2 * PAGE) || this.#fits(growth(fd, range));
    return this.#admit(isFine);
  }

  /**
   * Whether a file may be made. Not into a full store: what the kernel takes for it in the cache would be lost, and
   * a program that does not look at what close(2) says would not know.
   */
  admitFile(): Errno {
    return this.#admit(this.#fits(PAGE));
  }

  /** Whether a copy of the first `keep` bytes of an open file may be made. */
  admitCopy(from: number, keep: number): Errno {
    if (this.#limit === Number.POSITIVE_INFINITY) return OK;
    return this.#admit(this.#fits(Math.min(this.#sizeOf(from), roundUp(keep))));
  }

  /** An object was made, and is empty. */
  made(object: ObjectId): void {
    if (this.#limit !== Number.POSITIVE_INFINITY) this.#remember(object, 0);
  }

  /** An object was changed; how large it was is known from `made` or `admitWrite`. */
  changed(object: ObjectId, fd: number): void {
    if (this.#limit === Number.POSITIVE_INFINITY) return;
    const before = this.#known.get(object);
    const now = this.#sizeOf(fd);
    this.#remember(object, now);
    if (before !== undefined) this.#add(now - before);
  }

  /** Removes an object from the store. */
  remove(object: ObjectId): void {
    // As it was counted: what the file system took for it since then was not.
    if (this.#limit !== Number.POSITIVE_INFINITY) this.#add(-(this.#known.get(object) ?? this.#stored(object) ?? 0));
    this.#known.delete(object);
    this.#store.remove(object);
  }

  #admit(isFine: boolean): Errno {
    if (!isFine) this.#hasRefused = true;
    return isFine ? OK : ENOSPC;
  }

  #fits(bytes: number): boolean {
    return bytes === 0 || this.#limit === Number.POSITIVE_INFINITY || this.used + bytes <= this.#limit;
  }

  #note(object: ObjectId, fd: number): void {
    if (!this.#known.has(object)) this.#remember(object, this.#sizeOf(fd));
  }

  #remember(object: ObjectId, bytes: number): void {
    this.#known.delete(object);
    this.#known.set(object, bytes);
    if (this.#known.size > MOST_KNOWN) this.#forgetOldest();
  }

  /** Counts it once more, as it is: whoever looks at it next takes that for what was counted. */
  #forgetOldest(): void {
    for (const [object, bytes] of this.#known) {
      this.#add((this.#stored(object) ?? bytes) - bytes);
      this.#known.delete(object);
      return;
    }
  }

  #add(bytes: number): void {
    this.#used += bytes;
    this.#since += bytes;
  }

  /** Bytes on the disk of an object in the store; undefined if it is not there. */
  #stored(object: ObjectId): number | undefined {
    return this.#store.statInto(object, this.#statx) < 0 ? undefined : decodeStatx(this.#statx).blocks * SECTOR;
  }

  #sizeOf(fd: number): number {
    return libc.fstatxInto(fd, this.#statx) < 0 ? 0 : decodeStatx(this.#statx).blocks * SECTOR;
  }
}

/** How many bytes of a range have no block yet, rounded up to pages. */
function growth(fd: number, { offset, length }: { readonly offset: number; readonly length: number }): number {
  const end = offset + length;
  const hole = libc.lseek(fd, offset, libc.SEEK_HOLE);
  // The end of the file counts as a hole, but the page that its last byte lies in has its block, if data leads up to it.
  const start = hole <= offset ? offset - (offset % PAGE) : roundUp(hole);
  return Math.max(0, roundUp(end) - start);
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / PAGE) * PAGE;
}
