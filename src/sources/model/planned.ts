/**
 * Names that a model has said belong into a directory, before anybody has read one of them: a listing shows them, nothing
 * is made of them, and reading one is a `find`.
 */
import type { DirectorySink, Entry } from '../../fuse/filesystem.ts';
import { type Ino, type Name, toBytes } from '../../sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../sys/stat.ts';

/** Cookies of planned names come after all that a directory has by itself. */
const FIRST = 2 ** 52;
/** Any number will do: whoever stats one of them has it made, and gets the number of what was made. */
const INO = 1 as Ino;

export class Planned {
  /** By directory; what was never listed has none. */
  readonly #names = new Map<string, readonly string[]>();

  has(dir: string): boolean {
    return this.#names.has(dir);
  }

  /** As a model says them: one of a directory ends in `/`. */
  set(dir: string, names: readonly string[]): void {
    this.#names.set(dir, names);
  }

  clear(): void {
    this.#names.clear();
  }

  /** Emits what is planned beyond `present` after a cookie of its own; false once the reply is full. */
  emit(dir: string, cookie: number, sink: DirectorySink, isThere: (name: Name) => boolean): void {
    const names = this.#names.get(dir) ?? [];
    for (let i = Math.max(0, cookie - FIRST + 1); i < names.length; i++) {
      const text = names[i] ?? '';
      const name = toBytes(text.replace(/\/$/, '')) as Name;
      if (isThere(name)) continue;
      if (!sink.fits(name)) return;
      sink.add(name, INO, text.endsWith('/') ? S_IFDIR : S_IFREG, FIRST + i);
    }
  }

  static isCookie(cookie: number): boolean {
    return cookie >= FIRST;
  }
}

/** Passes entries on and notes whether all of them fitted. */
export class Passing implements DirectorySink {
  isFull = false;
  readonly #sink: DirectorySink;

  constructor(sink: DirectorySink) {
    this.#sink = sink;
  }

  fits(name: Name): boolean {
    const fits = this.#sink.fits(name);
    if (!fits) this.isFull = true;
    return fits;
  }

  add(name: Name, ino: Ino, typeBits: number, nextCookie: number, entry?: Entry): void {
    this.#sink.add(name, ino, typeBits, nextCookie, entry);
  }
}
