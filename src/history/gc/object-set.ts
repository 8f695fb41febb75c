/** A set of object ids below a bound, one bit each: ten million take little more than a megabyte. */
import type { ObjectId } from '../../sys/bytes.ts';

export class ObjectSet {
  readonly #bits: Uint32Array;

  /** For ids from 0 up to but not including `end`. */
  constructor(end: number) {
    this.#bits = new Uint32Array(Math.ceil(end / 32));
  }

  add(object: ObjectId): void {
    const at = Math.floor(object / 32);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (object % 32));
  }

  has(object: ObjectId): boolean {
    return ((this.#bits[Math.floor(object / 32)] ?? 0) & (1 << (object % 32))) !== 0;
  }
}
