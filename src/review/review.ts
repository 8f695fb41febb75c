/**
 * The model of a review: changes by what they mean to a person. First those of the project, then those outside of it; what
 * programs write for themselves is folded, each kind to one entry with what it comes to. Nothing is folded that somebody has
 * changed outside, too, nor what was moved there from elsewhere. What will run later is told before all of it (history/commit/notices).
 */

import type { Conflict } from '../history/commit/conflict/conflict.ts';
import type { ChangesOptions } from '../history/diff/changes.ts';
import { Facts } from '../history/diff/facts.ts';
import { gitDirectoryOf } from '../history/diff/noise.ts';
import type { PathChange } from '../history/diff/path-change.ts';
import { type BytePath, isWithin, splitPath } from '../sys/bytes.ts';
import { PathMap } from '../sys/path-map.ts';
import { FOLDS, type FoldKind, foldOf, isOnTheWay, type Surroundings } from './folds.ts';
import { Ignored } from './git/ignored.ts';
import { GitStory } from './git/story.ts';

/** A change by itself. */
export interface Entry extends Pick<PathChange, 'path' | 'change' | 'type' | 'from'> {
  readonly conflict?: Conflict['theirs'];
  /** Bytes of a regular file that was added. */
  readonly size?: number;
}

/** Changes of one kind that are told together. */
export interface Folded {
  readonly kind: FoldKind;
  readonly changes: number;
  /** What is no directory. */
  readonly files: number;
  readonly deleted: number;
  /** Bytes of what is there now. */
  readonly size: number;
  /** The directories that it is in, those with most of it first; a file that is in none by its own name. */
  readonly places: readonly Place[];
  /** What was done to repositories. */
  readonly git?: readonly { readonly directory: BytePath; readonly said: readonly string[] }[];
}

export interface Place {
  readonly path: BytePath;
  readonly isDirectory: boolean;
  readonly files: number;
}

export interface Review {
  readonly project: readonly Entry[];
  readonly outside: readonly Entry[];
  readonly folded: readonly Folded[];
  /** Of all changes. */
  readonly count: number;
}

/** A change, and what somebody has done there outside. */
export interface Found {
  readonly change: PathChange;
  readonly conflict?: Conflict['theirs'] | undefined;
}

export interface ReviewOptions extends Surroundings, Pick<ChangesOptions, 'base' | 'store'> {
  /** Fold nothing. */
  readonly all?: boolean;
}

/** Goes over the changes once. */
export function reviewOf(changes: Iterable<Found>, options: ReviewOptions): Review {
  const sorting = new Sorting(options);
  for (const found of changes) sorting.add(found);
  return sorting.result();
}

/** The same, one change after the other. */
export class Sorting {
  readonly #options: ReviewOptions;
  readonly #facts: Facts;
  readonly #ignored: Ignored;
  readonly #folds = new Map<FoldKind, Fold>();
  readonly #entries = { project: [] as Entry[], outside: [] as Entry[] };
  #count = 0;

  constructor(options: ReviewOptions) {
    this.#options = options;
    this.#facts = new Facts(options.base, options.store);
    this.#ignored = new Ignored(this.#facts, options.project);
  }

  /** Says where it belongs. */
  add({ change, conflict }: Found): 'project' | 'outside' | FoldKind {
    this.#count += 1;
    const isAlone = this.#options.all === true || conflict !== undefined;
    const kind = isAlone ? undefined : kindOf(change, this.#options, this.#ignored);
    if (kind === undefined) {
      const group = isWithin(change.path, this.#options.project) ? 'project' : 'outside';
      this.#entries[group].push(entryOf(change, conflict, this.#facts));
      return group;
    }
    const fold = this.#folds.get(kind) ?? new Fold(kind, this.#facts);
    this.#folds.set(kind, fold);
    fold.add(change);
    return kind;
  }

  result(): Review {
    const folded = FOLDS.flatMap((kind) => this.#folds.get(kind)?.result() ?? []);
    return { ...this.#entries, count: this.#count, folded };
  }
}

/** With what a change is folded; undefined: it is told by itself. */
export function kindOf(change: PathChange, at: Surroundings, ignored: Ignored): FoldKind | undefined {
  const { path, from, type, oldSide } = change;
  const isNewDirectory = type === 'directory' && change.change === 'added';
  const kind = foldOf(path, at) ?? (isNewDirectory && isOnTheWay(path, at) ? 'cache' : undefined);
  if (from !== undefined) return kind !== undefined && foldOf(from, at) === kind ? kind : undefined;
  if (kind !== undefined) return kind;
  return ignored.has(path, type === 'directory', oldSide === undefined) ? 'ignored' : undefined;
}

function entryOf(found: PathChange, conflict: Found['conflict'], facts: Facts): Entry {
  const { path, change, type, from } = found;
  const size = change === 'added' && type === 'file' ? sizeOf(found, facts) : undefined;
  return {
    ...{ path, change, type },
    ...(from === undefined ? {} : { from }),
    ...(conflict === undefined ? {} : { conflict }),
    ...(size === undefined ? {} : { size }),
  };
}

function sizeOf({ type, newSide }: PathChange, facts: Facts): number {
  return type !== 'file' || newSide === undefined ? 0 : (facts.size(newSide.backing) ?? 0);
}

class Fold {
  readonly #kind: FoldKind;
  readonly #facts: Facts;
  readonly #stories = new Map<BytePath, GitStory>();
  readonly #places = new Map<BytePath, Place>();
  #changes = 0;
  #files = 0;
  #deleted = 0;
  #size = 0;

  constructor(kind: FoldKind, facts: Facts) {
    this.#kind = kind;
    this.#facts = facts;
  }

  add(change: PathChange): void {
    this.#changes += 1;
    this.#size += sizeOf(change, this.#facts);
    if (change.change === 'deleted') this.#deleted += 1;
    if (change.type !== 'directory') this.#addFile(change.path);
    const directory = this.#kind === 'git' ? gitDirectoryOf(change.path) : undefined;
    if (directory === undefined) return;
    const story = this.#stories.get(directory) ?? new GitStory(directory, this.#facts);
    this.#stories.set(directory, story);
    story.add(change);
  }

  result(): Folded {
    const [changes, files, deleted, size] = [this.#changes, this.#files, this.#deleted, this.#size];
    const places = outermost(this.#places);
    const told = { kind: this.#kind, changes, files, deleted, size, places };
    const git = [...this.#stories.values()].map((story) => ({ directory: story.directory, said: story.tell() }));
    return git.length === 0 ? told : { ...told, git };
  }

  #addFile(path: BytePath): void {
    this.#files += 1;
    const dir = this.#kind === 'ignored' ? (splitPath(path)?.dir ?? path) : placeOf(path);
    const known = this.#places.get(dir)?.files ?? 0;
    this.#places.set(dir, { path: dir, isDirectory: dir !== path, files: known + 1 });
  }
}

/** A hidden directory, and a cache by name, is one place with all that is in it. */
function placeOf(path: BytePath): BytePath {
  const [, place] = /^(.*?\/(?:\.cache\/[^/]+|\.[^/]+|__pycache__))\//s.exec(path) ?? [];
  return (place as BytePath | undefined) ?? path;
}

/** What is in another one of them is told there. */
function outermost(places: ReadonlyMap<BytePath, Place>): Place[] {
  const kept = new Map<BytePath, Place>();
  const directories = new PathMap<Place>();
  for (const place of places.values()) if (place.isDirectory) directories.set(place.path, place);
  for (const place of places.values()) {
    let around = place;
    for (const [, above] of directories.above(place.path)) around = above;
    const files = (kept.get(around.path)?.files ?? 0) + place.files;
    kept.set(around.path, { ...around, files });
  }
  return [...kept.values()].sort((one, other) => other.files - one.files);
}
