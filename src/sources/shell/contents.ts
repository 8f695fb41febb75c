/**
 * Contents of a source's files: what is asked for at the same time is read together, and what was read is kept, by path
 * and revision, as long as there is room.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import type { Entry, Principal, Read, Source } from '../source.ts';

const MOST_BYTES = 64 * 2 ** 20;
/** Files of one request; an adapter divides further where its server wants less. */
const BATCH = 500;

interface Wanted {
  readonly entry: Entry;
  readonly tell: (read: Read) => void;
}

export class Contents {
  readonly #source: Source;
  readonly #principal: Principal;
  readonly #kept = new LRUCache<string, Uint8Array>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => length + 200,
  });
  readonly #under = new Map<string, Promise<Read>>();
  #wanted: Wanted[] = [];
  /**
   * just-bash takes timers and sockets away from what its commands call. Everything that talks to a server runs as if it
   * were called from where this object was made.
   */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(source: Source, principal: Principal) {
    this.#source = source;
    this.#principal = principal;
  }

  /** The content, if it is here. */
  peek(entry: Entry): Uint8Array | undefined {
    return this.#kept.get(keyOf(entry));
  }

  read(entry: Entry): Promise<Read> {
    const key = keyOf(entry);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return Promise.resolve({ content: kept, rev: entry.rev });
    const under = this.#under.get(key);
    if (under !== undefined) return under;
    const read = new Promise<Read>((tell) => {
      if (this.#wanted.push({ entry, tell }) === 1) this.#outside(() => setImmediate(() => this.#fetch()));
    });
    this.#under.set(key, read);
    return read;
  }

  async readMany(entries: readonly Entry[]): Promise<readonly Read[]> {
    return Promise.all(entries.map((entry) => this.read(entry)));
  }

  #fetch(): void {
    const wanted = this.#wanted;
    this.#wanted = [];
    for (let at = 0; at < wanted.length; at += BATCH) void this.#fetchBatch(wanted.slice(at, at + BATCH));
  }

  async #fetchBatch(wanted: readonly Wanted[]): Promise<void> {
    const entries = wanted.map(({ entry }) => entry);
    const reads = await this.#source.readMany(entries, this.#principal, new AbortController().signal);
    wanted.forEach(({ entry, tell }, i) => {
      const read = reads[i] as Read;
      if ('content' in read && read.content.length > 0) this.#kept.set(keyOf(entry), read.content);
      this.#under.delete(keyOf(entry));
      tell(read);
    });
  }
}

function keyOf({ path, rev }: Entry): string {
  return `${rev}\0${path}`;
}
