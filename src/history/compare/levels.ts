/** The directories that the walk over the net changes visits, and the order in which it does. */
import type { Inode } from '../../staging/inode.ts';
import { TOMBSTONE } from '../../staging/inode.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import type { Facts } from './facts.ts';

const LIST_FROM = 256;
const BYTES_A_NAME = 32;
const LISTED_FOR_ASKED = 4;

/** One directory path, seen from both sides. */
export interface Level {
  readonly path: BytePath;
  /** The view's directory, when anything in it is staged. */
  readonly dir: Inode | undefined;
  /** Base path of what the view shows here; undefined: nothing, or a directory born in the view. */
  readonly origin: BytePath | undefined;
  /** Whether the base has a directory at this path. */
  readonly base: boolean;
  /**
   * Which names of that base directory may have been lost: all of them, those overridden in the directory that
   * it has become elsewhere, or none.
   */
  readonly account: 'all' | Inode | 'none';
}

/** A level that is just what the base has there, with overrides. */
export function naturalLevel(path: BytePath, dir: Inode): Level {
  return { path, dir, origin: path, base: true, account: 'none' };
}

export interface FrameOptions {
  readonly facts: Facts;
  readonly expand: boolean;
  readonly others: ReadonlyMap<Name, Inode>;
}

/** Visits names, and levels found on the way, depth first, so that what comes out is in the byte order of whole paths. */
export class PathOrder<Level> {
  readonly #names: readonly Name[];
  #at = 0;
  /** Levels found on the way, by their name and a slash, in order. */
  readonly #below: { readonly key: string; readonly level: Level }[] = [];

  /** `names` in byte order. */
  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  /**
   * The next name to look at or level to enter. A level comes later than its name: `/` sorts after some bytes
   * that names have, so `a-b` lies between `a` and `a/b`.
   */
  next(): Name | Level | undefined {
    const name = this.#names[this.#at];
    const [below] = this.#below;
    if (below !== undefined && (name === undefined || below.key < name)) {
      this.#below.shift();
      return below.level;
    }
    this.#at += 1;
    return name;
  }

  enterLater(name: Name, level: Level): void {
    const key = `${name}/`;
    const before = this.#below.findIndex((other) => other.key > key);
    this.#below.splice(before < 0 ? this.#below.length : before, 0, { key, level });
  }
}

export class Frame extends PathOrder<Level> {
  readonly level: Level;
  /** Names that the tree does not know of, but the base has for files that changed. */
  readonly others: ReadonlyMap<Name, Inode>;
  /** The names the base has here, where it was cheaper to list them than to ask for each. */
  readonly baseNames: ReadonlySet<Name> | undefined;

  constructor(level: Level, { facts, expand, others }: FrameOptions) {
    const names = namesOf(level, { facts, expand, others });
    super(names);
    this.level = level;
    this.others = others;
    this.baseNames = level.base ? listIfCheap(level.path, names.length, facts) : undefined;
  }
}

/** Names of a level that may have changed, in byte order. */
function namesOf(level: Level, { facts, expand, others }: FrameOptions): readonly Name[] {
  const staged = stagedNames(level.dir);
  const lists: Name[][] = others.size === 0 ? [] : [[...others.keys()]];
  if (level.account === 'all') lists.push(listedNames(level.path, facts) ?? []);
  else if (level.account !== 'none') lists.push(stagedNames(level.account));
  if (expand && level.origin !== undefined && level.origin !== level.path) {
    lists.push(listedNames(level.origin, facts) ?? []);
  }
  const names = lists.length === 0 ? staged : [...new Set([staged, ...lists].flat())];
  return names.sort();
}

/**
 * The names in a base directory, where listing them costs less than asking for `names` of them one by one: about
 * 100 ns a listed name, 2 us an asked one. File systems report 20 to 60 bytes of directory size a name.
 */
export function listIfCheap(dir: BytePath, names: number, facts: Facts): ReadonlySet<Name> | undefined {
  if (names < LIST_FROM) return undefined;
  const size = facts.of(dir)?.size ?? 0;
  if (size / BYTES_A_NAME > names * LISTED_FOR_ASKED) return undefined;
  const listed = listedNames(dir, facts);
  return listed === undefined ? undefined : new Set(listed);
}

function listedNames(dir: BytePath, facts: Facts): Name[] | undefined {
  return facts.list(dir)?.map((entry) => entry.name);
}

function stagedNames(dir: Inode | undefined): Name[] {
  const names: Name[] = [];
  for (const [name, child] of dir?.children ?? []) {
    if (child === TOMBSTONE || child.staged !== undefined) names.push(name);
  }
  return names;
}
