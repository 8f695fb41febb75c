/**
 * Rules hold for what symlinks of the host lead to: whoever denies `~/.ssh` means the directory, wherever it lies, and whoever denies
 * every `.env` means the settings that one of them leads to. What is known here is what can be known before anybody looks: paths that
 * rules name, the directory that a glob begins with, links in the project's own directory and in those that a glob names, and of those
 * further down in the project, as far as they are among the names nearest to its top, the ones that are denied or hidden. Of others it
 * is known when somebody in the view looks them up: closed-links.ts.
 *
 * A link can be put there by a repository, or by a commit: it opens nothing that is denied or hidden where it leads, and what somebody
 * has allowed for a session or a project it opens nowhere else.
 */
import { basename, dirname } from 'node:path';
import { SESSION_DIR } from '../history/layout.ts';
import { type BytePath, isWithin, join, type Name, toBytePath, toBytes } from '../sys/bytes.ts';
import { SystemError } from '../sys/errno.ts';
import { namesBelow } from '../sys/files/names-below.ts';
import { linksIn, lookAt, realPath } from '../sys/files/text-files.ts';
import { exactPattern, matches, mayMatchBelow, onlyDirectory, rerooted } from './pattern/pattern.ts';
import { RuleIndex } from './rule-index.ts';
import { type Rule, Rules } from './rules.ts';
import { isClosed, strictest } from './states.ts';

/** Names of the project that are looked at before anything runs: some 30 ms. */
export const MOST_NAMES = 5_000;
const BOUNDS = { most: MOST_NAMES, last: new Set(['node_modules', '.git']), never: new Set([SESSION_DIR]) };
/** Each is a rule more. */
const MOST_LINKS = 1_000;

/** The rules, and after each one that leads elsewhere those for where it leads. `project` is the directory that is looked into. */
export function followed(rules: readonly Rule[], project: BytePath): readonly Rule[] {
  const places = new RealPlaces();
  const plain = new Rules(rules);
  const links = linksAt([project, ...rules.flatMap(({ pattern }) => onlyDirectory(pattern) ?? [])], places);
  const known = new Set(links.map(({ path }) => path));
  const deeper = closedBelow(rules, project).links.filter(({ dir, name }) => !known.has(join(dir, name)));
  const closed = [...links, ...deeper.flatMap(({ dir, name }) => linkAt(dir, name, places) ?? [])];
  return rules.flatMap((rule) => {
    const leads = leadsOf(rule, { places, links: isClosing(rule) ? closed : links });
    return [rule, ...leads.map((lead) => tempered(lead, plain))];
  });
}

interface Below {
  /** Of links that a glob denies or hides by their name. */
  readonly links: readonly { readonly dir: BytePath; readonly name: Name }[];
  /** Files that a glob denies or hides by their name, or by that of a directory they are in. */
  readonly files: readonly BytePath[];
  /** Whether all names of the project were looked at, and no more links found than are followed. */
  readonly isAll: boolean;
}

/** Links and files in the project that a glob closes, wherever they lie, as far as is looked for them. */
export function closedBelow(rules: readonly Rule[], project: BytePath): Below {
  const globs = rules.filter((rule) => isClosing(rule) && rule.pattern.path === undefined);
  const wide = globs.filter(({ pattern }) => onlyDirectory(pattern) === undefined && mayMatchBelow(pattern, project));
  if (wide.length === 0) return { links: [], files: [], isAll: true };
  const [index, all] = [new RuleIndex(wide), new Rules(rules)];
  const links: { dir: BytePath; name: Name }[] = [];
  const files: BytePath[] = [];
  const directories = new Set<string>();
  const isAll = namesBelow(project, BOUNDS, ({ dir, name, isLink, isDirectory }) => {
    const [path, place] = [join(dir as BytePath, name as Name), { dir: dir as BytePath, name: name as Name }];
    const isNamed = index.own(path, place) !== undefined;
    // Another rule may open what a glob closes.
    if (!(isNamed || directories.has(dir)) || !isClosed(all.stateOf(path))) return;
    if (isDirectory) directories.add(path);
    else if (!isLink) files.push(path);
    else if (isNamed) links.push(place);
  });
  return { links: links.slice(0, MOST_LINKS), files, isAll: isAll && links.length <= MOST_LINKS };
}

function isClosing({ decider }: Rule): boolean {
  return isClosed(decider.state);
}

interface Link {
  readonly path: BytePath;
  readonly name: Name;
  readonly real: BytePath;
  readonly isDirectory: boolean;
}

interface Known {
  readonly places: RealPlaces;
  readonly links: readonly Link[];
}

/** The same rule for what it leads to. */
function leadsOf(rule: Rule, { places, links }: Known): readonly Rule[] {
  const { pattern, decider } = rule;
  if (pattern.path !== undefined) {
    const real = places.of(pattern.path);
    return leadsElsewhere(pattern.path, real) ? [{ ...rule, pattern: exactPattern(real, pattern.text) }] : [];
  }
  const under = places.of(pattern.under);
  const moved = leadsElsewhere(pattern.under, under) ? [{ ...rule, pattern: rerooted(pattern, under) }] : [];
  if (decider.state === 'allow') return moved;
  const led = links.filter(({ path, name, isDirectory }) => isMeant(rule, isDirectory) && matches(pattern, path, name));
  return [...moved, ...led.map(({ real }) => ({ ...rule, pattern: exactPattern(real, pattern.text) }))];
}

/** A name that a built-in glob is for stands for a file: a repository's link to a directory of the system must not close that. */
export function isMeant({ decider }: Rule | { readonly decider: Rule['decider'] }, isDirectory: boolean): boolean {
  return decider.layer !== 'default' || !isDirectory;
}

/** What leads above itself (a link to a directory it is in) would say something of everything there. */
export function leadsElsewhere(path: BytePath, real: BytePath): boolean {
  return real !== path && !isWithin(path, real);
}

/** As strict as it has to be where it leads. */
function tempered(lead: Rule, plain: Rules): Rule {
  const { decider, pattern } = lead;
  const there = plain.stateOf(pattern.path ?? pattern.under);
  const mayLoosen = decider.layer === 'default' || decider.layer === 'user';
  if (mayLoosen && there !== 'deny' && there !== 'hidden') return lead;
  return { pattern, decider: { ...decider, state: strictest(there, decider.state) } };
}

function linksAt(directories: readonly BytePath[], places: RealPlaces): readonly Link[] {
  return [...new Set(directories)].flatMap((dir) =>
    listed(dir).flatMap((name) => linkAt(dir, toBytes(name) as Name, places) ?? []),
  );
}

/** A link that leads elsewhere. */
function linkAt(dir: BytePath, name: Name, places: RealPlaces): Link | undefined {
  const path = join(dir, name);
  const real = places.of(path);
  return leadsElsewhere(path, real) ? { path, name, real, isDirectory: isDirectory(real) } : undefined;
}

function listed(dir: BytePath): readonly string[] {
  try {
    return linksIn(textOf(dir));
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

function isDirectory(path: BytePath): boolean {
  try {
    return lookAt(textOf(path))?.isDirectory() === true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function textOf(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString();
}

interface RealPlace {
  readonly path: string;
  readonly isThere: boolean;
}

/** `realOf` for many paths at one go: of a directory that has come up it is known. */
class RealPlaces {
  readonly #known = new Map<string, RealPlace>();

  of(path: BytePath): BytePath {
    return toBytePath(this.#at(textOf(path)).path);
  }

  #at(path: string): RealPlace {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const place = this.#look(path);
    this.#known.set(path, place);
    return place;
  }

  #look(path: string): RealPlace {
    const above = dirname(path);
    if (above === path) return { path, isThere: true };
    const dir = this.#at(above);
    const real = `${dir.path === '/' ? '' : dir.path}/${basename(path)}`;
    if (!dir.isThere) return { path: real, isThere: false };
    try {
      const found = lookAt(real);
      if (found?.isSymbolicLink() !== true) return { path: real, isThere: found !== undefined };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return { path, isThere: true };
    }
    return { path: realOf(path), isThere: true };
  }
}

/** An absolute path with the symlinks resolved of as much as exists. */
export function realOf(path: string): string {
  try {
    const real = realPath(path);
    if (real !== undefined) return real;
  } catch (error) {
    // Closed to us, or a circle: as written.
    if (error instanceof SystemError) return path;
    throw error;
  }
  const above = dirname(path);
  if (above === path) return path;
  const real = realOf(above);
  return `${real === '/' ? '' : real}${path.slice(above === '/' ? 0 : above.length)}`;
}
