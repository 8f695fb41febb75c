/**
 * Gives back what the FUSE thread's heap has room for and no use. V8 does that by itself while the event loop of a thread turns,
 * which this one's does not: after 200,000 changes 28 MB would stay, of new space and of holes between what lives.
 */
import { collectGarbage, heapSize } from '../../sys/memory.ts';

/** Bytes by which the heap of the FUSE thread has grown since the last time, or since the start. */
const WORTH_IT = 64 * 2 ** 20;

export class HeapTrim {
  readonly #isAlone: () => boolean;
  readonly #worth: number;
  #size = heapSize();

  /** `isAlone` tells whether no command runs in the view; `worth`: the bytes of growth that a collection is for. */
  constructor(isAlone: () => boolean, worth = WORTH_IT) {
    this.#isAlone = isAlone;
    this.#worth = worth;
  }

  /**
   * Collects when the heap has grown much and nobody would have to wait for it: 100 MB take some tenths of a second, on a busy
   * machine a whole one. Does nothing otherwise.
   */
  step(): void {
    if (heapSize() < this.#size + this.#worth || !this.#isAlone()) return;
    collectGarbage();
    this.#size = heapSize();
  }
}
