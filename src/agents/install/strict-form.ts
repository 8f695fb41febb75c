/**
 * JSON as the strictest parser takes it. An agent that meets a comment where it expects none ignores the whole file, without a
 * word, and its hooks with it; so comments and commas in front of a closing bracket are taken out, and what was taken out is
 * kept: put in again, it gives back every byte.
 */
import { visit } from 'jsonc-parser';
import { tooDeepAt } from '../../sys/text/nesting.ts';
import type { Insertion } from './insertion.ts';

export interface StrictForm {
  readonly text: string;
  /** What `text` was without: comments, commas, a byte order mark. Offsets are those of `text`. */
  readonly cut: readonly Insertion[];
}

const BOM = '\uFEFF';

/** The text without what plain JSON does not have; a text that is no JSON otherwise, or nested too deep, stays so. */
export function strictForm(whole: string): StrictForm {
  if (tooDeepAt(whole) !== undefined) return { text: whole, cut: [] };
  const bom = whole.startsWith(BOM) ? BOM.length : 0;
  const pieces = [...(bom > 0 ? [{ at: 0, length: bom }] : []), ...oddPieces(whole, bom)];
  const cut: Insertion[] = [];
  let [text, from] = ['', 0];
  for (const { at, length } of pieces.sort((a, b) => a.at - b.at)) {
    text += whole.slice(from, at);
    from = at + length;
    cut.push({ at: text.length, text: whole.slice(at, from) });
  }
  return { text: text + whole.slice(from), cut };
}

interface Piece {
  readonly at: number;
  readonly length: number;
}

function oddPieces(whole: string, start: number): Piece[] {
  const found: Piece[] = [];
  let comma: Piece | undefined;
  const value = (): void => {
    comma = undefined;
  };
  const close = (): void => {
    if (comma !== undefined) found.push(comma);
    comma = undefined;
  };
  visit(whole.slice(start), {
    onComment: (at, length) => void found.push({ at: start + at, length }),
    onSeparator: (character, at, length) => {
      if (character === ',') comma = { at: start + at, length };
    },
    onObjectProperty: value,
    onLiteralValue: value,
    onObjectBegin: value,
    onArrayBegin: value,
    onObjectEnd: close,
    onArrayEnd: close,
  });
  return found;
}
