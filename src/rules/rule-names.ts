/**
 * Which names in a directory a rule may be for: nearly none, and those of all others are in the state of the directory. What
 * concerns a directory is put together once for it, so that most names cost a look at two of their bytes. Pure.
 */
import { SESSION_DIR } from '../history/layout.ts';
import { type BytePath, type Name, ROOT, splitPath } from '../sys/bytes.ts';
import { appendTo } from '../sys/grouped.ts';
import { PathMap } from '../sys/path-map.ts';
import { mayMatchName, onlyDirectory, type Pattern } from './pattern/pattern.ts';
import type { Rule } from './pattern/rule.ts';

/** Names that rules may be for; those that it does not have are no rule's. */
export interface NameSet {
  /** Whether a rule that is for one of them hides. */
  readonly hides: boolean;
  has(name: Name): boolean;
}

/** Bytes of a name's beginning or end by which globs are found: as many as a number that is quick to look for has. */
const KEY = 4;

export class RuleNames {
  /** The last components of paths, by the directory. */
  readonly #exact = new Map<BytePath, ExactNames>();
  /** Globs for names in one directory alone, by that. */
  readonly #inside = new Map<BytePath, GlobNames>();
  /** Globs for names in many directories, by the one that these are below. */
  readonly #below = new PathMap<GlobNames>();
  /** Globs for names anywhere: most directories have no others. `.yolofs` means something everywhere. */
  readonly #anywhere = new GlobNames(SESSION_DIR as Name);

  constructor(rules: readonly Rule[]) {
    for (const { pattern, decider } of rules) {
      const isHidden = decider.state === 'hidden';
      if (pattern.path === undefined) this.#globsFor(pattern).add(pattern, isHidden);
      else {
        // The root is no name in a directory.
        const at = splitPath(pattern.path);
        if (at !== undefined) named(this.#exact, at.dir, ExactNames).add(at.name, isHidden);
      }
    }
  }

  /** The names in `dir`; holds as long as the rules do. */
  of(dir: BytePath): NameSet {
    const sets: NameSet[] = [];
    const add = (set: NameSet | undefined): void => {
      if (set !== undefined) sets.push(set);
    };
    add(this.#exact.get(dir));
    add(this.#inside.get(dir));
    for (const [, names] of this.#below.above(dir)) add(names);
    return sets.length === 0 ? this.#anywhere : new SeveralNames([...sets, this.#anywhere]);
  }

  #globsFor(pattern: Pattern): GlobNames {
    const only = onlyDirectory(pattern);
    if (only !== undefined) return named(this.#inside, only, GlobNames);
    if (pattern.under === ROOT) return this.#anywhere;
    return named(this.#below, pattern.under, GlobNames);
  }
}

class SeveralNames implements NameSet {
  readonly hides: boolean;
  readonly #sets: readonly NameSet[];

  constructor(sets: readonly NameSet[]) {
    this.#sets = sets;
    this.hides = sets.some((set) => set.hides);
  }

  has(name: Name): boolean {
    for (let i = 0; i < this.#sets.length; i++) if (this.#sets[i]?.has(name) === true) return true;
    return false;
  }
}

class ExactNames implements NameSet {
  hides = false;
  readonly #names = new Set<Name>();

  add(name: Name, isHidden: boolean): void {
    this.#names.add(name);
    this.hides ||= isHidden;
  }

  has(name: Name): boolean {
    return this.#names.has(name);
  }
}

/** Kept by how the names begin or end, whichever the glob says more of. */
class GlobNames implements NameSet {
  hides = false;
  /** By byte, whether one of them begins, or ends, with it. */
  readonly #first = new Uint8Array(256);
  readonly #last = new Uint8Array(256);
  readonly #byEnd = new Map<number, Pattern[]>();
  readonly #byStart = new Map<number, Pattern[]>();
  /** Those that say too little of either; their first or last bytes are in the tables. */
  readonly #vagueEnds: Pattern[] = [];
  readonly #vagueStarts: Pattern[] = [];
  readonly #always: Name | undefined;

  /** `always`: a name that is one of them whatever else is. */
  constructor(always?: Name) {
    this.#always = always;
    if (always !== undefined) this.#first[always.charCodeAt(0)] = 1;
  }

  add(pattern: Pattern, isHidden: boolean): void {
    const { start, end } = pattern;
    this.hides ||= isHidden;
    if (end.length > start.length) {
      this.#last[end.charCodeAt(end.length - 1)] = 1;
      if (end.length < KEY) this.#vagueEnds.push(pattern);
      else appendTo(this.#byEnd, endKey(end), pattern);
    } else {
      if (start === '') this.#first.fill(1);
      else this.#first[start.charCodeAt(0)] = 1;
      if (start.length < KEY) this.#vagueStarts.push(pattern);
      else appendTo(this.#byStart, startKey(start), pattern);
    }
  }

  has(name: Name): boolean {
    if (this.#last[name.charCodeAt(name.length - 1)] === 1 && this.#hasEnd(name)) return true;
    return this.#first[name.charCodeAt(0)] === 1 && this.#hasStart(name);
  }

  #hasEnd(name: Name): boolean {
    const globs = this.#byEnd.get(endKey(name));
    return (globs !== undefined && someMatch(globs, name)) || someMatch(this.#vagueEnds, name);
  }

  #hasStart(name: Name): boolean {
    if (name === this.#always) return true;
    const globs = this.#byStart.get(startKey(name));
    return (globs !== undefined && someMatch(globs, name)) || someMatch(this.#vagueStarts, name);
  }
}

/** The first bytes as a number; what a shorter name gives may be another's, which `someMatch` finds out. */
function startKey(name: string): number {
  return (name.charCodeAt(0) << 24) | (name.charCodeAt(1) << 16) | (name.charCodeAt(2) << 8) | name.charCodeAt(3);
}

/** The last bytes, likewise. */
function endKey(name: string): number {
  const { length } = name;
  return (
    (name.charCodeAt(length - 4) << 24) |
    (name.charCodeAt(length - 3) << 16) |
    (name.charCodeAt(length - 2) << 8) |
    name.charCodeAt(length - 1)
  );
}

function someMatch(globs: readonly Pattern[], name: Name): boolean {
  return globs.length > 0 && globs.some((pattern) => mayMatchName(pattern, name));
}

function named<T>(sets: Map<BytePath, T>, dir: BytePath, Kind: new () => T): T {
  const known = sets.get(dir);
  if (known !== undefined) return known;
  const fresh = new Kind();
  sets.set(dir, fresh);
  return fresh;
}
