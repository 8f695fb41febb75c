/** What tools answer: text that is harmless wherever a client prints it, and no more than a model can take in at once. */

/** Of one answer, in UTF-16 code units: below 25,000 tokens whatever they are. */
export const LONGEST_ANSWER = 20_000;
/** Of one line: a page always has several. */
const LONGEST_LINE = 2000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** One line of output as text: other bytes than text, and what acts on a terminal, are shown as escapes. */
export function toLine(bytes: Buffer): string {
  const text = printable(decode(bytes));
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}… (${text.length - LONGEST_LINE} more)` : text;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return bytes.toString('latin1').replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);
  }
}

function printable(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`)
      .replace(/[\x80-\x9f\u202a-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  );
}

/** Takes output as it comes, from a line on, until an answer is full. */
export class Page {
  readonly #from: number;
  readonly #onFull: () => void;
  readonly #lines: string[] = [];
  #rest: Buffer[] = [];
  #seen = 0;
  #length = 0;
  #isFull = false;

  /** Leaves out the first `from` lines; `onFull` hears, once, that no more is needed. */
  constructor(from: number, onFull: () => void) {
    this.#from = from;
    this.#onFull = onFull;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  add(piece: Buffer): void {
    for (let at = 0; !this.#isFull; ) {
      const end = piece.indexOf(0x0a, at);
      if (end < 0) {
        this.#rest.push(piece.subarray(at));
        return;
      }
      this.#take(Buffer.concat([...this.#rest, piece.subarray(at, end)]));
      this.#rest = [];
      at = end + 1;
    }
  }

  /** All that fits; `more` says how to get the rest, which begins at a line. */
  text(more: (from: number) => string): string {
    const last = Buffer.concat(this.#rest);
    if (!this.#isFull && last.length > 0) this.#take(last);
    if (this.#isFull) return [...this.#lines, more(this.#from + this.#lines.length)].join('\n');
    if (this.#lines.length === 0 && this.#from > 0) return `there are only ${this.#seen} lines`;
    return this.#lines.join('\n');
  }

  #take(bytes: Buffer): void {
    this.#seen += 1;
    if (this.#seen <= this.#from) return;
    const line = toLine(bytes);
    if (this.#length + line.length > LONGEST_ANSWER) {
      this.#isFull = true;
      this.#onFull();
      return;
    }
    this.#length += line.length + 1;
    this.#lines.push(line);
  }
}
