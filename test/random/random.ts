/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** Lines of words, about `size` bytes. */
  text(size: number): string {
    const words: string[] = [];
    for (let length = 0; length < size; ) {
      const word = this.below(1 << 20).toString(36) + (this.below(9) === 0 ? '\n' : ' ');
      words.push(word);
      length += word.length;
    }
    return words.join('');
  }

  bytes(size: number): Buffer {
    const into = Buffer.alloc(size);
    for (let i = 0; i < size; i++) into[i] = this.below(256);
    return into;
  }
}
