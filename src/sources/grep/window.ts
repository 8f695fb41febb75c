/**
 * The part of a file that is in memory: whole lines that were not searched yet, what is kept of those before, and the
 * beginning of a line that goes on. It grows in the steps in which grep reads, as what a file is, binary or not, is
 * decided for each of them.
 */
import type { Errno } from '../../sys/errno.ts';
import type { Content } from './file-access.ts';

const PAGE = 4096;
/** What grep has room for at once, and how that lies in its pages. */
const ROOM = 96 * 1024 + PAGE;
const OFFSET = 16;
const EMPTY = Buffer.alloc(0);
const NOTHING_ADDED = { added: 0 };

export class Window {
  /** Kept bytes come first, then what was read last. */
  bytes: Buffer = EMPTY;
  /** Where in `bytes` the window begins; what lies before was given up. */
  begin = 0;
  end = 0;
  readonly #content: Content;
  #isOwn = true;

  constructor(content: Content) {
    this.#content = content;
  }

  /** Keeps the last `kept` bytes and reads on. Returns how many bytes came, 0 at the end. */
  fill(kept: number): { readonly added: number } | { readonly errno: Errno } {
    const piece = this.#content.read(stepAfter(kept));
    if (typeof piece === 'number') return { errno: piece };
    if (piece.length === 0 && kept === 0) {
      this.begin = this.end;
      return NOTHING_ADDED;
    }
    const from = this.end - kept;
    const isNext = piece.length > 0 && kept > 0 && !this.#isOwn && this.#continues(piece);
    if (isNext || kept === 0) {
      // What lies behind the other in memory already is not copied.
      this.begin = isNext ? from : 0;
      this.end = isNext ? this.end + piece.length : piece.length;
      this.bytes = isNext
        ? Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.end)
        : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      this.#isOwn = false;
      return { added: piece.length };
    }
    this.bytes = Buffer.concat([this.bytes.subarray(from, this.end), piece]);
    this.begin = 0;
    this.end = this.bytes.length;
    this.#isOwn = true;
    return { added: piece.length };
  }

  /** Ends the last line, which the file does not. */
  endLine(lineEnd: number): void {
    this.bytes = Buffer.concat([this.bytes.subarray(this.begin, this.end), Buffer.of(lineEnd)]);
    this.begin = 0;
    this.end = this.bytes.length;
    this.#isOwn = true;
  }

  /** Makes each NUL from `from` on the end of a line. What is not this window's own stays as it is. */
  endLinesAtNuls(from: number, lineEnd: number): number {
    const start = from - this.begin;
    if (this.bytes.indexOf(0, from) < 0) return from;
    this.bytes = Buffer.from(this.bytes.subarray(this.begin, this.end));
    this.begin = 0;
    this.end = this.bytes.length;
    this.#isOwn = true;
    for (let at = this.bytes.indexOf(0, start); at >= 0; at = this.bytes.indexOf(0, at + 1)) this.bytes[at] = lineEnd;
    return start;
  }

  #continues(piece: Uint8Array): boolean {
    return piece.buffer === this.bytes.buffer && piece.byteOffset === this.bytes.byteOffset + this.end;
  }
}

/** How much grep reads next when it keeps so much. */
function stepAfter(kept: number): number {
  const before = Math.ceil((OFFSET + 1 + kept) / PAGE) * PAGE - OFFSET;
  return Math.max(PAGE, Math.floor((ROOM - before) / PAGE) * PAGE);
}
