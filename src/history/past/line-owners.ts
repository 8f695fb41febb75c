/** Which of the texts that a file has had each of its lines came with, and with which one it went. Pure. */
import { findBlocks } from '../diff/text/hunks.ts';

/** What a file became. */
export interface TextStep<By> {
  readonly lines: readonly string[];
  readonly by: By;
}

export interface Owners<By> {
  /** Whose each line of the last text is; undefined: the first text had it. */
  readonly added: readonly (By | undefined)[];
  /** Who took each line of the first text away; undefined: it is still there. */
  readonly removed: readonly (By | undefined)[];
}

interface OwnedLine<By> {
  readonly by: By | undefined;
  /** Its number in the first text. */
  readonly old: number | undefined;
}

export function ownersOf<By>(before: readonly string[], steps: readonly TextStep<By>[]): Owners<By> {
  const removed: (By | undefined)[] = before.map(() => undefined);
  let texts = before;
  let owned = before.map((_line, old): OwnedLine<By> => ({ by: undefined, old }));
  for (const { lines, by } of steps) {
    const next: OwnedLine<By>[] = [];
    let at = 0;
    for (const { aStart, aEnd, bStart, bEnd } of findBlocks(texts, lines)) {
      for (; at < aStart; at++) next.push(owned[at] as OwnedLine<By>);
      for (; at < aEnd; at++) {
        const old = owned[at]?.old;
        if (old !== undefined) removed[old] = by;
      }
      for (let line = bStart; line < bEnd; line++) next.push({ by, old: undefined });
    }
    for (; at < owned.length; at++) next.push(owned[at] as OwnedLine<By>);
    [texts, owned] = [lines, next];
  }
  return { added: owned.map(({ by }) => by), removed };
}
