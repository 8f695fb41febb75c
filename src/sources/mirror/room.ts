/**
 * How much disk the contents of a mirror may take. What was used longest ago goes first: it is a hole again (daemon/sources/fill.ts), and
 * fetched anew by whoever reads it. Only the FUSE thread knows what is in use, so here is only said what could go.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { FETCHED } from '../../staging/awaited/fetched.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import type { Mirror } from './mirror.ts';

/** Bytes, where a source's table says nothing. */
export const DEFAULT_ROOM = 2 ** 30;

const PERMISSIONS = 0o7777;
/** Files that are looked at before others have their turn. */
const AT_ONCE = 500;
/** So many files are looked at while somebody waits. */
const QUICK = 10_000;
/** What is left when something has to go: so that the next content does not begin it again. */
const LEFT = 0.9;

interface Content {
  readonly path: string;
  readonly size: number;
  readonly usedAt: number;
}

export class Room {
  readonly #mirror: Mirror;
  readonly #limit: number;
  /** Bytes of contents; undefined: nobody has looked yet. */
  #bytes: number | undefined;
  #looking: Promise<readonly string[]> | undefined;

  constructor(mirror: Mirror, limit: number) {
    this.#mirror = mirror;
    this.#limit = limit;
  }

  /** Bytes of contents, the holes left out; undefined: it takes a while to find out, and the next time it is known. */
  async size(): Promise<number | undefined> {
    if (this.#bytes !== undefined) return this.#bytes;
    const looking = this.#look();
    if (this.#mirror.entries.files <= QUICK) await looking;
    return this.#bytes;
  }

  /** Bytes of what is fetched before anybody asks for it: it must not take the place of what was just read. */
  get ahead(): number {
    return this.#limit / 8;
  }

  /** So many bytes have come. */
  took(bytes: number): void {
    if (this.#bytes !== undefined) this.#bytes += bytes;
  }

  /** What has to go, those first that were used longest ago; nothing as long as there is room. */
  async excess(): Promise<readonly string[]> {
    return this.#bytes !== undefined && this.#bytes <= this.#limit ? [] : this.#look();
  }

  #look(): Promise<readonly string[]> {
    this.#looking ??= this.#lookAtAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookAtAll(): Promise<readonly string[]> {
    const contents: Content[] = [];
    let seen = 0;
    for (const { path, kind, size } of this.#mirror.entries.values()) {
      if (++seen % AT_ONCE === 0) await breathe();
      // One of a length that nobody knew may be known by two nodes (staging/awaited/arrivals.ts): it stays.
      if (kind === 'file' && size !== undefined) contents.push(...contentAt(this.#mirror.root, path));
    }
    this.#bytes = contents.reduce((sum, one) => sum + one.size, 0);
    return this.#bytes <= this.#limit ? [] : oldest(contents, this.#bytes - this.#limit * LEFT);
  }
}

/** What is here of a file; nothing of a hole. The kernel sets ctime when it comes, and atime when it is first read, then once a day. */
function contentAt(root: string, path: string): Content[] {
  const stats = lookAt(`${root}/${path}`);
  if (stats === undefined || !stats.isFile() || (stats.mode & PERMISSIONS) !== FETCHED || stats.nlink > 1) return [];
  return [{ path, size: stats.size, usedAt: Math.max(stats.atimeMs, stats.ctimeMs) }];
}

function oldest(contents: Content[], bytes: number): string[] {
  contents.sort((a, b) => a.usedAt - b.usedAt);
  let left = bytes;
  const end = contents.findIndex(({ size }) => {
    const isEnough = left <= 0;
    left -= size;
    return isEnough;
  });
  return contents.slice(0, end < 0 ? contents.length : end).map(({ path }) => path);
}
