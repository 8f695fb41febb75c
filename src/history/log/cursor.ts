/** The fields of a journal's line taken from its bytes one by one, without a string or an object for any. */
import { sharedTime } from '../../staging/compact.ts';
import type { Time } from '../../staging/inode.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import type { Line } from './lines.ts';

export const TAB = 9;
export const COLON = 58;
export const DOT = 46;
const SLASH = 47;
const BACKSLASH = 92;
const ZERO = 48;
/** More digits may be no integer any more. */
const DIGITS = 15;

const NOTHING: Buffer = Buffer.alloc(0);

/** What it takes is right only if `fits` is true in the end. Lines end in a newline within the buffer, so no loop runs out of it. */
export class Cursor {
  /** False as soon as anything is not as expected. */
  fits = true;
  #bytes = NOTHING;
  #at = 0;
  #limit = 0;
  #path = 0;
  #slash = 0;
  #end = 0;
  /** Where the directory's path of the line before is, to be compared. */
  #directory: Buffer | undefined;

  /** Begins with a line, that many bytes behind its start. */
  begin({ bytes, start, end }: Line, skip: number): void {
    this.#bytes = bytes;
    this.#at = start + skip;
    this.#limit = end;
    this.fits = true;
  }

  /** A number and the byte `end` behind it. */
  number(end: number): number {
    return this.#followed(this.value(10), end);
  }

  /** The same in octal. */
  octal(end: number): number {
    return this.#followed(this.value(8), end);
  }

  #followed(value: number, end: number): number {
    if (byteAt(this.#bytes, this.#at) !== end) this.fits = false;
    this.#at++;
    return value;
  }

  /** A number to that base, without what is behind it. */
  value(base: 8 | 10): number {
    const bytes = this.#bytes;
    let value = 0;
    let at = this.#at;
    for (let digit = byteAt(bytes, at) - ZERO; digit >= 0 && digit < base; digit = byteAt(bytes, ++at) - ZERO) {
      value = value * base + digit;
    }
    if (at === this.#at || at - this.#at > DIGITS) this.fits = false;
    this.#at = at;
    return value;
  }

  /** A time and the byte `end` behind it. */
  time(end: number): Time {
    const sec = this.number(DOT);
    return sharedTime(sec, this.number(end));
  }

  /** A time, without what is behind it. */
  timeValue(): Time {
    const sec = this.number(DOT);
    return sharedTime(sec, this.value(10));
  }

  skip(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < this.#limit && byteAt(bytes, at) !== TAB) at++;
    this.#at = at + 1;
  }

  /** Whether `word` comes next; it is taken then. */
  takes(word: Buffer): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < word.length; i++) if (bytes[this.#at + i] !== word[i]) return false;
    this.#at += word.length;
    return true;
  }

  /** A path below the root, without escaped bytes. */
  takePath(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    this.#path = at;
    this.#slash = at;
    for (let byte = byteAt(bytes, at); byte !== TAB && at < this.#limit; byte = byteAt(bytes, ++at)) {
      if (byte === SLASH) this.#slash = at;
      else if (byte === BACKSLASH) this.fits = false;
    }
    this.#end = at;
    if (bytes[this.#path] !== SLASH || this.#slash + 1 === at) this.fits = false;
    this.#at = at + 1;
  }

  /** Whether the rest of the line is the path. */
  isPath(): boolean {
    const length = this.#end - this.#path;
    if (this.#limit - this.#at !== length) return false;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) if (bytes[this.#at + i] !== bytes[this.#path + i]) return false;
    return true;
  }

  /** Whether the rest of the line is `word`. */
  endsWith(word: Buffer): boolean {
    return this.takes(word) && this.#at === this.#limit;
  }

  /** Of the path. */
  get name(): Name {
    return this.#bytes.toString('latin1', this.#slash + 1, this.#end) as Name;
  }

  /** Of the path. */
  get directory(): BytePath {
    return (this.#slash === this.#path ? '/' : this.#bytes.toString('latin1', this.#path, this.#slash)) as BytePath;
  }

  /** Whether it is in the directory for which this was asked last. */
  isInSameDirectory(): boolean {
    const length = this.#slash - this.#path;
    const last = this.#directory;
    const bytes = this.#bytes;
    let isSame = last?.length === length;
    for (let i = 0; isSame && i < length; i++) isSame = last?.[i] === bytes[this.#path + i];
    if (!isSame) this.#directory = Buffer.from(bytes.subarray(this.#path, this.#slash));
    return isSame;
  }
}

function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] as number;
}
