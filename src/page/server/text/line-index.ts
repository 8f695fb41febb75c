/** Where the lines of a large text begin, and a number for what each says: read in pieces, and never kept as a whole. */
import { setImmediate } from 'node:timers/promises';
import { pread } from '../../../sys/libc.ts';
import { isText } from '../../../sys/text/encoding.ts';

const PIECE = 4 << 20;
const MOST_LINES = 4_000_000;
const NEWLINE = 10;
/** Bits of the second sum that fit beside the first into a number. */
const LOW_BITS = 21;

export interface LineIndex {
  readonly count: number;
  /** Where each line begins, and at last where the text ends. */
  readonly starts: Float64Array;
  /** Of each line: equal for equal lines, and hardly ever for others. */
  readonly sums: Float64Array;
  /** Whether the last line ends with a newline. */
  readonly isClosed: boolean;
}

/** Lets others have their turn in between. Undefined: no text, or one with too many lines. */
export async function indexLines(fd: number, size: number): Promise<LineIndex | undefined> {
  const lines = new Lines(size);
  const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, Math.max(1, size)));
  for (let at = 0; ; ) {
    const got = pread(fd, piece, piece.length, at);
    if (got <= 0) return lines.end();
    const read = piece.subarray(0, at + got < size ? wholeCharacters(piece, got) : got);
    if (!isText(read, at)) return undefined;
    if (!lines.add(read)) return undefined;
    at += read.length;
    await setImmediate();
  }
}

/** How many bytes hold no part of a character that goes on behind them. */
export function wholeCharacters(bytes: Buffer, length: number): number {
  let end = length;
  while (end > 1 && length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end > 1 && (bytes[end - 1] ?? 0) >= 0xc0 ? end - 1 : length;
}

class Lines {
  #starts: Float64Array;
  #sums: Float64Array;
  #count = 0;
  #at = 0;
  #high = 0;
  #low = 0;

  constructor(size: number) {
    this.#starts = new Float64Array(Math.ceil(size / 64) + 2);
    this.#sums = new Float64Array(this.#starts.length);
  }

  /** False: there are too many. */
  add(bytes: Buffer): boolean {
    let [high, low] = [this.#high, this.#low];
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      high = Math.imul(high ^ byte, 0x01000193);
      low = (Math.imul(low, 31) + byte) | 0;
      if (byte !== NEWLINE) continue;
      this.#push(high, low, this.#at + i + 1);
      [high, low] = [0, 0];
    }
    [this.#high, this.#low] = [high, low];
    this.#at += bytes.length;
    return this.#count <= MOST_LINES;
  }

  end(): LineIndex {
    const isClosed = this.#at === (this.#starts[this.#count] ?? 0);
    if (!isClosed) this.#push(this.#high, this.#low, this.#at);
    const count = this.#count;
    return { count, starts: this.#starts.slice(0, count + 1), sums: this.#sums.slice(0, count), isClosed };
  }

  #push(high: number, low: number, end: number): void {
    if (this.#count + 1 >= this.#starts.length) {
      this.#starts = twice(this.#starts);
      this.#sums = twice(this.#sums);
    }
    this.#sums[this.#count] = (high >>> 0) * 2 ** LOW_BITS + (low >>> (32 - LOW_BITS));
    this.#count += 1;
    this.#starts[this.#count] = end;
  }
}

function twice(numbers: Float64Array): Float64Array {
  const larger = new Float64Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
