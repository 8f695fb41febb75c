/**
 * Of contents the lines that have a text in them: what a search needs whose every line has it. A content is left whole that grep might take
 * for binary, or reads in more than one piece (grep/window.ts): what is said of it can depend on its other lines.
 */

/** `numbered`: each other line stays as an empty one, so that lines keep their numbers. */
export type LinesAsked = 'plain' | 'numbered';

/** Some, one behind the other; the length of each. */
export interface ExcerptList {
  /** -1: of this one none is told. */
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array;
}

const NEWLINE = 10;
/** Bytes of a content that grep reads at once. */
const LARGEST = 64 * 1024;
/** Of all excerpts of a search. */
const MOST_BYTES = 8 * 2 ** 20;
const NOT_TOLD = -1;

export class Excerpts {
  readonly #text: Buffer;
  readonly #isNumbered: boolean;
  #left = MOST_BYTES;
  #lengths: number[] = [];
  #pieces: Uint8Array[] = [];

  /** The text has a character, and is within a line. */
  constructor(text: string, asked: LinesAsked) {
    this.#text = Buffer.from(text);
    this.#isNumbered = asked === 'numbered';
  }

  /** Adds that of a content; undefined: it is not here. */
  add(content: Buffer | undefined): void {
    if (content === undefined || content.length > LARGEST || this.#left < content.length || content.includes(0)) {
      this.#lengths.push(NOT_TOLD);
      return;
    }
    const length = this.#addLines(content);
    this.#left -= length;
    this.#lengths.push(length);
  }

  /** Those that were added since; nothing if none is told. */
  take(): { excerpts?: ExcerptList } {
    const [lengths, bytes] = [this.#lengths, Buffer.concat(this.#pieces)];
    [this.#lengths, this.#pieces] = [[], []];
    return lengths.every((length) => length === NOT_TOLD) ? {} : { excerpts: { lengths, bytes } };
  }

  /** Returns their length. */
  #addLines(content: Buffer): number {
    let length = 0;
    let end = 0;
    for (let hit = content.indexOf(this.#text); hit >= 0; hit = content.indexOf(this.#text, end)) {
      const begin = hit === 0 ? 0 : content.lastIndexOf(NEWLINE, hit - 1) + 1;
      const newline = content.indexOf(NEWLINE, hit);
      if (this.#isNumbered) length += this.#addEmpty(content, end, begin);
      end = newline < 0 ? content.length : newline + 1;
      this.#pieces.push(content.subarray(begin, end));
      length += end - begin;
      if (end >= content.length) break;
    }
    return length;
  }

  /** An empty line for each between two places. */
  #addEmpty(content: Buffer, from: number, to: number): number {
    let count = 0;
    for (let at = content.indexOf(NEWLINE, from); at >= 0 && at < to; at = content.indexOf(NEWLINE, at + 1)) count += 1;
    if (count > 0) this.#pieces.push(Buffer.alloc(count, NEWLINE));
    return count;
  }
}
