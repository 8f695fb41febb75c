/**
 * Finds renames that were not made as such: a file deleted and a like one added (`cp` and `rm`, an editor that
 * saves under a new name or in place of the old file, git). For `diff` and for who looks at one file of a review;
 * `status` shows only what the view knows to have moved.
 *
 * As in git: first files with the same bytes, then, if not too many are left, pairs with half their bytes in
 * common, the best pairs first.
 */
import type { BaseTree } from '../../../staging/base-tree.ts';
import type { ObjectStore } from '../../../staging/object-store.ts';
import { allSteps } from '../../../sys/all-steps.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { close, pread } from '../../../sys/libc.ts';
import { crc32 } from '../../../sys/text/crc32.ts';
import { Facts } from '../facts.ts';
import type { PathChange, Side } from '../path-change.ts';
import { loadSide, MAX_SHOWN } from './load.ts';
import type { Sketch } from './similarity.ts';
import { similarity, sketch } from './similarity.ts';

/** More deleted or added files than this are not compared at all. */
const MAX_EXACT = 5000;
/** Bytes that tell most files of one size from each other. */
const START = 4096;
/** Pairs that are compared for similarity. */
const MAX_PAIRS = 400 * 400;
/** Pieces that are compared in all; bounds the time to about a second. */
const MAX_WORK = 20_000_000;
const SIMILAR = 50;
/** Bytes of files that begin alike and are not the same: after so many none is compared any more, as who makes files chooses how they begin. */
const MAX_VAIN = 1 << 30;

interface Candidate {
  readonly change: PathChange;
  readonly side: Side;
  readonly size: number;
  /** The last component of its path. */
  readonly name: string;
}

interface Match {
  readonly from: Candidate;
  readonly to: Candidate;
  readonly score: number;
}

/** Path of an added file -> the deletion that it continues. */
export type Renames = ReadonlyMap<BytePath, PathChange>;

/**
 * Yields the changes with such pairs joined into one `renamed`. Goes through `changes` twice, and holds no more of
 * it than the pairs.
 */
export function* pairRenames(
  changes: () => Iterable<PathChange>,
  options: { readonly base: BaseTree; readonly store: ObjectStore },
): Generator<PathChange, void, undefined> {
  const renames = allSteps(findRenames(changes(), new Facts(options.base, options.store), Number.POSITIVE_INFINITY));
  yield* withRenames(changes(), renames);
}

/** The changes, with the two of each pair as one. */
export function* withRenames(changes: Iterable<PathChange>, renames: Renames): Generator<PathChange, void, undefined> {
  const sources = new Set([...renames.values()].map(({ path }) => path));
  for (const change of changes) {
    const source = change.change === 'added' ? renames.get(change.path) : undefined;
    if (source !== undefined) yield asRename(change, source);
    else if (change.change !== 'deleted' || !sources.has(change.path)) yield change;
  }
}

/** An added file as what it is to a reader: a deleted one under another name, perhaps changed. */
export function asRename(added: PathChange, { path: from, oldSide }: PathChange): PathChange {
  return { ...added, change: 'renamed', from, ...(oldSide === undefined ? {} : { oldSide }) };
}

/** Finds pairs of files whose lines can be shown, a step for each file and each two that are compared: nobody waits for larger ones. */
export function findShownRenames(changes: Iterable<PathChange>, facts: Facts): Generator<void, Renames> {
  return findRenames(changes, facts, MAX_SHOWN);
}

/** The same of files of at most so many bytes. */
function* findRenames(changes: Iterable<PathChange>, facts: Facts, mostBytes: number): Generator<void, Renames> {
  const deleted: Candidate[] = [];
  const added: Candidate[] = [];
  const isSmall = ({ size }: Candidate): boolean => size <= mostBytes;
  for (const change of changes) {
    if (change.type !== 'file') continue;
    if (change.change === 'deleted') deleted.push(...candidate(change, change.oldSide, facts).filter(isSmall));
    else if (change.change === 'added') added.push(...candidate(change, change.newSide, facts).filter(isSmall));
    if (deleted.length > MAX_EXACT || added.length > MAX_EXACT) return new Map();
    yield;
  }
  const finder = new Finder(deleted, added, facts);
  yield* finder.exact();
  yield* finder.similar();
  return finder.pairs;
}

function candidate(change: PathChange, side: Side | undefined, facts: Facts): Candidate[] {
  const size = side === undefined ? undefined : facts.size(side.backing);
  const name = change.path.slice(change.path.lastIndexOf('/'));
  // Every empty file is like every other.
  return side === undefined || size === undefined || size === 0 ? [] : [{ change, side, size, name }];
}

class Finder {
  readonly pairs = new Map<BytePath, PathChange>();
  readonly #facts: Facts;
  readonly #deleted: Set<Candidate>;
  readonly #added: Set<Candidate>;
  readonly #start = Buffer.alloc(START);
  #work = 0;
  #vain = 0;

  constructor(deleted: readonly Candidate[], added: readonly Candidate[], facts: Facts) {
    this.#deleted = new Set(deleted);
    this.#added = new Set(added);
    this.#facts = facts;
  }

  *exact(): Generator<void, void> {
    const sizes = new Set([...this.#added].map(({ size }) => size));
    const groups = new Map<string, Set<Candidate>>();
    for (const from of this.#deleted) {
      if (!sizes.has(from.size)) continue;
      const key = this.#beginningOf(from);
      groups.set(key, (groups.get(key) ?? new Set()).add(from));
      yield;
    }
    if (groups.size === 0) return;
    for (const to of this.#added) {
      const group = groups.get(this.#beginningOf(to)) ?? new Set();
      const twin = this.#twinAmong([...group], to);
      yield;
      if (twin === undefined) continue;
      group.delete(twin);
      this.#join(twin, to);
    }
  }

  /** Size and a sum of how a file begins: of many files of one size only few have to be compared with each other. */
  #beginningOf({ size, side }: Candidate): string {
    const fd = this.#facts.open(side.backing);
    if (fd < 0) return '';
    const length = pread(fd, this.#start, this.#start.length, 0);
    close(fd);
    return `${size}:${crc32(this.#start, 0, Math.max(0, length))}`;
  }

  /** One with the same bytes, and the same name if there is such a one. */
  #twinAmong(group: readonly Candidate[], to: Candidate): Candidate | undefined {
    const isTwin = (from: Candidate): boolean => this.#isSame(from, to);
    return (
      group.find((from) => from.name === to.name && isTwin(from)) ??
      group.find((from) => from.name !== to.name && isTwin(from))
    );
  }

  #isSame(from: Candidate, to: Candidate): boolean {
    if (this.#vain >= MAX_VAIN) return false;
    const isSame = this.#facts.same(from.side.backing, to.side.backing);
    // Of larger ones few are compared.
    if (!isSame) this.#vain += Math.min(to.size, MAX_SHOWN);
    return isSame;
  }

  *similar(): Generator<void, void> {
    if (this.#deleted.size * this.#added.size > MAX_PAIRS) return;
    const sketches = new Map<Candidate, Sketch | undefined>();
    const matches: Match[] = [];
    for (const to of this.#added) {
      for (const from of this.#deleted) {
        if (from.size > 2 * to.size || to.size > 2 * from.size) continue;
        const score = this.#score(from, to, sketches);
        if (score >= SIMILAR) matches.push({ from, to, score });
        yield;
      }
      if (this.#work > MAX_WORK) break;
    }
    this.#joinBest(matches);
  }

  #score(from: Candidate, to: Candidate, sketches: Map<Candidate, Sketch | undefined>): number {
    const [a, b] = [this.#sketch(from, sketches), this.#sketch(to, sketches)];
    if (a === undefined || b === undefined) return 0;
    this.#work += Math.min(a.size, b.size);
    return similarity(a, b, { a: from.size, b: to.size, identical: false });
  }

  #sketch(candidate: Candidate, sketches: Map<Candidate, Sketch | undefined>): Sketch | undefined {
    if (!sketches.has(candidate)) {
      const content = loadSide(candidate.side, this.#facts);
      sketches.set(candidate, 'bytes' in content ? sketch(content.bytes) : undefined);
      this.#work += candidate.size / 16;
    }
    return sketches.get(candidate);
  }

  #joinBest(matches: readonly Match[]): void {
    const best = [...matches].sort(
      (a, b) => b.score - a.score || Number(b.from.name === b.to.name) - Number(a.from.name === a.to.name),
    );
    for (const { from, to } of best) {
      if (this.#deleted.has(from) && this.#added.has(to)) this.#join(from, to);
    }
  }

  #join(from: Candidate, to: Candidate): void {
    this.pairs.set(to.change.path, from.change);
    this.#deleted.delete(from);
    this.#added.delete(to);
  }
}
