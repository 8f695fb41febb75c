/** How a diff looks: colours for its lines, rows and the last line of `--stat`. */

import { amount } from '../../agents/amount.ts';
import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { DiffStat } from '../../history/diff/diff.ts';
import { showEscapes } from '../../sys/text/encoding.ts';
import type { Paint } from './terminal.ts';

const LONGEST_BAR = 40;
const PATH_WIDTH = 40;

/** One piece of a diff, a header or a line of a hunk. On a terminal, content cannot send it control sequences. */
export function diffPiece(piece: string, paint: Paint, isTerminal: boolean): string {
  const text = isTerminal ? harmless(piece) : piece;
  if (text.startsWith('diff --git ')) return `${paint.bold(text.trimEnd())}\n`;
  const colour = { '+': paint.green, '-': paint.red, '@': paint.cyan, '#': paint.dim }[text.charAt(0)];
  return colour === undefined ? text : `${colour(text.trimEnd())}\n`;
}

/** `path | 3 ++-` */
export function statRow(row: DiffStat, from: Viewpoint, paint: Paint): string {
  const { added, removed, binary } = row;
  const path = showPath(row.path, from);
  const name = row.from === undefined ? path : `${showPath(row.from, from)} → ${path}`;
  if (binary) return `${name.padEnd(PATH_WIDTH)} | binary\n`;
  const scale = Math.min(1, LONGEST_BAR / Math.max(1, added + removed));
  const [plus, minus] = ['+'.repeat(Math.ceil(added * scale)), '-'.repeat(Math.ceil(removed * scale))];
  const count = added + removed > 0 ? String(added + removed).padStart(5) : `     ${row.change}`;
  return `${name.padEnd(PATH_WIDTH)} | ${count} ${paint.green(plus)}${paint.red(minus)}`.trimEnd().concat('\n');
}

/** `2 files changed, 3 lines added, 1 removed` */
export function statTotal(total: { readonly files: number; readonly added: number; readonly removed: number }): string {
  const { files, added, removed } = total;
  return `${amount(files, 'file')} changed, ${amount(added, 'line')} added, ${removed} removed\n`;
}

/** Text whose control characters are shown, and reach no terminal. */
export function harmless(text: string): string {
  return (
    showEscapes(text)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (c) => `^${String.fromCharCode(c.charCodeAt(0) ^ 64)}`)
      // C1 controls, what lets text look as if it stood in another order, and what programs read and nobody sees.
      .replace(/[\x80-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) => `<U+${hex(c)}>`)
      .replace(/\udb40[\udc00-\udc7f]/g, (c) => `<U+${c.codePointAt(0)?.toString(16).toUpperCase()}>`)
  );
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}
