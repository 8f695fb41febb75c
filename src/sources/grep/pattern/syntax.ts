/** Patterns as trees, and what their two parsers (span-parser.ts, line-parser.ts) share. */
import type { Bracket } from './bracket.ts';
import { counterparts, upperOf, withCapital } from './case.ts';
import { INVALID } from './characters.ts';

/** Which of GNU grep's languages: basic (-G) or extended (-E). Fixed strings have no syntax. */
export interface Dialect {
  readonly extended: boolean;
  readonly ignoreCase: boolean;
}

export interface SymbolSet {
  has(symbol: number): boolean;
  /** All of them, where they are few. */
  readonly members?: readonly number[];
}

export type Assertion =
  | 'line-start'
  | 'line-end'
  | 'word-start'
  | 'word-end'
  | 'word-border'
  | 'no-border'
  | 'before-no-word'
  | 'after-no-word';

export type Node =
  /** `isWide`: glibc's regexec goes over a line by characters for it, as it does for borders of words, and else by bytes (optimize_utf8). */
  | { readonly kind: 'symbol'; readonly set: SymbolSet; readonly isWide?: boolean }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'all'; readonly parts: readonly Node[] }
  | { readonly kind: 'any'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly of: Node; readonly least: number; readonly most: number }
  | { readonly kind: 'group'; readonly of: Node; readonly number: number }
  | { readonly kind: 'reference'; readonly number: number };

export const EMPTY: Node = { kind: 'all', parts: [] };

export { PatternError } from './pattern-error.ts';

export const MOST_REPEATED = 0x7fff;
/** Parentheses in each other: each takes a part of the stack. */
export const DEEPEST = 500;

/** One after the other. */
export function sequence(parts: readonly Node[]): Node {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: 'all', parts };
}

/** One of them. */
export function choice(options: readonly Node[]): Node {
  const [only] = options;
  return only !== undefined && options.length === 1 ? only : { kind: 'any', options };
}

/** What a node is made of. */
export function partsOf(node: Node): readonly Node[] {
  if (node.kind === 'all') return node.parts;
  if (node.kind === 'any') return node.options;
  return node.kind === 'group' || node.kind === 'repeat' ? [node.of] : [];
}

/** These symbols and no others. */
export function setOf(members: readonly number[]): SymbolSet {
  const [only] = members;
  if (members.length === 1) return { members, has: (symbol) => symbol === only };
  return { members, has: (symbol) => members.includes(symbol) };
}

/** Any character; a byte that belongs to none is not one. */
export const ANY_CHARACTER: SymbolSet = { has: (symbol) => symbol < INVALID };

/** A symbol of a pattern, when a line is chosen. */
export function lineSymbol(symbol: number, { ignoreCase }: Dialect): Node {
  return { kind: 'symbol', set: setOf(ignoreCase ? counterparts(symbol) : [symbol]) };
}

/** The same when the place of a match is looked for; with `raw`, the pattern's letter was not made a capital. */
export function spanSymbol(symbol: number, { ignoreCase }: Dialect, raw = false): Node {
  if (!ignoreCase) return { kind: 'symbol', set: setOf([symbol]) };
  return { kind: 'symbol', set: setOf(withCapital(raw ? symbol : upperOf(symbol))) };
}

/** A bracket expression when a line is chosen: only such as names its characters one by one. */
export function lineBracket({ members }: Bracket, { ignoreCase }: Dialect): Node {
  return { kind: 'symbol', set: setOf(ignoreCase ? [...new Set(members.flatMap(counterparts))] : members) };
}

/** A bracket expression when the place of a match is looked for. */
export function spanBracket(bracket: Bracket, { ignoreCase }: Dialect): Node {
  const { members, ranges, classes, isNegated } = bracket;
  const within = (symbol: number): boolean =>
    members.includes(symbol) ||
    ranges.some(([first, last]) => symbol >= first && symbol <= last) ||
    classes.some((test) => test(symbol));
  const has = (symbol: number): boolean =>
    symbol < INVALID && within(ignoreCase ? upperOf(symbol) : symbol) !== isNegated;
  const few = ranges.length === 0 && classes.length === 0 && !isNegated;
  const all = members.filter((symbol) => symbol < INVALID);
  const set = few ? setOf(ignoreCase ? [...new Set(all.flatMap(withCapital))] : all) : { has };
  const isWide = ranges.length > 0 || classes.length > 0 || isNegated || members.some((symbol) => symbol >= 0x80);
  return { kind: 'symbol', set, isWide };
}
