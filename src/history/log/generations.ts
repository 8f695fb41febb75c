/** A set of generations as ascending ranges that do not touch: which ones a journal says are no longer kept. */
import type { Gen } from '../../sys/bytes.ts';

/** All generations from `from` up to and including `to`. */
export interface GenRange {
  readonly from: Gen;
  readonly to: Gen;
}

export class Generations {
  #ranges: GenRange[] = [];

  constructor(ranges: Iterable<GenRange> = []) {
    this.addAll(ranges);
  }

  get ranges(): readonly GenRange[] {
    return this.#ranges;
  }

  /** How many generations these are. */
  get size(): number {
    return this.#ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  }

  has(generation: Gen): boolean {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const range = this.#ranges[middle];
      if (range !== undefined && range.to < generation) low = middle + 1;
      else high = middle;
    }
    const found = this.#ranges[low];
    return found !== undefined && found.from <= generation;
  }

  addAll(ranges: Iterable<GenRange>): void {
    const sorted = [...this.#ranges, ...ranges].sort((a, b) => a.from - b.from);
    const joined: { from: Gen; to: Gen }[] = [];
    for (const { from, to } of sorted) {
      const last = joined.at(-1);
      if (last === undefined || from > last.to + 1) joined.push({ from, to });
      else if (to > last.to) last.to = to;
    }
    this.#ranges = joined;
  }
}

/** Single generations as ranges. */
export function rangesOf(generations: Iterable<Gen>): readonly GenRange[] {
  return new Generations([...generations].map((generation) => ({ from: generation, to: generation }))).ranges;
}

/** `1-4, 7`, for people. */
export function describeRanges(ranges: readonly GenRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
