/** Lines and errors in grep's form. */

import type { Options } from './command-line/options.ts';
import type { Content, Sink } from './file-access.ts';

const FLUSH_AT = 64 * 1024;
/** As wide as the largest number that a file's size can be. */
const WIDEST = 19;

interface LineFacts {
  readonly isSelected: boolean;
  readonly number: number;
  readonly offset: number;
  readonly isEmpty: boolean;
}

export class Printer {
  /** Whether something went wrong that makes the exit code 2. */
  hasFailed = false;
  /** Whether there was a line before, so that the next group of lines is parted from it. */
  hasSelected = false;
  readonly #sink: Sink;
  readonly #options: Options;
  readonly #end: string;
  #showsNames = false;
  /** Not written yet; bytes, one code unit each. */
  #text = '';
  /** Of numbers that stand before a tab, so that columns line up. */
  #width = 0;

  constructor(sink: Sink, options: Options) {
    this.#sink = sink;
    this.#options = options;
    this.#end = String.fromCharCode(options.lineEnd);
  }

  /** Whether names stand before lines. */
  showNames(isShown: boolean): void {
    this.#showsNames = isShown;
  }

  /** The file that comes next: its size says how wide its numbers are. */
  begin(content: Content): void {
    if (!this.#options.initialTab) return;
    const { size } = content;
    this.#width = size === undefined ? WIDEST : String(size + (this.#options.lineNumbers ? 1 : 0)).length;
  }

  /** One line with what ends it, or with -o a match without. */
  line(name: string, text: Buffer, { isSelected, number, offset, isEmpty }: LineFacts): void {
    const { lineNumbers, byteOffsets, onlyMatching, initialTab, nulAfterName } = this.#options;
    const mark = isSelected ? ':' : '-';
    let head = this.#showsNames ? name + (nulAfterName ? '\0' : mark) : '';
    if (lineNumbers) head += String(number).padStart(this.#width) + mark;
    if (byteOffsets) head += String(offset).padStart(this.#width) + mark;
    if (initialTab && head !== '' && !isEmpty) head += '\t';
    const end = onlyMatching ? this.#end : '';
    if (text.length < FLUSH_AT) {
      this.#add(head + text.toString('latin1') + end);
      return;
    }
    // A line may be longer than any string.
    this.#add(head);
    this.flush();
    this.#sink.out(Buffer.from(text));
    this.#add(end);
  }

  /** Whole lines of a file, the last perhaps without what ends it; an empty one stands for one that is not selected. Returns how many are. */
  lines(name: string, text: string): number {
    const { lineNumbers, nulAfterName } = this.#options;
    const head = this.#showsNames ? name + (nulAfterName ? '\0' : ':') : '';
    let [count, number] = [0, 0];
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      number += 1;
      if (end > at) {
        this.#add(lineNumbers ? `${head}${number}:${text.slice(at, end)}\n` : `${head}${text.slice(at, end)}\n`);
        count += 1;
      }
      at = end + 1;
    }
    this.hasSelected ||= count > 0;
    return count;
  }

  /** A group of lines begins; what parts it from the one before, if it does not go on where that ended. */
  separate(isApart: boolean): void {
    const { separator } = this.#options;
    if (this.hasSelected && isApart && separator !== undefined) this.#add(`${separator}\n`);
  }

  /** -c: how many lines of a file are selected. */
  count(name: string, selected: number): void {
    const head = this.#showsNames ? name + (this.#options.nulAfterName ? '\0' : ':') : '';
    this.#add(`${head}${selected}\n`);
  }

  /** -l and -L. */
  name(name: string): void {
    this.#add(name + (this.#options.nulAfterName ? '\0' : '\n'));
  }

  /** Says what a person should know. */
  error(text: string): void {
    this.flush();
    this.#sink.err(`grep: ${text}`);
  }

  /** What went wrong with a file, unless -s. */
  fileError(name: string, why: string): void {
    this.hasFailed = true;
    if (!this.#options.noMessages) this.error(`${name}: ${why}`);
  }

  flush(): void {
    if (this.#text !== '') this.#sink.out(Buffer.from(this.#text, 'latin1'));
    this.#text = '';
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length >= FLUSH_AT) this.flush();
  }
}
