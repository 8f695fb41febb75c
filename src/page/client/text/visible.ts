/**
 * Names and contents are an agent's words: what would hide in them, or turn the direction of what follows, is shown as a
 * sign. Only for what is drawn; what is sent back to the server stays as it came.
 */

/** Control characters but tab, what changes direction, what has no width, and lone halves of pairs. */
const HIDDEN = new RegExp(
  [
    String.raw`[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f]`,
    String.raw`[\u3164\ufeff\uffa0\ufff9-\ufffb]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]|\p{Cs}`,
  ].join('|'),
  'gu',
);

export interface Piece {
  readonly text: string;
  /** Set where the text stands for a character that shows nothing itself. */
  readonly isSign?: true;
}

/** The text in pieces: what shows itself, and signs. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: signOf(match[0]), isSign: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** The same as one text, for titles and labels. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `‹${signOf(character)}›`);
}

function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // A byte of a content that is no UTF-8 (`src/sys/text/encoding.ts`).
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code & 0xff).toString(16).toUpperCase()}`;
  if (code < 0x20 || code === 0x7f) return `^${String.fromCodePoint(code ^ 0x40)}`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
