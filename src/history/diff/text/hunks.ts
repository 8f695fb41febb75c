/** Line differences as unified hunks. */
import { diffArrays } from 'diff';

const CONTEXT = 3;
/** Edits up to which the shortest difference is searched; the search takes time and memory with their square. */
const MAX_EDITS = 3000;
const NO_NEWLINE = '\\ No newline at end of file';

/** Lines [aStart, aEnd) of the old text became lines [bStart, bEnd) of the new one. */
export interface Block {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** The hunks' lines without their ends, made as they are asked for. */
  readonly lines: () => Generator<string, void, undefined>;
}

/** Changes that are shown together, with the lines around them. */
export interface Hunk {
  /** The first line, from 1, and how many: the line before where there are none, as git has it. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with its mark (blank, `-`, `+`), without its end. */
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
}

/** The hunks of two lists of lines. */
export function hunksOf(a: readonly string[], b: readonly string[]): Hunk[] {
  return hunkPlaces(findBlocks(a, b), a.length).map((place) => ({
    ...place,
    lines: [...markedLines(a, b, place.blocks)],
  }));
}

/** The hunks of these blocks without their lines; `length`: how many the old text has. */
export function hunkPlaces(blocks: readonly Block[], length: number): Omit<Hunk, 'lines'>[] {
  return groups(blocks).map((own) => {
    const { oldSpan, newSpan } = spansOf(length, own);
    const [[aStart, aEnd], [bStart, bEnd]] = [oldSpan, newSpan];
    const [oldLines, newLines] = [aEnd - aStart, bEnd - bStart];
    const starts = { oldStart: oldLines === 0 ? aStart : aStart + 1, newStart: newLines === 0 ? bStart : bStart + 1 };
    return { ...starts, oldLines, newLines, blocks: own };
  });
}

/**
 * The difference of two texts. Texts that have next to nothing in common are not searched for the shortest one:
 * what lies between their common beginning and end is replaced as a whole.
 */
export function diffLines(oldText: string, newText: string): LineDiff {
  const a = splitLines(oldText);
  const b = splitLines(newText);
  const blocks = findBlocks(a, b);
  return {
    added: blocks.reduce((sum, block) => sum + block.bEnd - block.bStart, 0),
    removed: blocks.reduce((sum, block) => sum + block.aEnd - block.aStart, 0),
    lines: () => hunkLines(a, b, blocks),
  };
}

/** Lines with their newlines; only the last may lack one. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
  }
  return lines;
}

/** Where two lists of lines, or of what stands for each, differ, in order; there is a common line between any two. */
export function findBlocks<T extends string | number>(a: readonly T[], b: readonly T[]): Block[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [aEnd, bEnd] = [a.length, b.length];
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  if (start === aEnd && start === bEnd) return [];
  if (start === aEnd || start === bEnd) return [{ aStart: start, aEnd, bStart: start, bEnd }];
  const ids = new Map<T, number>();
  const [one, other] = [toIds(a.slice(start, aEnd), ids), toIds(b.slice(start, bEnd), ids)];
  const isFar = one.length + other.length - 2 * mostInCommon(one, other, ids.size) > MAX_EDITS;
  const parts = isFar ? undefined : diffArrays(one, other, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [{ aStart: start, aEnd, bStart: start, bEnd }];
  return toBlocks(parts, start);
}

/** Equal lines get equal numbers, which compare faster. */
function toIds<T>(lines: readonly T[], ids: Map<T, number>): number[] {
  return lines.map((line) => {
    const known = ids.get(line);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(line, id);
    return id;
  });
}

/** Lines that both lists have, in whatever order: no difference of them keeps more. */
function mostInCommon(a: readonly number[], b: readonly number[], ids: number): number {
  const left = new Int32Array(ids);
  for (const id of a) left[id] = (left[id] ?? 0) + 1;
  let common = 0;
  for (const id of b) {
    const count = left[id] ?? 0;
    if (count === 0) continue;
    left[id] = count - 1;
    common += 1;
  }
  return common;
}

function toBlocks(parts: readonly { added: boolean; removed: boolean; count: number }[], start: number): Block[] {
  const blocks: Block[] = [];
  let [aAt, bAt] = [start, start];
  let open: Block | undefined;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      if (open !== undefined) blocks.push(open);
      open = undefined;
      aAt += count;
      bAt += count;
      continue;
    }
    const { aStart, bStart } = open ?? { aStart: aAt, bStart: bAt };
    if (removed) aAt += count;
    else bAt += count;
    open = { aStart, aEnd: aAt, bStart, bEnd: bAt };
  }
  return open === undefined ? blocks : [...blocks, open];
}

function* hunkLines(
  a: readonly string[],
  b: readonly string[],
  blocks: readonly Block[],
): Generator<string, void, undefined> {
  for (const group of groups(blocks)) {
    const { oldSpan, newSpan } = spansOf(a.length, group);
    yield `@@ -${span(...oldSpan)} +${span(...newSpan)} @@`;
    yield* markedLines(a, b, group);
  }
}

/** Blocks whose surroundings touch are one hunk. */
function groups(blocks: readonly Block[]): Block[][] {
  const found: Block[][] = [];
  let last: Block | undefined;
  for (const block of blocks) {
    if (last !== undefined && block.aStart - last.aEnd <= 2 * CONTEXT) found.at(-1)?.push(block);
    else found.push([block]);
    last = block;
  }
  return found;
}

type Span = readonly [start: number, end: number];

/** The lines that a hunk shows, of both texts. */
function spansOf(length: number, group: readonly Block[]): { readonly oldSpan: Span; readonly newSpan: Span } {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return { oldSpan: [0, 0], newSpan: [0, 0] };
  const lead = Math.min(CONTEXT, first.aStart);
  const trail = Math.min(CONTEXT, length - last.aEnd);
  return {
    oldSpan: [first.aStart - lead, last.aEnd + trail],
    newSpan: [first.bStart - lead, last.bEnd + trail],
  };
}

function* markedLines(
  a: readonly string[],
  b: readonly string[],
  group: readonly Block[],
): Generator<string, void, undefined> {
  const [start, end] = spansOf(a.length, group).oldSpan;
  let at = start;
  for (const block of group) {
    yield* marked(' ', a, [at, block.aStart]);
    yield* marked('-', a, [block.aStart, block.aEnd]);
    yield* marked('+', b, [block.bStart, block.bEnd]);
    at = block.aEnd;
  }
  yield* marked(' ', a, [at, end]);
}

/** `first line,count`; git leaves a count of 1 out, and names the line before for a count of 0. */
function span(start: number, end: number): string {
  const count = end - start;
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

/** Lines [from, to) with a mark before each. */
function* marked(
  mark: string,
  lines: readonly string[],
  [from, to]: readonly [number, number],
): Generator<string, void> {
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? '';
    if (line.endsWith('\n')) yield `${mark}${line.slice(0, -1)}`;
    else {
      yield `${mark}${line}`;
      yield NO_NEWLINE;
    }
  }
}
