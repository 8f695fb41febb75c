/**
 * The FUSE thread's side of sources: who waits for what, what came of it, and contents that take their place in the mirror between two
 * requests. Nobody waits but who asked.
 */
import { LATER, type Ticket } from '../../fuse/filesystem.ts';
import type { SourceFault } from '../../sources/source.ts';
import type { Fetcher } from '../../staging/awaited/arrivals.ts';
import { type BytePath, isWithin, splitPath } from '../../sys/bytes.ts';
import { EIO, type Errno, OK } from '../../sys/errno.ts';
import { type Filling, fill } from './fill.ts';

/** What somebody waits for: the names of a source (its own place), or the content of a file; and how many files may be next. */
export interface FetchWish {
  readonly path: BytePath;
  readonly what: 'name' | 'content';
  readonly ahead: number;
}

/** What came of one path. */
export type FetchOutcome =
  | Filling
  | { readonly path: BytePath; readonly moved: true }
  | { readonly path: BytePath; readonly excess: true }
  | { readonly path: BytePath; readonly fault: SourceFault };

/** Hears of what is wanted, and of what came of it. */
export interface FetchListener {
  readonly tell: (wish: FetchWish) => void;
  readonly resume: (ticket: Ticket) => void;
  /** A content has come; `resized`: the file has another size than was shown. */
  readonly filled: (paths: ReadonlySet<BytePath>, resized: readonly BytePath[]) => void;
  /** The contents of these may go, where nobody has them. */
  readonly excess: (paths: readonly BytePath[]) => void;
  /** Somebody could not read something, and why. */
  readonly failed: (path: BytePath, fault: SourceFault) => void;
}

/** Where sources are in the view. */
export interface SourceDirectories {
  readonly places: readonly BytePath[];
  /** Those of them whose names are not here yet. */
  readonly unread: readonly BytePath[];
}

/** Reads of one directory in so many milliseconds are a scan. */
const SCAN_MS = 2000;
const MOST_AHEAD = 200;

export class PendingFetches implements Fetcher {
  readonly #places: readonly BytePath[];
  readonly #listener: FetchListener;
  /** Of which nobody has heard yet that their names are there. */
  readonly #unknown: Set<BytePath>;
  readonly #waiting = new Map<BytePath, Ticket[]>();
  /** Why it did not come, for the requests that are being served anew. */
  readonly #outcomes = new Map<Ticket, Errno>();
  #scan = { dir: '', at: 0, ahead: 0 };

  constructor({ places, unread }: SourceDirectories, listener: FetchListener) {
    this.#places = places;
    this.#listener = listener;
    this.#unknown = new Set(unread);
  }

  content(path: BytePath, ticket: Ticket): Errno {
    return this.#wait({ path, what: 'content', ahead: 0 }, ticket);
  }

  name(path: BytePath, ticket: Ticket): Errno {
    for (const at of this.#unknown)
      if (isWithin(path, at)) return this.#wait({ path: at, what: 'name', ahead: 0 }, ticket);
    return OK;
  }

  sourceOf(path: BytePath): BytePath | undefined {
    return this.#places.find((at) => isWithin(path, at));
  }

  isAbove(path: BytePath): boolean {
    return this.#places.some((at) => isWithin(at, path));
  }

  /** What came of a wish for `path`, and of what was fetched with it. */
  fetched(path: BytePath, told: readonly FetchOutcome[]): void {
    const isNames = this.#unknown.has(path);
    const own = told.find((one) => one.path === path);
    if (isNames && own !== undefined && !('fault' in own)) this.#unknown.delete(path);
    const excess = told.filter((one) => 'excess' in one);
    if (excess.length > 0) this.#listener.excess(excess.map((one) => one.path));
    const contents = told.filter((one) => 'content' in one);
    const resized = contents.filter((one) => fill(one) === 'resized').map((one) => one.path);
    if (contents.length > 0) this.#listener.filled(new Set(contents.map((one) => one.path)), resized);
    for (const one of told) if (!('excess' in one)) this.#settle(one.path, 'fault' in one ? one.fault : undefined);
    // The mirror shows something else at it: whoever waits finds that.
    if (own === undefined) this.#settle(path, undefined);
  }

  /** Nobody waits for that request any more. */
  withdraw(ticket: Ticket): void {
    for (const [path, tickets] of this.#waiting) {
      const left = tickets.filter((one) => one !== ticket);
      if (left.length < tickets.length) this.#waiting.set(path, left);
    }
  }

  #wait(wish: FetchWish, ticket: Ticket): Errno {
    const outcome = this.#outcomes.get(ticket);
    if (outcome !== undefined) return outcome;
    const tickets = this.#waiting.get(wish.path);
    if (tickets !== undefined) {
      tickets.push(ticket);
      return LATER;
    }
    this.#waiting.set(wish.path, [ticket]);
    this.#listener.tell({ ...wish, ahead: wish.what === 'content' ? this.#aheadOf(wish.path) : 0 });
    return LATER;
  }

  /** Of a directory that is read file by file, more each time. */
  #aheadOf(path: BytePath): number {
    const dir = splitPath(path)?.dir ?? '';
    const now = performance.now();
    const goesOn = now - this.#scan.at < SCAN_MS;
    const ahead = !goesOn ? 0 : this.#scan.ahead > 0 ? MOST_AHEAD : this.#scan.dir === dir ? 20 : 0;
    this.#scan = { dir, at: now, ahead };
    return ahead;
  }

  #settle(path: BytePath, fault: SourceFault | undefined): void {
    const tickets = this.#waiting.get(path) ?? [];
    this.#waiting.delete(path);
    if (fault !== undefined && tickets.length > 0) this.#listener.failed(path, fault);
    for (const ticket of tickets) {
      if (fault !== undefined) this.#outcomes.set(ticket, fault.errno || EIO);
      this.#listener.resume(ticket);
      this.#outcomes.delete(ticket);
    }
  }
}
