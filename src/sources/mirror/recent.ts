/**
 * Contents that searches have read of mirrors lately, so that the next search need not open each file. Who keeps one says when it may be
 * another by now: Present (present.ts), by the directory, and Mirror, of what it changes itself.
 *
 * They lie in one piece of memory for all mirrors of the thread: as buffers of their own, ten thousand of each of some sources made V8
 * collect its heap again and again, which cost a search more than the files had.
 */

/** Bytes of all that are kept; what comes after that is read anew, unless those have been there for a while. */
const MOST_BYTES = 16 * 2 ** 20;
const A_WHILE_MS = 10_000;
/** An agent searches several times in a minute, and then for long not at all. */
const KEPT_MS = 60_000;

/** All that is in it goes at once. */
const shared: { memory: Buffer | undefined; used: number; epoch: number; since: number } = {
  ...{ memory: undefined, used: 0, epoch: 0, since: 0 },
};

function begin(): void {
  shared.used = 0;
  shared.epoch += 1;
  shared.since = Date.now();
}

/** Where a copy of it lies; undefined: there is no room. */
function put(content: Buffer): Span | undefined {
  if (shared.memory === undefined) {
    shared.memory = Buffer.allocUnsafeSlow(MOST_BYTES);
    begin();
    setTimeout(() => {
      shared.memory = undefined;
      begin();
    }, KEPT_MS).unref();
  }
  if (shared.used + content.length > MOST_BYTES && Date.now() - shared.since > A_WHILE_MS) begin();
  const { memory, used } = shared;
  if (used + content.length > MOST_BYTES) return undefined;
  content.copy(memory, used);
  shared.used += content.length;
  return { from: used, to: shared.used };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

export class RecentContents {
  readonly #spans = new Map<string, Span>();
  #epoch = shared.epoch;

  /** To be read before anything else is done: what lies there may soon be something else. */
  get(path: string): Buffer | undefined {
    const span = this.#current().get(path);
    return span && shared.memory?.subarray(span.from, span.to);
  }

  keep(path: string, content: Buffer): void {
    const span = put(content);
    if (span !== undefined) this.#current().set(path, span);
  }

  drop(path: string): void {
    this.#spans.delete(path);
  }

  clear(): void {
    this.#spans.clear();
  }

  #current(): Map<string, Span> {
    if (this.#epoch !== shared.epoch) this.clear();
    this.#epoch = shared.epoch;
    return this.#spans;
  }
}
