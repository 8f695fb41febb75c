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
import { type BytePath, components, isWithin, type Name, toBytes } from '../sys/bytes.ts';

export interface Pattern {
  /** As written. */
  readonly text: string;
  /** The path itself, for what is no glob. */
  readonly path: BytePath | undefined;
  /** All that can match lies here or below. */
  readonly under: BytePath;
  /** Matches a whole path; undefined for what is no glob. */
  readonly regex: RegExp | undefined;
  /**
   * Match the directories below which the rest of the glob says something: who moves one of them out of reach of its
   * expression takes what is below it out of the rule.
   */
  readonly prefixes: readonly RegExp[];
  /** Matches the last component of all that the glob can match. */
  readonly last: RegExp | undefined;
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
const MOST_ALTERNATIVES = 64;

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
  if (!GLOB.test(absolute)) return [exact(text, parts)];
  const alternatives = expandBraces(parts.join('/'));
  if (typeof alternatives === 'string') return alternatives;
  const patterns: Pattern[] = [];
  for (const alternative of alternatives) {
    const pattern = glob(text, alternative.split('/'));
    if (typeof pattern === 'string') return pattern;
    patterns.push(pattern);
  }
  return patterns;
}

/** Whether a pattern matches the path itself; `name` is its last component. */
export function matches(pattern: Pattern, path: BytePath, name: Name): boolean {
  if (pattern.regex === undefined) return pattern.path === path;
  return mayMatchName(pattern, name) && pattern.regex.test(path);
}

/** Whether a glob could match some path that ends in `name`. */
export function mayMatchName({ last, start, end }: Pattern, name: Name): boolean {
  // Most names are told apart by this, at a tenth of what an expression costs.
  return name.endsWith(end) && name.startsWith(start) && (last === undefined || last.test(name));
}

/** Whether something strictly below `dir` could match. */
export function mayMatchBelow({ path, under }: Pattern, dir: BytePath): boolean {
  if (path !== undefined) return path !== dir && isWithin(path, dir);
  return isWithin(under, dir) || isWithin(dir, under);
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

/** A path as the text of a rule: it may have characters that mean something in a glob. */
export function literally(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&');
}

function exact(text: string, parts: readonly string[]): Pattern {
  return exactPattern(`/${toBytes(parts.join('/'))}` as BytePath, text);
}

/** The pattern of one path; `text` is how it is written. */
export function exactPattern(path: BytePath, text: string): Pattern {
  return { text, path, under: path, regex: undefined, prefixes: [], last: undefined, start: '', end: '' };
}

function glob(text: string, parts: readonly string[]): Pattern | string {
  const sources: string[] = [];
  for (const part of parts) {
    const source = part === '**' ? '**' : component(part);
    if (typeof source !== 'string') return source.problem;
    sources.push(source);
  }
  const literal = parts.findIndex((part) => /(?<!\\)[*?[{]/.test(part));
  const fixed = parts.slice(0, literal < 0 ? parts.length : literal).map(plain);
  if (literal < 0) return exact(text, fixed);
  const under = `/${toBytes(fixed.join('/'))}` as BytePath;
  const end = sources.at(-1);
  const hasLast = end !== '**' && end !== undefined;
  return {
    text,
    path: undefined,
    under,
    regex: new RegExp(`^${sources.map(inPath).join('')}$`, 's'),
    prefixes: prefixesOf(sources),
    last: hasLast ? new RegExp(`^${end}$`, 's') : undefined,
    ...(hasLast ? literalEnds(parts.at(-1) ?? '') : { start: '', end: '' }),
  };
}

function prefixesOf(sources: readonly string[]): RegExp[] {
  const length = sources.at(-1) === '**' ? sources.length : sources.length - 1;
  return Array.from(
    { length },
    (_, i) => new RegExp(`^${[...sources.slice(0, i + 1), ''].map(inPath).join('').slice(0, -1)}$`, 's'),
  );
}

/** `**` at the end takes at least one component (what is below), elsewhere any number. */
function inPath(source: string, index: number, all: readonly string[]): string {
  if (source !== '**') return `/${source}`;
  return index === all.length - 1 ? '/.+' : '(?:/[^/]+)*';
}

/** What a component begins and ends with before its first and behind its last wildcard. */
function literalEnds(part: string): { start: string; end: string } {
  const pieces = part.split(/(?<!\\)(?:\*|\?|\[.[^\]]*\])/s);
  return { start: toBytes(plain(pieces[0] ?? '')), end: toBytes(plain(pieces.at(-1) ?? '')) };
}

const ANY_CHARACTER = '(?:[\\xc2-\\xf4][\\x80-\\xbf]{1,3}|[^/])';

/** The source of a regular expression for one component. */
function component(part: string): string | { problem: string } {
  let source = '';
  for (let i = 0; i < part.length; i++) {
    const c = part[i] as string;
    if (c === '*') source += '[^/]*';
    else if (c === '?') source += ANY_CHARACTER;
    else if (c === '[') {
      const end = part.indexOf(']', i + 2);
      if (end < 0) return { problem: "has a '[' without its ']'" };
      const set = characterSet(part.slice(i + 1, end));
      if (set === undefined) return { problem: `has a set of characters that cannot be: '${part.slice(i, end + 1)}'` };
      source += set;
      i = end;
    } else if (c === '\\') {
      if (i + 1 >= part.length) return { problem: "ends in a '\\'" };
      source += quote(part[++i] as string);
    } else source += quote(c);
  }
  return source;
}

function characterSet(inner: string): string | undefined {
  const negated = /^[!^]/.test(inner);
  const set = (negated ? inner.slice(1) : inner).replace(/[\\\]^]/g, '\\$&');
  if (set === '' || /[^\x20-\x7e]/.test(set)) return undefined;
  const source = negated ? `[^/${set}]` : `[${set}]`;
  try {
    return new RegExp(source).source;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** One character of text, as bytes, to be taken literally. */
function quote(character: string): string {
  return toBytes(character).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function plain(part: string): string {
  return part.replace(/\\(.)/gs, '$1');
}

/** `a{b,c}d` as `abd`, `acd`; a string says what is wrong. */
function expandBraces(text: string): readonly string[] | string {
  const done: string[] = [];
  const waiting = [text];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = /(?<!\\)\{((?:\\.|[^{}\\])*)\}/s.exec(next);
    if (group === null) {
      if (/(?<!\\)[{}]/.test(next)) return "has a '{' or '}' that nothing matches";
      done.push(next);
    } else {
      const [before, after] = [next.slice(0, group.index), next.slice(group.index + group[0].length)];
      waiting.push(...(group[1] ?? '').split(',').map((choice) => `${before}${choice}${after}`));
    }
    if (done.length + waiting.length > MOST_ALTERNATIVES) return `has more than ${MOST_ALTERNATIVES} alternatives`;
  }
  return done.reverse();
}
