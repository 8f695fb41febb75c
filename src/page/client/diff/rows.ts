/** The lines of a hunk as rows to draw: one below the other, or the old beside the new. */
import { type Range, wordDifference } from './words.ts';

export interface HunkText {
  /** The numbers of the first lines of both sides. */
  readonly oldStart: number;
  readonly newStart: number;
  /** How many changed lines of the hunk stand before these. */
  readonly changedBefore: number;
  /** As unified hunks have them, with the sign first. */
  readonly lines: readonly string[];
  readonly cut?: readonly (readonly [line: number, bytes: number])[] | undefined;
}

export interface Line {
  readonly side: 'old' | 'new' | 'both';
  readonly text: string;
  /** Bytes of it that are not in `text`. */
  readonly missing?: number;
  /** Line numbers of both sides; undefined where a side has not this line. */
  readonly old?: number;
  readonly new?: number;
  /** Which changed line of the hunk it is, counted from 1 as `--lines` counts them. */
  readonly changed?: number;
  /** Whether the file ends with it without a newline. */
  readonly endsOpen?: true;
  readonly marks?: readonly Range[];
  /** Whether it differs from its counterpart in white space alone. */
  readonly isSpaceOnly?: true;
}

/** Two lines beside each other; a side is empty where the other has more. */
export interface Pair {
  readonly old?: Line;
  readonly new?: Line;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The lines with their numbers, and the words that differ marked. */
export function linesOf(hunk: HunkText): Line[] {
  const lines: Writable<Line>[] = [];
  let [old, now, changed] = [hunk.oldStart, hunk.newStart, hunk.changedBefore];
  const cut = new Map(hunk.cut);
  for (const [at, said] of hunk.lines.entries()) {
    const [sign, text] = [said[0], said.slice(1)];
    const last = lines.at(-1);
    if (sign === '\\' && last !== undefined) last.endsOpen = true;
    else if (sign === '-') lines.push({ side: 'old', text, old: old++, changed: ++changed });
    else if (sign === '+') lines.push({ side: 'new', text, new: now++, changed: ++changed });
    else if (sign === ' ') lines.push({ side: 'both', text, old: old++, new: now++ });
    const missing = cut.get(at);
    const line = lines.at(-1);
    if (missing !== undefined && line !== undefined) line.missing = missing;
  }
  for (const line of lines) if (line.side !== 'both' && line.text.trim() === '') line.isSpaceOnly = true;
  for (const { old: one, new: other } of pairsOf(lines)) if (one !== other) compare(one, other);
  return lines;
}

/** The lines side by side: what was removed beside what was added in its place. */
export function pairsOf(lines: readonly Line[]): Pair[] {
  const pairs: Pair[] = [];
  let [olds, news]: [Line[], Line[]] = [[], []];
  const flush = (): void => {
    for (let i = 0; i < Math.max(olds.length, news.length); i += 1) pairs.push(pairOf(olds[i], news[i]));
    [olds, news] = [[], []];
  };
  for (const line of lines) {
    if (line.side === 'both') {
      flush();
      pairs.push({ old: line, new: line });
    } else if (line.side === 'new') news.push(line);
    else {
      if (news.length > 0) flush();
      olds.push(line);
    }
  }
  flush();
  return pairs;
}

function pairOf(old: Line | undefined, now: Line | undefined): Pair {
  return { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
}

function compare(one: Writable<Line> | undefined, other: Writable<Line> | undefined): void {
  if (one === undefined || other === undefined) return;
  if (withoutSpace(one.text) === withoutSpace(other.text)) {
    one.isSpaceOnly = true;
    other.isSpaceOnly = true;
  }
  const difference = wordDifference(one.text, other.text);
  if (difference === undefined) return;
  one.marks = difference.old;
  other.marks = difference.new;
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}
