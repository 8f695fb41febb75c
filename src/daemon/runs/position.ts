/** Where the session is in its history, as the main thread knows it from the answers of the FUSE thread. */
import type { Gen } from '../../sys/bytes.ts';

export class Position {
  #generation: Gen;

  constructor({ generation }: { readonly generation: Gen }) {
    this.#generation = generation;
  }

  /** The one that is being written: the number of the last marker, and of the state there. */
  get generation(): Gen {
    return this.#generation;
  }

  /** After what adds a marker, or leaves everything as it is. */
  marked(generation: number): void {
    this.#generation = generation as Gen;
  }
}
