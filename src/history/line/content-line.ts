/**
 * The record that a journal has most of, `S content` of a file at its own place, read byte by byte: a travel reads one for
 * each file that was ever written to, and as an object with its fields as strings each costs four times as much.
 */
import { sharedTime } from '../../staging/compact.ts';
import type { Fingerprint, Time } from '../../staging/inode.ts';
import type { BytePath, Gen, Ino, Name, ObjectId } from '../../sys/bytes.ts';
import type { Line } from './lines.ts';

const TAB = 9;
const COLON = 58;
const DOT = 46;
const SLASH = 47;
const BACKSLASH = 92;
const ZERO = 48;
/** Where the tag is, behind the checksum. */
const TAG = 9;
const S = 83;
/** More digits may be no integer any more. */
const DIGITS = 15;

const CONTENT = Buffer.from('content\t', 'latin1');
const FILE = Buffer.from('base:file:', 'latin1');
const OBJECT = Buffer.from('object:', 'latin1');
const NONE = Buffer.from('-\t', 'latin1');
const NOTHING: Buffer = Buffer.alloc(0);

/** One line at a time; what it said is overwritten by the next. */
export class ContentLine {
  generation = 0 as Gen;
  ino = 0 as Ino;
  object = 0 as ObjectId;
  /** What the original looked like, if the line tells it. */
  fingerprint: Fingerprint | undefined = undefined;
  #bytes = NOTHING;
  #at = 0;
  /** False as soon as anything is not as expected. */
  #fits = true;
  #path = 0;
  #slash = 0;
  #end = 0;
  #limit = 0;
  /** Where the directory's path of the line before is, to be compared. */
  #directory: Buffer | undefined;

  /**
   * Reads an intact line. False if it is any other record, or one with anything out of the ordinary: escaped bytes, an
   * original elsewhere; `decodeRecord` understands those.
   */
  read({ bytes, start, end }: Line): boolean {
    if (bytes[start + TAG] !== S || bytes[start + TAG + 1] !== TAB) return false;
    this.#bytes = bytes;
    this.#at = start + TAG + 2;
    this.#limit = end;
    this.#fits = true;
    this.generation = this.#number(TAB) as Gen;
    // Time, run, pid, process.
    for (let i = 0; i < 4; i++) this.#skip();
    if (!this.#takes(CONTENT)) return false;
    this.#takePath();
    this.ino = this.#number(TAB) as Ino;
    this.object = this.#number(TAB) as ObjectId;
    this.fingerprint = this.#takes(NONE) ? undefined : this.#fingerprint();
    if (!this.#takes(FILE)) {
      if (!this.#takes(OBJECT)) return false;
      this.#number(COLON);
    }
    return this.#fits && this.#isPath();
  }

  get name(): Name {
    return this.#bytes.toString('latin1', this.#slash + 1, this.#end) as Name;
  }

  get directory(): BytePath {
    return (this.#slash === this.#path ? '/' : this.#bytes.toString('latin1', this.#path, this.#slash)) as BytePath;
  }

  /** Whether it is in the directory for which this was asked last. */
  isInSameDirectory(): boolean {
    const length = this.#slash - this.#path;
    const last = this.#directory;
    let isSame = last?.length === length;
    for (let i = 0; isSame && i < length; i++) isSame = last?.[i] === this.#bytes[this.#path + i];
    if (!isSame) this.#directory = Buffer.from(this.#bytes.subarray(this.#path, this.#slash));
    return isSame;
  }

  #fingerprint(): Fingerprint {
    const dev = this.#number(COLON);
    const ino = this.#number(COLON);
    const size = this.#number(COLON);
    const mtime = this.#time();
    const ctime = this.#time();
    return { dev, ino, size, mtime, ctime, nlink: this.#number(TAB) };
  }

  #time(): Time {
    const sec = this.#number(DOT);
    return sharedTime(sec, this.#number(COLON));
  }

  #number(end: number): number {
    const bytes = this.#bytes;
    let value = 0;
    let at = this.#at;
    for (let digit = byteAt(bytes, at) - ZERO; digit >= 0 && digit <= 9; digit = byteAt(bytes, ++at) - ZERO) {
      value = value * 10 + digit;
    }
    if (at === this.#at || at - this.#at > DIGITS || bytes[at] !== end) this.#fits = false;
    this.#at = at + 1;
    return value;
  }

  #skip(): void {
    let at = this.#at;
    while (at < this.#limit && byteAt(this.#bytes, at) !== TAB) at++;
    this.#at = at + 1;
  }

  #takes(word: Buffer): boolean {
    for (let i = 0; i < word.length; i++) if (this.#bytes[this.#at + i] !== word[i]) return false;
    this.#at += word.length;
    return true;
  }

  #takePath(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    this.#path = at;
    this.#slash = at;
    for (let byte = byteAt(bytes, at); byte !== TAB && at < this.#limit; byte = byteAt(bytes, ++at)) {
      if (byte === SLASH) this.#slash = at;
      else if (byte === BACKSLASH) this.#fits = false;
    }
    this.#end = at;
    if (bytes[this.#path] !== SLASH || this.#slash + 1 === at) this.#fits = false;
    this.#at = at + 1;
  }

  /** Whether the rest of the line is the path. */
  #isPath(): boolean {
    const length = this.#end - this.#path;
    if (this.#limit - this.#at !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[this.#at + i] !== this.#bytes[this.#path + i]) return false;
    return true;
  }
}

/** Lines end in a newline within the buffer, so no loop above runs out of it. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] as number;
}
