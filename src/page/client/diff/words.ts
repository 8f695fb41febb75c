/** Which words differ between a removed line and the added one that took its place. */

/** Half-open ranges of UTF-16 units in a line. */
export type Range = readonly [from: number, to: number];

export interface WordDifference {
  readonly old: readonly Range[];
  readonly new: readonly Range[];
}

/** Lines with more words are shown as a whole: the table below has a cell for each pair of them. */
const MOST_WORDS = 400;

/** Undefined where the lines have too little in common for marks to help, or are too long. */
export function wordDifference(before: string, after: string): WordDifference | undefined {
  const [olds, news] = [wordsOf(before), wordsOf(after)];
  if (olds.length > MOST_WORDS || news.length > MOST_WORDS) return undefined;
  const head = commonHead(olds, news);
  const tail = commonHead(olds.slice(head).reverse(), news.slice(head).reverse());
  const [oldMiddle, newMiddle] = [olds.slice(head, olds.length - tail), news.slice(head, news.length - tail)];
  const kept = longestCommon(oldMiddle, newMiddle);
  const same = [...olds.slice(0, head), ...olds.slice(olds.length - tail), ...kept.words].join('').trim().length;
  if (same * 3 < Math.max(before.trim().length, after.trim().length)) return undefined;
  const offset = olds.slice(0, head).join('').length;
  return { old: rangesWithout(oldMiddle, kept.old, offset), new: rangesWithout(newMiddle, kept.new, offset) };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function commonHead(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

interface Common {
  readonly words: string[];
  readonly old: ReadonlySet<number>;
  readonly new: ReadonlySet<number>;
}

function longestCommon(olds: readonly string[], news: readonly string[]): Common {
  const width = news.length + 1;
  const lengths = new Uint16Array((olds.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = olds.length - 1; i >= 0; i -= 1) {
    for (let j = news.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = olds[i] === news[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common = { words: [] as string[], old: new Set<number>(), new: new Set<number>() };
  for (let i = 0, j = 0; i < olds.length && j < news.length; ) {
    if (olds[i] === news[j]) {
      common.words.push(olds[i] ?? '');
      common.old.add(i++);
      common.new.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}

function rangesWithout(words: readonly string[], kept: ReadonlySet<number>, offset: number): Range[] {
  const ranges: [number, number][] = [];
  let from = offset;
  words.forEach((word, index) => {
    const to = from + word.length;
    const last = ranges.at(-1);
    if (!kept.has(index)) {
      if (last !== undefined && last[1] === from) last[1] = to;
      else ranges.push([from, to]);
    }
    from = to;
  });
  return ranges;
}
