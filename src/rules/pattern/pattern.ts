/**
 * What a rule is for: a path, or a glob over paths. Pure.
 *
 *     /etc/ssl         ~/.ssh          that path, and by inheritance all below it
 *     secrets          ./secrets       in a project's file: below the project
 *     **\/*.pem                        a name anywhere (without the backslash, which is TypeScript's)
 *     ~/x?/*.key       /srv/**         `*` and `?` stop at a slash, `**` does not; also [a-z], [!a-z], {one,two} and \*
 *
 * Matching is on bytes; `?` takes one UTF-8 character.
 */
import { type BytePath, components, isWithin, type Name, toBytes } from '../../sys/bytes.ts';
import { expandBraces } from './braces.ts';
import {
  isLiteral,
  literalEnds,
  MANY,
  matchesName,
  matchesPath,
  type NameGlob,
  type PathGlob,
  parseName,
} from './glob.ts';

export interface Pattern {
  /** As written. */
  readonly text: string;
  /** What two patterns share that match the same. */
  readonly key: string;
  /** The path itself, for what is no glob. */
  readonly path: BytePath | undefined;
  /** All that can match lies here or below. */
  readonly under: BytePath;
  /** Matches a whole path; undefined for what is no glob. */
  readonly glob: PathGlob | undefined;
  /**
   * Match the directories below which the rest of the glob says something: who moves one of them out of reach of its
   * prefix takes what is below it out of the rule.
   */
  readonly prefixes: readonly PathGlob[];
  /** Matches the last component of all that the glob can match. */
  readonly last: NameGlob | undefined;
  /** How every such component begins and ends, in bytes, as far as the glob says; both empty where there is no `last`. */
  readonly start: string;
  readonly end: string;
}

/** What `~` and relative paths stand for, as text; without `project` a relative path is an error. */
export interface Places {
  readonly home: string;
  readonly project: string | undefined;
}

const GLOB = /[*?[\]{}\\]/;
/** Any one name. */
const ANY_NAME: NameGlob = [MANY];

/** What was parsed lately, by places: files of rules are read again and again, with one line more. */
const parsed = new Map<string, Map<string, readonly Pattern[] | string>>();
const MOST_PARSED = 5_000;
const MOST_PLACES = 4;

/** One pattern for each alternative in braces. A string says what is wrong with it. */
export function parsePattern(text: string, places: Places): readonly Pattern[] | string {
  const key = `${places.home}\0${places.project ?? ''}`;
  const lately = parsed.get(key) ?? new Map<string, readonly Pattern[] | string>();
  const known = lately.get(text);
  if (known !== undefined) return known;
  const found = parse(text, places);
  if (lately.size >= MOST_PARSED) lately.clear();
  if (parsed.size >= MOST_PLACES) parsed.clear();
  parsed.set(key, lately.set(text, found));
  return found;
}

function parse(text: string, places: Places): readonly Pattern[] | string {
  if (text === '' || text.includes('\0')) return 'is empty, or has a NUL in it';
  if (/^~[^/]/.test(text)) return "is nobody's home directory: there is ~/ alone, and a name with a '~' is written ./~";
  const absolute = toAbsolute(text, places);
  if (absolute === undefined) return 'is neither absolute, nor below ~/, nor a glob that begins with **/';
  const parts = absolute.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return "has a '..' in it";
  if (!GLOB.test(absolute)) return [exactPattern(`/${toBytes(parts.join('/'))}` as BytePath, text)];
  const alternatives = expandBraces(parts.join('/'));
  if (typeof alternatives === 'string') return alternatives;
  const patterns: Pattern[] = [];
  for (const alternative of alternatives) {
    const pattern = glob(text, alternative);
    if (typeof pattern === 'string') return pattern;
    patterns.push(pattern);
  }
  return patterns;
}

/** Whether a pattern matches the path itself; `name` is its last component. */
export function matches(pattern: Pattern, path: BytePath, name: Name): boolean {
  if (pattern.glob === undefined) return pattern.path === path;
  return mayMatchName(pattern, name) && matchesPath(pattern.glob, path.slice(1));
}

/** Whether a glob could match some path that ends in `name`. */
export function mayMatchName({ last, start, end }: Pattern, name: Name): boolean {
  // Most names are told apart by this.
  return name.endsWith(end) && name.startsWith(start) && (last === undefined || matchesName(last, name));
}

/** Whether some part of a glob says something below `dir` that it says of nothing below `other`. */
export function reachesOnly({ prefixes }: Pattern, dir: BytePath, other: BytePath): boolean {
  return prefixes.some((prefix) => matchesPath(prefix, dir.slice(1)) && !matchesPath(prefix, other.slice(1)));
}

/** Whether something strictly below `dir` could match. */
export function mayMatchBelow({ path, under }: Pattern, dir: BytePath): boolean {
  if (path !== undefined) return path !== dir && isWithin(path, dir);
  return isWithin(under, dir) || isWithin(dir, under);
}

/** Whether `dir` or something below it could match. */
export function mayMatchAtOrBelow(pattern: Pattern, dir: BytePath): boolean {
  const { path, under, glob, prefixes } = pattern;
  if (glob === undefined) return path !== undefined && isWithin(path, dir);
  return isWithin(under, dir) || [glob, ...prefixes].some((one) => matchesPath(one, dir.slice(1)));
}

/** The directory in which all lies that a glob can match; undefined where that is more than one. */
export function onlyDirectory({ last, prefixes, under }: Pattern): BytePath | undefined {
  return last !== undefined && prefixes.length === components(under).length ? under : undefined;
}

function toAbsolute(text: string, { home, project }: Places): string | undefined {
  if (text.startsWith('/') || text === '**' || text.startsWith('**/')) return text;
  if (text === '~' || text.startsWith('~/')) return `${literally(home)}${text.slice(1)}`;
  return project === undefined ? undefined : `${literally(project)}/${text}`;
}

/** A path may have characters that mean something in a glob. */
export function literally(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&');
}

/** The pattern of one path; `text` is how it is written. */
export function exactPattern(path: BytePath, text: string): Pattern {
  return { text, key: path, path, under: path, glob: undefined, prefixes: [], last: undefined, start: '', end: '' };
}

/** `alternative`: one without braces. */
function glob(text: string, alternative: string): Pattern | string {
  const parts = alternative.split('/');
  const names: (NameGlob | typeof MANY)[] = [];
  for (const part of parts) {
    const name = part === '**' ? MANY : parseName(part);
    if (name !== MANY && 'problem' in name) return name.problem;
    names.push(name);
  }
  const open = names.findIndex((name) => name === MANY || !isLiteral(name));
  const fixed = names.slice(0, open < 0 ? names.length : open).map((name) => name?.join('') ?? '');
  const under = `/${fixed.join('/')}` as BytePath;
  if (open < 0) return exactPattern(under, text);
  return patternOf({ text, key: `glob ${alternative}`, under }, names);
}

/** The same glob in another directory: what it says below `under` it says below `real`. */
export function rerooted(pattern: Pattern, real: BytePath): Pattern {
  const { text, key, under, glob: names, last } = pattern;
  if (names === undefined) return exactPattern(`${real}${(pattern.path ?? '').slice(under.length)}` as BytePath, text);
  // Of a trailing `**` the glob has two.
  const own = last === undefined ? [...names.slice(0, -2), MANY] : names;
  const moved = [...components(real).map((name) => [...name]), ...own.slice(components(under).length)];
  return patternOf({ text, key: `${key} in ${real}`, under: real }, moved);
}

function patternOf(about: Pick<Pattern, 'text' | 'key' | 'under'>, names: PathGlob): Pattern {
  const last = names.at(-1) ?? undefined;
  return {
    ...about,
    path: undefined,
    // `**` at the end takes what is below, so at least one component; elsewhere any number.
    glob: last === undefined ? [...names.slice(0, -1), ANY_NAME, MANY] : names,
    prefixes: names.slice(0, last === undefined ? names.length : -1).map((_, i) => names.slice(0, i + 1)),
    last,
    ...(last === undefined ? { start: '', end: '' } : literalEnds(last)),
  };
}
