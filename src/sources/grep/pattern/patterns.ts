/** The patterns of a command line, and which way grep takes to match them. */

import type { Options } from '../command-line/options.ts';
import { counterparts } from './case.ts';
import { INVALID, symbolsOf } from './characters.ts';

/** One line of patterns, as bytes, and where it is from: `FILE:LINE: `, or nothing. */
export interface PatternLine {
  readonly text: string;
  readonly place: string;
}

export interface PatternList {
  /** Each by itself, no two the same. */
  readonly patterns: readonly (readonly number[])[];
  /** Where each is from. */
  readonly places: readonly string[];
  /** They stand for themselves. */
  readonly isFixed: boolean;
  readonly extended: boolean;
  readonly ignoreCase: boolean;
  readonly words: boolean;
  readonly wholeLines: boolean;
  readonly lineEnd: number;
}

type Way = Pick<PatternList, 'isFixed' | 'extended' | 'patterns'>;

/** `lines` may have duplicates among them: the first counts. */
export function patternList(lines: readonly PatternLine[], options: Options): PatternList {
  const { ignoreCase, words, wholeLines, lineEnd, dialect } = options;
  const unique = new Map<string, string>();
  for (const { text, place } of lines) if (!unique.has(text)) unique.set(text, place);
  const patterns = [...unique.keys()].map((line) => symbolsOf(Buffer.from(line, 'latin1')));
  const way = wayOf(patterns, { dialect, ignoreCase });
  return { ...way, places: [...unique.values()], ignoreCase, words, wholeLines, lineEnd };
}

/**
 * Fixed strings that one table of cases does not do for are matched as patterns, and several patterns that are really fixed
 * strings as these. It makes a difference to -w and to -o.
 */
function wayOf(patterns: readonly number[][], { dialect, ignoreCase }: Pick<Options, 'dialect' | 'ignoreCase'>): Way {
  const extended = dialect === 'extended';
  const canBeFixed = (symbol: number): boolean => symbol < INVALID && (!ignoreCase || hasPlainCase(symbol));
  if (dialect === 'fixed') {
    if (patterns.every((pattern) => pattern.every(canBeFixed))) return { patterns, isFixed: true, extended };
    return { patterns: patterns.map(escaped), isFixed: false, extended: false };
  }
  const strings = patterns.map((pattern, i) => stringOf(pattern, { extended, isLast: i === patterns.length - 1 }));
  if (patterns.length > 1 && strings.every((one) => one?.every(canBeFixed) === true)) {
    return { patterns: strings.filter((one) => one !== undefined), isFixed: true, extended };
  }
  return { patterns, isFixed: false, extended };
}

/** All that it stands for has as few bytes as ASCII has; or it stands for itself alone. */
function hasPlainCase(symbol: number): boolean {
  const all = counterparts(symbol);
  return symbol < 0x80 ? all.every((one) => one < 0x80) : all.length === 1;
}

function escaped(pattern: readonly number[]): number[] {
  return pattern.flatMap((symbol) => (isIn('$*.[\\^', symbol) ? [0x5c, symbol] : [symbol]));
}

/** The string that a pattern is, without its backslashes; undefined: it is more than that. */
function stringOf(
  pattern: readonly number[],
  { extended, isLast }: { extended: boolean; isLast: boolean },
): number[] | undefined {
  const string: number[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const symbol = pattern[i] ?? 0;
    if (isIn('$*.[^', symbol) || (extended && isIn('(+?{|', symbol))) return undefined;
    const next = pattern[i + 1];
    if (symbol === 0x5c && next === undefined && !isLast) return undefined;
    if (symbol === 0x5c && next !== undefined) {
      if (isIn("BSW'<bsw`>123456789", next) || (!extended && isIn('(+?{|)', next))) return undefined;
      i += 1;
      string.push(next);
    } else string.push(symbol);
  }
  return string;
}

function isIn(characters: string, symbol: number): boolean {
  return symbol < 0x80 && characters.includes(String.fromCharCode(symbol));
}
