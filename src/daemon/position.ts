/** Where the session is in its history, as the main thread knows it from the answers of the FUSE thread. */
import type { Gen } from '../sys/bytes.ts';

export class Position {
  #generation: Gen;
  #way: Gen;

  constructor({ generation, way }: { readonly generation: Gen; readonly way: Gen }) {
    this.#generation = generation;
    this.#way = way;
  }

  /** The one that is being written. */
  get generation(): Gen {
    return this.#generation;
  }

  /** The number by which a travel comes to the state of the last marker: 0, the base, when a commit or abort came after it. */
  get way(): Gen {
    return this.#way;
  }

  /** After what adds a marker, or leaves everything as it is. */
  marked(generation: number): void {
    if (generation !== this.#generation) this.#way = generation as Gen;
    this.#generation = generation as Gen;
  }

  /** After a commit, its undo or an abort: what stayed staged has a marker of its own, and if nothing did the view is the base. */
  settled(generation: number): void {
    this.#way = (generation === this.#generation ? 0 : generation) as Gen;
    this.#generation = generation as Gen;
  }
}
