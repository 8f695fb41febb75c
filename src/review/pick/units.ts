/**
 * What a person decides one after the other: hunks, and what else of a change is decided alone (`items.ts` finds them).
 */

import type { PathChange } from '../../history/diff/path-change.ts';
import type { KeyedHunk, TextChange } from '../../history/diff/text/sections.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { FoldKind } from '../folds.ts';

export type What = 'hunk' | 'whole' | 'rename' | 'mode' | 'content' | 'directory' | FoldKind;

/** One decision. */
export interface Unit {
  readonly what: What;
  readonly change: Pick<PathChange, 'path' | 'change' | 'type' | 'from'>;
  /** Of all that it decides, but for lines of a hunk. */
  readonly keys: readonly string[];
  /** As a diff shows it, perhaps only its beginning. */
  readonly lines: readonly string[];
  /** How many files are decided together. */
  readonly files: number;
  readonly hunk?: HunkPart;
  /** Without it this is not taken: it is decided as that is, unless that is taken. */
  readonly gate?: Unit;
  /** It stands for these, which take reading. */
  readonly unread?: () => readonly Unit[];
}

/** A hunk, or some of its blocks. */
export interface HunkPart {
  readonly text: TextChange;
  readonly hunk: KeyedHunk;
  /** Its changed lines that are meant, from 1. */
  readonly numbers: readonly number[];
}

/** A directory that came or went with others below it: it is decided by what is decided of them. */
export interface Container {
  readonly path: BytePath;
  readonly keys: readonly string[];
}

export interface Units {
  readonly units: readonly Unit[];
  readonly containers: readonly Container[];
}

/** The changed lines of a hunk, from 1. */
export function numbersOf({ blocks }: KeyedHunk): number[] {
  const count = blocks.reduce((sum, { aStart, aEnd, bStart, bEnd }) => sum + aEnd - aStart + bEnd - bStart, 0);
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The blocks of a hunk, each by itself; the unit as it is where it has only one. */
export function splitUnit(unit: Unit): readonly Unit[] {
  const { hunk: part } = unit;
  if (part === undefined || part.hunk.blocks.length < 2 || part.numbers.length < numbersOf(part.hunk).length)
    return [unit];
  let last = 0;
  return part.hunk.blocks.map(({ aStart, aEnd, bStart, bEnd }) => {
    const count = aEnd - aStart + bEnd - bStart;
    const numbers = Array.from({ length: count }, (_, index) => last + index + 1);
    last += count;
    return { ...unit, lines: linesOf(part.hunk, numbers), hunk: { ...part, numbers } };
  });
}

/** Changed lines of a hunk, with the lines that stay around and between them. */
export function linesOf({ lines }: KeyedHunk, numbers: readonly number[]): string[] {
  const chosen = new Set(numbers);
  let number = 0;
  const own = lines.map((line) => {
    const isChanged = line.startsWith('-') || line.startsWith('+');
    if (isChanged) number += 1;
    return line.startsWith('\\') ? undefined : isChanged ? chosen.has(number) : undefined;
  });
  const [first, last] = [own.indexOf(true), own.lastIndexOf(true)];
  let [start, end] = [first, last + 1];
  while (start > 0 && own[start - 1] === undefined) start -= 1;
  while (end < lines.length && own[end] === undefined) end += 1;
  return lines.slice(start, end).filter((_line, index) => own[start + index] !== false);
}
