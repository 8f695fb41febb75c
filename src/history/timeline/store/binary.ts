/** Little-endian values of the tree store: a writer over one growing buffer, a reader that throws RangeError at the end. */
import { sharedTime, small } from '../../../staging/compact.ts';
import type { Time } from '../../../staging/inode.ts';

export class BinaryWriter {
  #bytes = Buffer.alloc(4096);
  #at = 0;

  /** Starts over, leaving `skip` bytes for the caller to fill. */
  reset(skip: number): void {
    this.#at = skip;
  }

  /** What was written; valid until the next reset. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  /** An integer up to 2^53. */
  number(value: number): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  time(time: Time): void {
    this.number(time.sec);
    this.u32(time.nsec);
  }

  /** A byte string with its length before it. */
  bytes(text: string): void {
    this.u32(text.length);
    this.#reserve(text.length);
    this.#at += this.#bytes.write(text, this.#at, 'latin1');
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    this.#bytes = Buffer.concat([this.#bytes], (this.#at + count) * 2);
  }
}

export class BinaryReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Over all that `#bytes` is a part of: LMDB hands out one buffer again and again, so it is seldom made. */
  #view = new DataView(this.#bytes.buffer);
  /** Offsets in the view. */
  #at = 0;
  #end = 0;

  /** Goes on with `bytes` from offset `at`. */
  reset(bytes: Buffer, at: number): void {
    if (bytes.buffer !== this.#view.buffer) this.#view = new DataView(bytes.buffer);
    this.#bytes = bytes;
    this.#at = bytes.byteOffset + at;
    this.#end = bytes.byteOffset + bytes.length;
  }

  u8(): number {
    return this.#view.getUint8(this.#pass(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#pass(4), true);
  }

  number(): number {
    return small(this.#view.getFloat64(this.#pass(8), true));
  }

  time(): Time {
    return sharedTime(this.number(), this.u32());
  }

  bytes(): string {
    const length = this.u32();
    const start = this.#pass(length) - this.#bytes.byteOffset;
    return this.#bytes.toString('latin1', start, start + length);
  }

  /** Where the next `count` bytes start; they are behind us from now on. */
  #pass(count: number): number {
    const start = this.#at;
    if (start + count > this.#end) throw new RangeError('a value runs past its end');
    this.#at = start + count;
    return start;
  }
}
