/**
 * Two changes of one text put together line by line. Changes that touch different lines, with a line between them that
 * neither touches, go together, and so do equal ones; anything else is for a person to look at (as `git merge-file`).
 */
import { isText } from '../../../sys/text/encoding.ts';
import { type Block, findBlocks, splitLines } from '../../diff/text/hunks.ts';

/** Bytes up to which a text is merged, and its merge base kept. */
export const MAX_MERGED = 1 << 20;

/** Lines from 1, both ends included; an empty range ends before it begins, at the line before it. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface Clash {
  readonly ours: LineRange;
  readonly theirs: LineRange;
}

export interface Texts {
  readonly original: Buffer;
  readonly ours: Buffer;
  readonly theirs: Buffer;
}

/** Whether bytes are text that can be merged: without NUL, not too long. */
export function isMergeable(bytes: Buffer): boolean {
  return bytes.length <= MAX_MERGED && !bytes.includes(0) && isText(bytes);
}

/** The text with both changes in it, or the places where they get in each other's way. */
export function mergeTexts({ original, ours, theirs }: Texts): Buffer | readonly Clash[] {
  const lines = { base: linesOf(original), ours: linesOf(ours), theirs: linesOf(theirs) };
  const merged: string[] = [];
  const clashes: Clash[] = [];
  let at = 0;
  for (const region of regionsOf(findBlocks(lines.base, lines.ours), findBlocks(lines.base, lines.theirs))) {
    merged.push(...lines.base.slice(at, region.start));
    const chosen = choose(region, lines);
    if (chosen === undefined) clashes.push({ ours: rangeOf(region.ours), theirs: rangeOf(region.theirs) });
    else merged.push(...chosen);
    at = region.end;
  }
  if (clashes.length > 0) return clashes;
  merged.push(...lines.base.slice(at));
  return Buffer.from(merged.join(''), 'latin1');
}

/** Bytes, one a code unit, so that whatever is in a line stays as it is. */
function linesOf(bytes: Buffer): string[] {
  return splitLines(bytes.toString('latin1'));
}

type Span = readonly [start: number, end: number];

/** Lines [start, end) of the merge base, and what either side has for them. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly ours: Span;
  readonly theirs: Span;
  readonly by: 'ours' | 'theirs' | 'both';
}

/** Changes of both sides that overlap or touch are one region. */
function* regionsOf(ours: readonly Block[], theirs: readonly Block[]): Generator<Region> {
  const [left, right] = [new Side(ours), new Side(theirs)];
  for (let start = nextStart(left, right); start !== undefined; start = nextStart(left, right)) {
    const [shiftA, shiftB] = [left.shift, right.shift];
    let end = start;
    for (let before = -1; before !== end; ) {
      before = end;
      end = left.takeUpTo(right.takeUpTo(end));
    }
    const by = left.taken ? (right.taken ? 'both' : 'ours') : 'theirs';
    left.taken = right.taken = false;
    yield { start, end, by, ours: [start + shiftA, end + left.shift], theirs: [start + shiftB, end + right.shift] };
  }
}

function nextStart(left: Side, right: Side): number | undefined {
  const [a, b] = [left.next?.aStart, right.next?.aStart];
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}

/** One side's changes on the way through the merge base. */
class Side {
  /** How far this side's line numbers are from the merge base's, behind what was taken. */
  shift = 0;
  taken = false;
  readonly #blocks: readonly Block[];
  #at = 0;

  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
  }

  get next(): Block | undefined {
    return this.#blocks[this.#at];
  }

  /** Takes the changes that begin up to and including line `end`; returns where the last of them ends. */
  takeUpTo(end: number): number {
    let reach = end;
    for (let block = this.next; block !== undefined && block.aStart <= reach; block = this.next) {
      reach = Math.max(reach, block.aEnd);
      this.shift = block.bEnd - block.aEnd;
      this.taken = true;
      this.#at += 1;
    }
    return reach;
  }
}

function choose(
  { ours, theirs, by }: Region,
  lines: { readonly ours: readonly string[]; readonly theirs: readonly string[] },
): readonly string[] | undefined {
  const [left, right] = [lines.ours.slice(...ours), lines.theirs.slice(...theirs)];
  if (by !== 'both') return by === 'ours' ? left : right;
  const same = left.length === right.length && left.every((line, i) => line === right[i]);
  return same ? left : undefined;
}

function rangeOf([start, end]: Span): LineRange {
  return { from: start + 1, to: end };
}
