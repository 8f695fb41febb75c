/**
 * What a command line of ripgrep looks for, and where, as far as that can be told for sure: of all others nothing is said.
 * Options that make something of a file without a match, or decide by themselves what is searched, are not among these.
 */
import type { Formula } from '../formula.ts';

export interface Search {
  /** What every file must have in which something can match. */
  readonly formula: Formula;
  /** As they stand there; none: where the program stands, or standard input. */
  readonly operands: readonly string[];
}

/** One letter each, without a value. */
const PLAIN = 'nNiSslcowxFHI.';
const VALUED = 'eABCm';
const LONG = new Set([
  ...['line-number', 'no-line-number', 'ignore-case', 'smart-case', 'case-sensitive', 'files-with-matches', 'count'],
  ...['only-matching', 'word-regexp', 'line-regexp', 'fixed-strings', 'with-filename', 'no-filename', 'heading'],
  ...['no-heading', 'column', 'vimgrep', 'hidden', 'trim', 'color=never', 'color=auto', 'color=always', 'sort=path'],
]);
const LONG_VALUED = /^(?:after-context|before-context|context|max-count|regexp)=/;
/** Means itself in a pattern. */
const LITERAL = /^[\w ,:;=<>@%&~"'/!-]+$/;
const FIXED = /^[\x20-\x7e]+$/;

interface Draft {
  readonly flags: Set<string>;
  readonly patterns: string[];
  readonly rest: string[];
}

/** Undefined: it may be anything. */
export function parseSearch(words: readonly string[]): Search | undefined {
  const draft: Draft = { flags: new Set(), patterns: [], rest: [] };
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (word === '--') {
      draft.rest.push(...words.slice(i + 1));
      break;
    }
    if (word === '-' || !word.startsWith('-')) {
      draft.rest.push(word);
      continue;
    }
    const taken = word.startsWith('--') ? long(word.slice(2), draft) : short(word.slice(1), words[i + 1], draft);
    if (taken === undefined) return undefined;
    i += taken;
  }
  return searchOf(draft);
}

/** How many words more it takes; undefined for what is not known here. */
function long(text: string, { flags, patterns }: Draft): number | undefined {
  if (LONG.has(text)) {
    flags.add(text);
    return 0;
  }
  const name = LONG_VALUED.exec(text)?.[0];
  if (name === undefined) return undefined;
  if (name === 'regexp=') patterns.push(text.slice(name.length));
  return 0;
}

function short(letters: string, next: string | undefined, { flags, patterns }: Draft): number | undefined {
  for (const [at, letter] of [...letters].entries()) {
    if (PLAIN.includes(letter)) {
      flags.add(letter);
      continue;
    }
    if (!VALUED.includes(letter)) return undefined;
    const attached = letters.slice(at + 1);
    const value = attached === '' ? next : attached;
    if (value === undefined) return undefined;
    if (letter === 'e') patterns.push(value);
    return attached === '' ? 1 : 0;
  }
  return 0;
}

function searchOf({ flags, patterns, rest }: Draft): Search | undefined {
  const has = (...names: string[]): boolean => names.some((name) => flags.has(name));
  const all = patterns.length > 0 ? patterns : rest.slice(0, 1);
  const isPlain = has('F', 'fixed-strings') ? FIXED : LITERAL;
  if (all.length === 0 || !all.every((text) => isPlain.test(text))) return undefined;
  const operands = patterns.length > 0 ? rest : rest.slice(1);
  if (!operands.every(isPlainPath)) return undefined;
  const fold = has('i', 'S', 'ignore-case', 'smart-case');
  const parts = all.map((text) => ({ kind: 'literal', text, fold }) as const);
  const [first] = parts;
  if (first === undefined) return undefined;
  return { formula: parts.length === 1 ? first : { kind: 'or', parts }, operands };
}

/** ripgrep writes paths below it as it stands there, and matches them likewise. */
function isPlainPath(path: string): boolean {
  return path !== '-' && FIXED.test(path) && !/(?:^|\/)\.\.(?:\/|$)|\/\/|\/\.(?:\/|$)|^\.\/./.test(path);
}
