/**
 * What a matcher reads: symbols. A symbol is a code point of well-formed UTF-8, or `INVALID` plus the value of a byte
 * that belongs to no character. Classes and case are those of glibc's C.UTF-8, which the tests compare them with.
 */

/** The first number that is no code point. */
export const INVALID = 0x110000;
export const NEWLINE = 10;

/** The symbol that begins at `at`; what lies at `end` and after it is not looked at. */
export function symbolAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return first;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > end) return INVALID + first;
  let symbol = first & (0xff >> (length + 1));
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return INVALID + first;
    symbol = (symbol << 6) | (next & 0x3f);
  }
  return isMisplaced(symbol, length) ? INVALID + first : symbol;
}

/** Too long for what it says, a surrogate, or beyond Unicode. */
function isMisplaced(symbol: number, length: number): boolean {
  if (length === 3) return symbol < 0x800 || (symbol >= 0xd800 && symbol <= 0xdfff);
  return length === 4 && (symbol < 0x10000 || symbol >= INVALID);
}

/** How many bytes a symbol takes. */
export function lengthOf(symbol: number): number {
  if (symbol < 0x80 || symbol >= INVALID) return 1;
  return symbol < 0x800 ? 2 : symbol < 0x10000 ? 3 : 4;
}

/** The symbol that ends just before `at`, as the start of the line says; undefined at `from`. */
export function symbolBefore(bytes: Uint8Array, from: number, at: number): number | undefined {
  if (at <= from) return undefined;
  for (let start = at - 1; start >= from && start >= at - 4; start--) {
    if (((bytes[start] ?? 0) & 0xc0) === 0x80) continue;
    const symbol = symbolAt(bytes, start, at);
    if (symbol < INVALID && start + lengthOf(symbol) === at) return symbol;
    break;
  }
  const last = bytes[at - 1] ?? 0;
  return last < 0x80 ? last : INVALID + last;
}

/** All symbols of a text. */
export function symbolsOf(bytes: Uint8Array): number[] {
  const symbols: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const symbol = symbolAt(bytes, at, bytes.length);
    symbols.push(symbol);
    at += lengthOf(symbol);
  }
  return symbols;
}

type Test = (symbol: number) => boolean;

/** Blanks, but for those that do not break a line. */
const BLANK = /[\t \u1680\u2000-\u2006\u2008-\u200a\u205f\u3000]/u;
const SPACE = /[\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/u;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const ALPHA = /\p{Alphabetic}|(?![0-9])\p{Nd}/u;
const ALNUM = /\p{Alphabetic}|\p{Nd}/u;
const ASSIGNED = /[^\p{Cn}\p{Cs}]/u;
/** Title case counts as upper case; of it, only the digraphs as lower case too. */
const UPPER = /[\p{Uppercase}\p{Lt}]/u;
const LOWER = /[\p{Lowercase}\u01c5\u01c8\u01cb\u01f2]/u;

function by(pattern: RegExp): Test {
  return (symbol) => symbol < INVALID && pattern.test(String.fromCodePoint(symbol));
}

const isPrint: Test = (symbol) => by(ASSIGNED)(symbol) && !by(CONTROL)(symbol);
const isGraph: Test = (symbol) => isPrint(symbol) && !by(SPACE)(symbol);

/** The classes that a bracket expression can name. */
export const CLASSES: ReadonlyMap<string, Test> = new Map([
  ['alpha', by(ALPHA)],
  ['upper', by(UPPER)],
  ['lower', by(LOWER)],
  ['digit', by(/[0-9]/)],
  ['xdigit', by(/[0-9A-Fa-f]/)],
  ['space', by(SPACE)],
  ['punct', (symbol) => isGraph(symbol) && !by(ALNUM)(symbol)],
  ['alnum', by(ALNUM)],
  ['print', isPrint],
  ['graph', isGraph],
  ['cntrl', by(CONTROL)],
  ['blank', by(BLANK)],
]);

/** Letters, digits and the underscore: what `\w`, `\b` and -w go by. */
export function isWord(symbol: number): boolean {
  if (symbol < 0x80) {
    return (
      (symbol >= 97 && symbol <= 122) ||
      (symbol >= 65 && symbol <= 90) ||
      (symbol >= 48 && symbol <= 57) ||
      symbol === 95
    );
  }
  return symbol < INVALID && ALNUM.test(String.fromCodePoint(symbol));
}
