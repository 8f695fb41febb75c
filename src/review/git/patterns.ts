/**
 * Patterns of `.gitignore` and whether a path is one of them. Pure. Of a clone the patterns are anybody's, so nothing here
 * takes longer than the length of a pattern times that of a path.
 */

export interface Pattern {
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
  /** Components; `**` stands for any number of them. */
  readonly parts: readonly (readonly Token[] | '**')[];
}

/** One character, any one, any number, or those of a class. */
type Token = string | { readonly any: 'one' | 'many' } | Class;

interface Class {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** The patterns of one file; the later ones count more. */
export function parsePatterns(text: string): Pattern[] {
  return text.split('\n').flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): Pattern | undefined {
  const trimmed = line.replace(/(?<!\\| ) +$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const isNegated = trimmed.startsWith('!');
  const body = isNegated ? trimmed.slice(1) : trimmed;
  const onlyDirectories = body.endsWith('/');
  const path = onlyDirectories ? body.slice(0, -1) : body;
  if (path === '') return undefined;
  const names = path.split('/');
  // Without a slash it stands for a name in any directory.
  const from = names.length === 1 ? ['**', ...names] : names.filter((name, index) => index > 0 || name !== '');
  const parts = from.map((name) => (name === '**' ? name : tokensOf(name)));
  return parts.some((part) => part === undefined)
    ? undefined
    : { isNegated, onlyDirectories, parts: parts as Pattern['parts'] };
}

/** Undefined: it is none that anything is like. */
function tokensOf(name: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name.charAt(at);
    if (character === '*') tokens.push({ any: 'many' });
    else if (character === '?') tokens.push({ any: 'one' });
    else if (character === '[') {
      const found = classAt(name, at);
      if (found === undefined) return undefined;
      tokens.push(found.token);
      at = found.end;
    } else if (character === '\\') {
      at += 1;
      if (at >= name.length) return undefined;
      tokens.push(name.charAt(at));
    } else tokens.push(character);
  }
  return tokens;
}

/** `[a-z]`, `[!a]`; classes by name (`[[:alpha:]]`) are not known here, and their pattern stands for nothing. */
function classAt(name: string, start: number): { readonly token: Class; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = name.charAt(at) === '!' || name.charAt(at) === '^';
  if (isNegated) at += 1;
  const ranges: (readonly [string, string])[] = [];
  for (let first = at; at < name.length; first = -1) {
    if (name.charAt(at) === ']' && at !== first) return { token: { isNegated, ranges }, end: at };
    if (name.startsWith('[:', at)) return undefined;
    if (name.charAt(at) === '\\') at += 1;
    const from = name.charAt(at);
    const isRange = name.charAt(at + 1) === '-' && at + 2 < name.length && name.charAt(at + 2) !== ']';
    ranges.push([from, isRange ? name.charAt(at + 2) : from]);
    at += isRange ? 3 : 1;
  }
  return undefined;
}

/** Whether a path, as the names below the directory of the pattern's file, is one that it stands for. */
export function isLike(names: readonly string[], isDirectory: boolean, { parts, onlyDirectories }: Pattern): boolean {
  if (onlyDirectories && !isDirectory) return false;
  return matches(parts, names, {
    isMany: (part) => part === '**',
    // What is below a directory, and not the directory: at the end it stands for one name at least.
    isOne: (part, name) => part !== '**' && matches(part, name, CHARACTERS),
    atEnd: (part) => part === '**',
  });
}

interface Likeness<P, T> {
  readonly isMany: (part: P) => boolean;
  readonly isOne: (part: P, thing: T) => boolean;
  /** Whether a part for any number that is the last takes one at least. */
  readonly atEnd: (part: P) => boolean;
}

const CHARACTERS: Likeness<Token, string> = {
  isMany: (token) => typeof token === 'object' && 'any' in token && token.any === 'many',
  isOne: (token, character) => isCharacter(token, character),
  atEnd: () => false,
};

function isCharacter(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  if ('any' in token) return token.any === 'one';
  return token.ranges.some(([from, to]) => from <= character && character <= to) !== token.isNegated;
}

/** Goes back to the last part for any number only: what an earlier one took need not be tried anew. */
function matches<P, T>(parts: readonly P[], things: ArrayLike<T>, like: Likeness<P, T>): boolean {
  let [part, thing] = [0, 0];
  let back: { readonly part: number; thing: number } | undefined;
  while (thing < things.length) {
    const here = parts[part];
    if (here !== undefined && like.isMany(here)) {
      if (part === parts.length - 1) return true;
      back = { part, thing };
      part += 1;
    } else if (here !== undefined && like.isOne(here, things[thing] as T)) {
      part += 1;
      thing += 1;
    } else if (back !== undefined) {
      back.thing += 1;
      thing = back.thing;
      part = back.part + 1;
    } else return false;
  }
  const left = parts.slice(part);
  return left.every((one) => like.isMany(one)) && !left.some((one) => like.atEnd(one));
}
