/** A line in spans to draw: syntax colours, marks of words that differ, and signs for what hides. */
import type { Token } from '../highlight/messages.ts';
import { piecesOf } from '../text/visible.ts';
import type { Range } from './words.ts';

export interface Span {
  readonly text: string;
  /** Class names; empty for plain text. */
  readonly kind: string;
}

/** More of a line is not drawn: a line of a minified file can have millions of characters. */
export const LONGEST = 2000;

/** The spans of a line's first `LONGEST` characters, in order; their texts together are what is shown. */
export function spansOf(line: string, tokens: readonly Token[], marks: readonly Range[]): Span[] {
  const text = line.length > LONGEST ? line.slice(0, LONGEST) : line;
  const cuts = new Set([0, text.length]);
  let at = 0;
  const kinds: { to: number; kind: string }[] = [];
  for (const [length, kind] of tokens) {
    at += length;
    kinds.push({ to: at, kind });
    cuts.add(Math.min(at, text.length));
  }
  for (const [from, to] of marks) for (const cut of [from, to]) cuts.add(Math.min(cut, text.length));
  const sorted = [...cuts].sort((one, other) => one - other);
  const spans: Span[] = [];
  let token = 0;
  let mark = 0;
  for (let i = 0; i + 1 < sorted.length; i += 1) {
    const [from = 0, to = 0] = [sorted[i], sorted[i + 1]];
    while (token < kinds.length && (kinds[token]?.to ?? 0) <= from) token += 1;
    while (mark < marks.length && (marks[mark]?.[1] ?? 0) <= from) mark += 1;
    const isMarked = (marks[mark]?.[0] ?? Number.POSITIVE_INFINITY) <= from;
    const kind = [kinds[token]?.kind ? `t-${kinds[token]?.kind}` : '', isMarked ? 'mark' : '']
      .filter(Boolean)
      .join(' ');
    for (const piece of piecesOf(text.slice(from, to))) {
      spans.push({ text: piece.text, kind: piece.isSign === true ? `${kind} sign`.trim() : kind });
    }
  }
  return spans;
}
