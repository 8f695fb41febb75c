/**
 * Contents as text, without loss: a byte that is no part of a UTF-8 character becomes a lone code unit U+DC80 to U+DCFF, and that
 * becomes the byte again (Python's `surrogateescape`, PEP 383). UTF-8 itself has no such characters, so no two contents are
 * one text. Files in Latin-1, Shift JIS or KOI8 so have lines that can be compared, shown and put together, too.
 */
import { isUtf8 } from 'node:buffer';

/** As git: a NUL in the first bytes makes a file binary. */
const SNIFFED = 8000;
const NEWLINE = 10;
const FIRST_ESCAPE = 0xdc00;
const ESCAPE = /[\udc80-\udcff]/u;
const ESCAPES = /([\udc80-\udcff]+)/u;

/**
 * Whether these bytes of a file, which begin at offset `at`, are lines that can be shown. What is no UTF-8 must have no control
 * characters, either.
 */
export function isText(bytes: Buffer, at = 0): boolean {
  if (at < SNIFFED && bytes.subarray(0, SNIFFED - at).includes(0)) return false;
  return isUtf8(bytes) || !bytes.some(isControl);
}

/** Those that no text has: not BEL to CR, SUB (the end of a text in DOS) and ESC. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && (byte < 7 || byte > 13) && byte !== 0x1a && byte !== 0x1b) || byte === 0x7f;
}

/** A byte order mark stays. */
export function decodeText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
    const line = bytes.subarray(at, end);
    text += isUtf8(line) ? line.toString('utf8') : decodeLine(line);
    at = end;
  }
  return text;
}

function decodeLine(line: Buffer): string {
  let text = '';
  for (let at = 0; at < line.length; ) {
    const first = line[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const character = line.subarray(at, at + length);
    const isWhole = character.length === length && isUtf8(character);
    text += isWhole ? character.toString('utf8') : String.fromCharCode(FIRST_ESCAPE + first);
    at += isWhole ? length : 1;
  }
  return text;
}

/** The bytes of a text, those that were no UTF-8 among them. */
export function encodeText(text: string): Buffer {
  if (!ESCAPE.test(text)) return Buffer.from(text);
  // Every second piece is one of escapes.
  const pieces = text.split(ESCAPES).map((piece, index) => Buffer.from(piece, index % 2 === 0 ? 'utf8' : 'latin1'));
  return Buffer.concat(pieces);
}

/** What a byte that is no UTF-8 is shown as: `<E9>`, as `less` has it. */
export function showEscapes(text: string): string {
  return text.replace(
    new RegExp(ESCAPE, 'gu'),
    (unit) => `<${(unit.charCodeAt(0) & 0xff).toString(16).toUpperCase()}>`,
  );
}
