/** Which command wrote which lines of a file: its texts from snapshot to snapshot, each compared with the one before. */
import { findBlocks, splitLines } from '../../../history/text/hunks.ts';
import type { BlameRange } from '../../protocol.ts';

/** The text after somebody wrote to it. */
export interface Written {
  readonly text: string;
  readonly generation: number;
  readonly command: string | undefined;
}

/** `before`: the real file's text. Lines that it has had already are in no range. */
export function blameRanges(before: string, steps: readonly Written[]): BlameRange[] {
  let lines = splitLines(before);
  let owners: (Written | undefined)[] = lines.map(() => undefined);
  for (const step of steps) {
    const next = splitLines(step.text);
    owners = ownersAfter(lines, next, owners, step);
    lines = next;
  }
  return rangesOf(owners);
}

function ownersAfter(
  lines: readonly string[],
  next: readonly string[],
  owners: readonly (Written | undefined)[],
  step: Written,
): (Written | undefined)[] {
  const after: (Written | undefined)[] = [];
  let at = 0;
  for (const { aStart, aEnd, bStart, bEnd } of findBlocks(lines, next)) {
    for (; at < aStart; at++) after.push(owners[at]);
    for (let line = bStart; line < bEnd; line++) after.push(step);
    at = aEnd;
  }
  for (; at < lines.length; at++) after.push(owners[at]);
  return after;
}

function rangesOf(owners: readonly (Written | undefined)[]): BlameRange[] {
  const ranges: BlameRange[] = [];
  for (let at = 0; at < owners.length; ) {
    const owner = owners[at];
    let end = at + 1;
    while (end < owners.length && owners[end] === owner) end += 1;
    if (owner !== undefined) {
      const { generation, command } = owner;
      ranges.push({ start: at + 1, count: end - at, generation, ...(command === undefined ? {} : { command }) });
    }
    at = end;
  }
  return ranges;
}
