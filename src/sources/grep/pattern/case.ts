/**
 * Letters in either case, as GNU grep sees them. A line is chosen by one rule and the place of a match in it is found by
 * another: they differ for a few letters, and so do these two functions.
 */
import { appendTo } from '../../../sys/grouped.ts';
import { INVALID } from './characters.ts';

/** Where one character stands for another that is longer in full: Greek with iota below, whose capitals are one each. */
function capitalGreek(symbol: number): number {
  if (symbol === 0x1fb3 || symbol === 0x1fc3 || symbol === 0x1ff3) return symbol + 9;
  const isSmall = symbol >= 0x1f80 && symbol < 0x1fb0 && (symbol & 8) === 0;
  return isSmall ? symbol + 8 : symbol;
}

/** The capital of a symbol; itself where it has none of its own. */
export function upperOf(symbol: number): number {
  if (symbol < 0x80) return symbol >= 97 && symbol <= 122 ? symbol - 32 : symbol;
  if (symbol >= INVALID) return symbol;
  const upper = String.fromCodePoint(symbol).toUpperCase();
  const one = upper.codePointAt(0) ?? symbol;
  return lengthInUnits(one) === upper.length ? one : capitalGreek(symbol);
}

function lowerOf(symbol: number): number {
  if (symbol >= INVALID) return symbol;
  if (symbol === 0x130) return 0x69;
  const lower = String.fromCodePoint(symbol).toLowerCase();
  const one = lower.codePointAt(0) ?? symbol;
  return lengthInUnits(one) === lower.length ? one : symbol;
}

function lengthInUnits(symbol: number): number {
  return symbol > 0xffff ? 2 : 1;
}

/** Small letters that are not the small letter of their capital. */
const LONESOME = [
  0xb5, 0x131, 0x17f, 0x1c5, 0x1c8, 0x1cb, 0x1f2, 0x345, 0x3c2, 0x3d0, 0x3d1, 0x3d5, 0x3d6, 0x3f0, 0x3f1, 0x3f2, 0x3f5,
  0x1e9b, 0x1fbe,
];

/** A symbol of a pattern and all that it stands for when a line is chosen. */
export function counterparts(symbol: number): readonly number[] {
  const upper = upperOf(symbol);
  const lower = lowerOf(upper);
  const found = new Set([symbol, upper]);
  if (upperOf(lower) === upper) found.add(lower);
  for (const lonesome of LONESOME) if (upperOf(lonesome) === upper) found.add(lonesome);
  return [...found];
}

/** Where letters have capitals, but for ASCII. */
const CASED: readonly (readonly [number, number])[] = [
  [0xb5, 0x587],
  [0x10d0, 0x10ff],
  [0x13f0, 0x1c8f],
  [0x1d70, 0x1fff],
  [0x2140, 0x24ff],
  [0x2c00, 0x2d2f],
  [0xa640, 0xa7ff],
  [0xab50, 0xabbf],
  [0xff41, 0xff5a],
  [0x10428, 0x105ff],
  [0x10cc0, 0x10d8f],
  [0x118c0, 0x118df],
  [0x16e60, 0x16edf],
  [0x1e922, 0x1e943],
];

let capitals: ReadonlyMap<number, readonly number[]> | undefined;

/** All symbols whose capital this is, itself among them where it is one. */
export function withCapital(upper: number): readonly number[] {
  capitals ??= capitalsOf();
  const others = capitals.get(upper) ?? [];
  return upperOf(upper) === upper ? [upper, ...others] : others;
}

function capitalsOf(): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [first, last] of [[97, 122] as const, ...CASED]) {
    for (let symbol = first; symbol <= last; symbol++) {
      const upper = upperOf(symbol);
      if (upper !== symbol) appendTo(found, upper, symbol);
    }
  }
  return found;
}
