/**
 * Whether a name or a path matches a glob. Pure. A path is components and a name is characters, and for both the same holds: a token
 * is for one element, or (MANY) for any number. Where the match fails, the latest MANY takes one element more; an earlier one never has
 * to, since the latest can take whatever that one could have left. So each element is held against each token once at most, and
 * a glob costs no more than its length times the path's, whoever wrote either.
 */

import { toBytes } from '../../sys/bytes.ts';

/** Any number of elements, or none. */
export const MANY = null;

/** A character, as bytes: this one, any one (`?`), or one of a set. */
type CharacterToken = string | typeof ANY | CharacterSet;
const ANY = true;

interface CharacterSet {
  /** By byte. */
  readonly has: Uint8Array;
  /** What the set says of characters of several bytes, and of bytes that are no ASCII. */
  readonly others: boolean;
}

/** The glob of a name. */
export type NameGlob = readonly (CharacterToken | typeof MANY)[];

/** The glob of a path, in components. */
export type PathGlob = readonly (NameGlob | typeof MANY)[];

/** What the elements of a text are. */
export interface Elements<Token> {
  /** Bytes between two elements. */
  readonly gap: number;
  /** Where the element that begins at `at` ends. */
  endOf(text: string, at: number): number;
  fits(token: Token, element: string): boolean;
}

const CHARACTERS: Elements<CharacterToken> = { gap: 0, endOf: endOfCharacter, fits: isFor };

const COMPONENTS: Elements<NameGlob> = {
  gap: 1,
  endOf: (path, at) => {
    const slash = path.indexOf('/', at);
    return slash < 0 ? path.length : slash;
  },
  fits: matchesName,
};

export function matchesName(glob: NameGlob, name: string): boolean {
  return matchesAll(glob, name, CHARACTERS);
}

/** `path` is absolute, without its first slash. */
export function matchesPath(glob: PathGlob, path: string): boolean {
  return matchesAll(glob, path, COMPONENTS);
}

/** Whether the tokens are for all elements of a text, in order. */
export function matchesAll<Token extends object | string | boolean>(
  tokens: readonly (Token | typeof MANY)[],
  text: string,
  { gap, endOf, fits }: Elements<Token>,
): boolean {
  let [at, next] = [0, 0];
  // The token behind the latest MANY, and where the text went on behind what that has taken.
  let [behind, resumed] = [0, 0];
  while (at < text.length) {
    const token = tokens[next];
    if (token === MANY) {
      next += 1;
      [behind, resumed] = [next, at];
      continue;
    }
    const end = endOf(text, at);
    if (token !== undefined && fits(token, text.slice(at, end))) {
      next += 1;
      at = end + gap;
    } else {
      if (behind === 0) return false;
      if (behind === tokens.length) return true;
      resumed = endOf(text, resumed) + gap;
      [at, next] = [resumed, behind];
    }
  }
  while (tokens[next] === MANY) next += 1;
  return next === tokens.length;
}

/** The glob of a name; `problem` says what is wrong with it. */
export function parseName(text: string): NameGlob | { readonly problem: string } {
  const tokens: (CharacterToken | typeof MANY)[] = [];
  const characters = [...text];
  for (let i = 0; i < characters.length; i++) {
    const c = characters[i] as string;
    if (c === '*') {
      if (tokens.at(-1) !== MANY) tokens.push(MANY);
    } else if (c === '?') tokens.push(ANY);
    else if (c === '[') {
      const end = characters.indexOf(']', i + 2);
      if (end < 0) return { problem: "has a '[' without its ']'" };
      const set = parseSet(characters.slice(i + 1, end));
      if (set === undefined)
        return { problem: `has a set of characters that cannot be: '${characters.slice(i, end + 1).join('')}'` };
      tokens.push(set);
      i = end;
    } else if (c === '\\') {
      i += 1;
      const escaped = characters[i];
      if (escaped === undefined) return { problem: "ends in a '\\'" };
      tokens.push(toBytes(escaped));
    } else tokens.push(toBytes(c));
  }
  return tokens;
}

/** Whether it matches one name alone, which is its tokens one after the other. */
export function isLiteral(glob: NameGlob): glob is readonly string[] {
  return glob.every((token) => typeof token === 'string');
}

/** How every name that the glob matches begins and ends, in bytes, as far as it says. */
export function literalEnds(glob: NameGlob): { readonly start: string; readonly end: string } {
  const isOpen = (token: NameGlob[number]): boolean => typeof token !== 'string';
  const first = glob.findIndex(isOpen);
  if (first < 0) return { start: glob.join(''), end: glob.join('') };
  return { start: glob.slice(0, first).join(''), end: glob.slice(glob.findLastIndex(isOpen) + 1).join('') };
}

/** One UTF-8 character, or one byte where there is none. */
function endOfCharacter(name: string, at: number): number {
  const lead = name.charCodeAt(at);
  const length = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let i = at + 1; i < at + length; i++) if ((name.charCodeAt(i) & 0xc0) !== 0x80) return at + 1;
  return at + length;
}

function isFor(token: CharacterToken, character: string): boolean {
  if (typeof token === 'string') return token === character;
  if (token === ANY) return true;
  const code = character.charCodeAt(0);
  return code < 0x80 ? token.has[code] === 1 : token.others;
}

function parseSet(inner: readonly string[]): CharacterSet | undefined {
  const isNegated = inner[0] === '!' || inner[0] === '^';
  const members = isNegated ? inner.slice(1) : inner;
  if (members.length === 0 || members.some((one) => !/^[\x20-\x7e]$/.test(one))) return undefined;
  const codes = members.map((one) => one.charCodeAt(0));
  const has = new Uint8Array(0x80).fill(isNegated ? 1 : 0);
  for (let i = 0; i < codes.length; i++) {
    const first = codes[i] ?? 0;
    const isRange = members[i + 1] === '-' && i + 2 < codes.length;
    const last = isRange ? (codes[i + 2] ?? 0) : first;
    if (last < first) return undefined;
    has.fill(isNegated ? 0 : 1, first, last + 1);
    if (isRange) i += 2;
  }
  return { has, others: isNegated };
}
