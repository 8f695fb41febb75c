/**
 * What stands in a list of changes, a line each: a file, a directory that came, went or was moved as a whole, a fold. Contents are
 * read when somebody asks what of it is decided alone. What is in a directory that was moved is decided with it; many new or
 * deleted files of one directory are one item, and so is each fold.
 */

import { Facts } from '../../history/diff/facts.ts';
import type { PathChange } from '../../history/diff/path-change.ts';
import { findShownRenames, type Renames } from '../../history/diff/text/renames.ts';
import { allSteps } from '../../sys/all-steps.ts';
import { type BytePath, isWithin, ROOT, splitPath } from '../../sys/bytes.ts';
import { appendTo } from '../../sys/grouped.ts';
import { PathMap } from '../../sys/path-map.ts';
import { FOLDS, type FoldKind } from '../folds.ts';
import { Ignored } from '../git/ignored.ts';
import { kindOf } from '../review.ts';
import {
  allKeys,
  cameAlong,
  type ItemOptions,
  isMovedOnly,
  Read,
  renameKeys,
  told,
  unitOf,
  unitsOfFile,
} from './file-units.ts';
import { Item, type ItemFacts } from './item.ts';
import type { Container, Unit } from './units.ts';

export interface Items {
  readonly items: readonly Item[];
  readonly containers: readonly Container[];
}

/** New or deleted files of one directory that are decided one by one. */
const MOST_FILES = 20;

/** Reads no content. `changes`: with what is in moved directories. */
export function itemsOf(changes: Iterable<PathChange>, options: ItemOptions): Items {
  const facts = new Facts(options.base, options.store);
  const ignored = new Ignored(facts, options.project);
  const [own, outside]: [Read[], Read[]] = [[], []];
  const folds = new Map<FoldKind, Read[]>();
  for (const change of changes) {
    const read = new Read(change, facts);
    const kind = options.singly ? undefined : kindOf(change, options, ignored);
    if (kind !== undefined) appendTo(folds, kind, read);
    else (isWithin(change.path, options.project) ? own : outside).push(read);
  }
  const builder = new Builder([...own, ...outside], options, facts);
  builder.addAll();
  const folded = FOLDS.flatMap((kind) => foldItem(kind, folds.get(kind) ?? []));
  return { items: [...builder.items, ...folded], containers: builder.containers };
}

function foldItem(kind: FoldKind, members: readonly Read[]): Item[] {
  const [first] = members;
  if (first === undefined) return [];
  const changes = members.map(({ change }) => change);
  const files = changes.filter(({ type }) => type !== 'directory').length;
  const keys = (): string[] => members.flatMap(allKeys);
  const unit = unitOf({ what: kind, change: first.change, lines: [], files }, keys);
  return [new Item({ group: kind, what: kind, change: first.change, members: changes, gate: undefined }, () => [unit])];
}

class Builder {
  readonly items: Item[] = [];
  readonly containers: Container[] = [];
  readonly #all: readonly Read[];
  readonly #options: ItemOptions;
  readonly #facts: Facts;
  /** Directories that are decided as a whole, or that were moved. */
  readonly #gates = new PathMap<Unit>();
  readonly #byPath: ByPath;
  #renames: Renames | undefined;

  constructor(all: readonly Read[], options: ItemOptions, facts: Facts) {
    this.#all = all;
    this.#options = options;
    this.#facts = facts;
    this.#byPath = new ByPath(all);
  }

  addAll(): void {
    for (const read of this.#all) {
      const around = this.#around(read.change.path);
      if (around?.what === 'directory') continue;
      if (read.change.type === 'directory') this.#addDirectory(read, around);
      else this.#addFile(read, around);
    }
  }

  #around(path: BytePath): Unit | undefined {
    const dir = splitPath(path)?.dir;
    if (dir === undefined) return undefined;
    for (const [, found] of this.#gates.above(dir)) return found;
    return undefined;
  }

  #addDirectory(read: Read, around: Unit | undefined): void {
    const { change } = read;
    const { path, from } = change;
    const below = this.#byPath.below(path);
    if (change.change === 'renamed') {
      if (around?.what === 'rename' && cameAlong(change, around)) return;
      const along = below.filter((one) => isWithin(one.change.from ?? one.change.path, from ?? path));
      const keys = (): string[] => [...read.sections.sections.values(), ...along.flatMap(renameKeys)];
      this.#addWhole({ what: 'rename', change, lines: [], files: along.length }, keys, along);
      return;
    }
    const files = below.filter((one) => one.change.type !== 'directory' && one.change.change === change.change).length;
    const most = this.#options.singly ? Number.POSITIVE_INFINITY : MOST_FILES;
    if (change.change !== 'metadata' && files > most && files === below.filter(isNoDirectory).length) {
      this.#addWhole({ what: 'directory', change, lines: [], files }, () => [read, ...below].flatMap(allKeys), below);
    } else if (change.change !== 'metadata' && below.length > 0)
      this.containers.push(
        Object.defineProperty({ path, keys: [] }, 'keys', { enumerable: true, get: () => allKeys(read) }),
      );
    else this.#addFile(read, around);
  }

  #addWhole(
    said: Omit<Unit, 'keys' | 'what'> & { readonly what: 'rename' | 'directory' },
    keys: () => string[],
    members: readonly Read[],
  ): void {
    const change = said.change as PathChange;
    const unit = unitOf({ ...said, change: told(change) }, keys);
    this.#gates.set(change.path, unit);
    const changes = members.map((one) => one.change);
    this.#add({ what: said.what, change, members: changes, gate: undefined }, () => [unit]);
  }

  #addFile(read: Read, around: Unit | undefined): void {
    const { change } = read;
    const gate = around?.what === 'rename' && cameAlong(change, around) ? around : undefined;
    if (gate !== undefined && isMovedOnly(change)) return;
    const context = { around, facts: this.#facts, options: this.#options, renames: () => this.#renamesMade() };
    this.#add({ what: 'file', change, members: [change], gate }, () => unitsOfFile(read, context));
  }

  /** Of the project; looked for when somebody asks first, as it reads contents. */
  #renamesMade(): Renames {
    if (this.#renames !== undefined) return this.#renames;
    const { project, notices } = this.#options;
    const changes = this.#all.map(({ change }) => change);
    const own = changes.filter(({ path }) => isWithin(path, project) && notices?.has(path) !== true);
    this.#renames = allSteps(findShownRenames(own, this.#facts));
    return this.#renames;
  }

  #add(said: Omit<ItemFacts, 'group'>, read: () => readonly Unit[]): void {
    const group = isWithin(said.change.path, this.#options.project) ? 'project' : 'outside';
    this.items.push(new Item({ ...said, group }, read));
  }
}

function isNoDirectory({ change }: Read): boolean {
  return change.type !== 'directory';
}

/** Changes in the byte order of their paths, where all that is below a directory lies together. */
class ByPath {
  readonly #all: readonly Read[];

  constructor(all: readonly Read[]) {
    this.#all = [...all].sort((one, other) => (one.change.path < other.change.path ? -1 : 1));
  }

  below(dir: BytePath): readonly Read[] {
    const prefix = dir === ROOT ? dir : `${dir}/`;
    // The byte after the slash.
    return this.#all.slice(this.#firstFrom(prefix), this.#firstFrom(`${prefix.slice(0, -1)}0`));
  }

  #firstFrom(path: string): number {
    let [from, to] = [0, this.#all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#all[middle]?.change.path ?? path) < path) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
