/**
 * Contents that came for searches get into the mirrors when the search is over: while it goes on the FUSE thread has its directories to
 * list. Until then they are in the thread of the sources (sources/searching/unfilled.ts), and with a crash they are fetched again.
 */
import { MOST_UNFILLED } from '../../sources/searching/unfilled.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { Sources } from './sources.ts';

/** After an answer whoever searches reads it, and lists directories. */
const LATER_MS = 100;
/** Files that the FUSE thread fills in between two requests. */
const FILLED_AT_ONCE = 50;

/** Of these paths, in their order, those that may be read without a question, and that the view has as the source has them. */
type Readable = (paths: readonly BytePath[]) => Promise<readonly BytePath[]>;

export class LateFills {
  readonly #sources: Sources;
  readonly #worker: FuseWorker;
  readonly #readable: Readable;
  /** By the names of sources. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #filling = new Map<string, Promise<void>>();

  constructor(sources: Sources, worker: FuseWorker, readable: Readable) {
    this.#sources = sources;
    this.#worker = worker;
    this.#readable = readable;
  }

  /** So many bytes of a source wait. Resolves when more may come. */
  async waiting(name: string, bytes: number): Promise<void> {
    if (bytes > MOST_UNFILLED) await this.#fill(name);
    else if (bytes > 0 && !this.#timers.has(name)) {
      this.#timers.set(name, setTimeout(() => void this.#fill(name), LATER_MS).unref());
    }
  }

  /** Never rejects. */
  #fill(name: string): Promise<void> {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    const filling = this.#filling.get(name) ?? this.#fillAll(name).finally(() => this.#filling.delete(name));
    this.#filling.set(name, filling);
    return filling;
  }

  async #fillAll(name: string): Promise<void> {
    try {
      for (;;) {
        const told = await this.#sources.unfilled(name, FILLED_AT_ONCE);
        if (told.length === 0) break;
        // A server says what matches, and knows of no rule: of what is closed no copy is kept.
        const open = new Set(await this.#readable(told.map(({ path }) => path)));
        const [first, ...more] = told.filter(({ path }) => open.has(path));
        if (first !== undefined) await this.#worker.order('fetched', { path: first.path, told: [first, ...more] });
      }
    } catch (error) {
      this.#sources.failed(error as Error);
    }
    void this.#sources.makeRoom(name, this.#worker);
  }
}
