/**
 * The changes that say most about what a command did, of any number: what is gone before what is new, what lies outside
 * of the project before the rest, last what tools write for themselves: caches, and what git alone writes. A directory
 * that was deleted or made stands for all of its kind below it, the first change in a cache for all of its kind there.
 */
import type { ChangeKind, PathChange, Side } from '../../history/diff/changes.ts';
import { type Facts, typeOf } from '../../history/diff/facts.ts';
import { cacheDirectoryOf, gitDirectoryOf } from '../../history/diff/noise.ts';
import { type BytePath, isWithin, splitPath } from '../../sys/bytes.ts';
import { PathMap } from '../../sys/path-map.ts';
import { S_IFREG } from '../../sys/stat.ts';
import type { ReportedChange } from '../protocol.ts';
import { LinkSearch } from './link-search.ts';

/** More than anybody reads. */
const MOST = 300;
/** Each kind has so many of these for itself: ten times that is all of them. */
const MOST_FOR_SURE = MOST / 10;
/** Of one file. */
const MOST_NAMED = 5;
const ORDER: readonly ChangeKind[] = ['deleted', 'modified', 'renamed', 'metadata', 'added'];

/** Of one kind, in this order. */
const PLACES = ['outside', 'project', 'tool'] as const;

interface Item {
  readonly change: PathChange;
  readonly below: { changes: number; files: number };
  /** How many of these files are in caches. */
  cached: number;
}

export class ChangeReport {
  readonly counts: Record<ChangeKind, number> = { added: 0, modified: 0, deleted: 0, renamed: 0, metadata: 0 };
  readonly #project: BytePath;
  /** Only the most telling so far are held, by their rank: a command may have changed very many. */
  readonly #groups: Item[][] = ORDER.flatMap(() => PLACES.map(() => []));
  /** Directories that stand for what is below them. */
  readonly #whole = new PathMap<Item>();
  /** What stands for all that was written into a cache, by its directory and kind; and where in caches files were made. */
  readonly #written = new Map<string, Item>();
  readonly #growing = new Set<BytePath>();

  constructor(project: BytePath) {
    this.#project = project;
  }

  /** Changes must come in the order of their paths, so that a directory comes before what is below it. */
  add(change: PathChange): void {
    this.counts[change.change] += 1;
    const whole = this.#wholeAbove(change);
    if (this.#isWithin(whole, change)) {
      this.#countCached(whole, change);
      return;
    }
    const cache = cacheDirectoryOf(change.path, this.#project);
    if (cache !== undefined && change.change === 'added') this.#growing.add(dirOf(change.path));
    const written = cache === undefined || isGone(change) ? undefined : `${change.change}\0${cache}`;
    if (written !== undefined && this.#isWithin(this.#written.get(written), change)) return;
    const group = this.#groups[this.#rankOf(change, cache)] ?? [];
    if (group.length >= MOST) return;
    const item = { change, below: { changes: 0, files: 0 }, cached: 0 };
    group.push(item);
    if (written !== undefined) this.#written.set(written, item);
    else if (change.type === 'directory' && standsForAll(change)) this.#whole.set(change.path, item);
  }

  /** Counts it there, if there is one that stands for it. */
  #isWithin(whole: Item | undefined, { type }: PathChange): whole is Item {
    if (whole === undefined) return false;
    whole.below.changes += 1;
    if (type !== 'directory') whole.below.files += 1;
    return true;
  }

  /** A file below a directory that stands for it; nobody asks any more once one is in no cache. */
  #countCached(whole: Item, { type, path }: PathChange): void {
    if (type === 'directory' || whole.cached < whole.below.files - 1) return;
    if (cacheDirectoryOf(path, this.#project) !== undefined) whole.cached += 1;
  }

  /** The most telling ones first, not more than a few hundred. */
  finish(facts: Facts): ReportedChange[] {
    const search = new LinkSearch(facts, this.#project);
    let free = MOST - this.#groups.reduce((sum, group) => sum + Math.min(group.length, MOST_FOR_SURE), 0);
    return this.#groups.flatMap((group) => {
      const extra = Math.min(free, Math.max(0, group.length - MOST_FOR_SURE));
      free -= extra;
      return group.slice(0, MOST_FOR_SURE + extra).map((item) => {
        const line = toLine(item, facts, search);
        return isMadeForCaches(item) || this.#isRotated(item.change) ? { ...line, ofCaches: true } : line;
      });
    });
  }

  #isRotated({ change, path, type }: PathChange): boolean {
    const isFileGone = change === 'deleted' && type !== 'directory';
    return isFileGone && this.#growing.has(dirOf(path)) && cacheDirectoryOf(path, this.#project) !== undefined;
  }

  #rankOf({ change, path }: PathChange, cache: BytePath | undefined): number {
    const isOfTool = cache !== undefined || gitDirectoryOf(path) !== undefined;
    const place = isOfTool ? 'tool' : isWithin(path, this.#project) ? 'project' : 'outside';
    return ORDER.indexOf(change) * PLACES.length + PLACES.indexOf(place);
  }

  #wholeAbove(change: PathChange): Item | undefined {
    if (this.#whole.size === 0 || !standsForAll(change)) return undefined;
    for (const [, whole] of this.#whole.above(dirOf(change.path)))
      return whole.change.change === change.change ? whole : undefined;
    return undefined;
  }
}

/** A new directory that has nothing in it but caches. */
function isMadeForCaches({ change, below, cached }: Item): boolean {
  return change.change === 'added' && cached > 0 && cached === below.files;
}

/** From where it was. */
function isGone({ change }: PathChange): boolean {
  return change === 'deleted' || change === 'renamed';
}

function dirOf(path: BytePath): BytePath {
  return splitPath(path)?.dir ?? path;
}

function standsForAll({ change }: PathChange): boolean {
  return change === 'deleted' || change === 'added';
}

function toLine({ change, below }: Item, facts: Facts, search: LinkSearch): ReportedChange {
  const { path, type, from, replaced } = change;
  const [names, old] = [moreNames(change, facts), oldPath(change)];
  const also = names === 0 || old === undefined ? [] : search.namesOf(old, Math.min(names, MOST_NAMED));
  return {
    path,
    change: change.change,
    type,
    ...(from === undefined ? {} : { from }),
    ...(below.changes === 0 ? {} : { below }),
    ...(isEmptied(change, facts) ? { emptied: true } : {}),
    ...(names === 0 ? {} : { names }),
    ...(also.length === 0 ? {} : { also }),
    ...(replaced === undefined ? {} : { replaces: true }),
  };
}

function moreNames({ change, oldSide, newSide }: PathChange, facts: Facts): number {
  // A new file at the old one's name leaves the others alone: it does not come from a path of the base.
  const isSame = newSide !== undefined && 'path' in newSide.backing && newSide.backing.path !== undefined;
  if (change !== 'modified' || !isSame || !isFile(oldSide)) return 0;
  const path = oldPath({ oldSide });
  return path === undefined ? 0 : (facts.of(path)?.nlink ?? 1) - 1;
}

/** Of the base's file. */
function oldPath({ oldSide }: Pick<PathChange, 'oldSide'>): BytePath | undefined {
  const backing = oldSide?.backing;
  return backing !== undefined && 'path' in backing ? backing.path : undefined;
}

/** What differs from a file that is empty now had content. */
function isEmptied({ change, oldSide, newSide }: PathChange, facts: Facts): boolean {
  return change === 'modified' && isFile(oldSide) && isFile(newSide) && facts.size(newSide.backing) === 0;
}

function isFile(side: Side | undefined): side is Side {
  return side !== undefined && typeOf(side.backing) === S_IFREG;
}
