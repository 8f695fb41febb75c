/** Gathers sealed lines and hands them on in large pieces. */
import type { Errno } from '../../../sys/errno.ts';
import { OK } from '../../../sys/errno.ts';
import { sealLine } from '../../log/record.ts';

const CAPACITY = 1 << 20;

export class LineBuffer {
  #bytes = Buffer.allocUnsafe(CAPACITY);
  #filled = 0;
  readonly #write: (bytes: Buffer) => Errno;

  constructor(write: (bytes: Buffer) => Errno) {
    this.#write = write;
  }

  add(text: string): Errno {
    let length = sealLine(text, this.#bytes, this.#filled);
    if (this.#filled + length > this.#bytes.length) {
      const errno = this.flush();
      if (errno !== OK) return errno;
      if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(length * 2);
      length = sealLine(text, this.#bytes);
    }
    this.#filled += length;
    return OK;
  }

  flush(): Errno {
    const filled = this.#filled;
    this.#filled = 0;
    return filled === 0 ? OK : this.#write(this.#bytes.subarray(0, filled));
  }
}
