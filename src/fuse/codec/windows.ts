/**
 * Buffers of many sizes over one memory, all with the same start. READ and WRITE need one a request; making a
 * Buffer costs more than decoding the request, and nearly all sizes are whole pages, so those are kept.
 */

const PAGE = 4096;

/** Hands out windows of a buffer that start at a fixed offset. */
export class Windows {
  readonly #buffer: Buffer;
  readonly #start: number;
  readonly #byPages: Buffer[] = [];

  constructor(buffer: Buffer, start: number) {
    this.#buffer = buffer;
    this.#start = start;
  }

  /** The window of `size` bytes; throws RangeError when the memory does not hold that many. */
  take(size: number): Buffer {
    if (size % PAGE !== 0) return this.#cut(size);
    const pages = size / PAGE;
    const kept = this.#byPages[pages];
    if (kept !== undefined) return kept;
    const window = this.#cut(size);
    this.#byPages[pages] = window;
    return window;
  }

  #cut(size: number): Buffer {
    if (this.#start + size > this.#buffer.length) throw new RangeError(`no room for ${size} bytes`);
    return this.#buffer.subarray(this.#start, this.#start + size);
  }
}
