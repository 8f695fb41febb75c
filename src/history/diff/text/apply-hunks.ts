/** A text with some of the changes that another one has. */
import type { Block, Hunk } from './hunks.ts';

/** A hunk that was chosen. */
export interface Choice {
  readonly hunk: Hunk;
  /** Of its changed lines, from 1 in the order in which they are shown, these alone; undefined: all. */
  readonly lines?: ReadonlySet<number> | undefined;
}

/**
 * The old lines with the chosen changes, in the order of the hunks. Of a change that is taken in part, removed lines that
 * were not chosen stay, before what was added: as a patch without the other lines would have it.
 */
export function applyHunks(a: readonly string[], b: readonly string[], choices: readonly Choice[]): string {
  const sorted = [...choices].sort((one, other) => one.hunk.oldStart - other.hunk.oldStart);
  const result: string[] = [];
  let at = 0;
  for (const { hunk, lines } of sorted) {
    let number = 0;
    for (const block of hunk.blocks) {
      push(result, a.slice(at, block.aStart));
      push(
        result,
        blockLines(a, b, block, (index) => lines === undefined || lines.has(number + index)),
      );
      number += block.aEnd - block.aStart + block.bEnd - block.bStart;
      at = block.aEnd;
    }
  }
  push(result, a.slice(at));
  return result.join('');
}

/** How many changed lines a hunk has. */
export function changedLines({ blocks }: Hunk): number {
  return blocks.reduce((sum, { aStart, aEnd, bStart, bEnd }) => sum + aEnd - aStart + bEnd - bStart, 0);
}

function blockLines(
  a: readonly string[],
  b: readonly string[],
  { aStart, aEnd, bStart, bEnd }: Block,
  isChosen: (index: number) => boolean,
): string[] {
  const kept = a.slice(aStart, aEnd).filter((_, i) => !isChosen(i + 1));
  const added = b.slice(bStart, bEnd).filter((_, i) => isChosen(aEnd - aStart + i + 1));
  return [...kept, ...added];
}

/** A line that had no end, being the last of its text, gets one where another follows. */
function push(result: string[], lines: readonly string[]): void {
  for (const line of lines) {
    const last = result.at(-1);
    if (last !== undefined && !last.endsWith('\n')) result[result.length - 1] = `${last}\n`;
    result.push(line);
  }
}
