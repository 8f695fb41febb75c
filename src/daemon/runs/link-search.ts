/** Where a file's further names are in the base (hard links): in its own directory, else in the project, as far as a look takes. */
import type { Facts } from '../../history/diff/facts.ts';
import { type BaseEntry, ownNumber } from '../../staging/base-tree.ts';
import { type BytePath, isWithin, join, splitPath } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';

/** Entries of directories that one summary looks at: some ten milliseconds. Only files with several names cost any. */
const MOST_ENTRIES = 5000;

export class LinkSearch {
  readonly #facts: Facts;
  readonly #project: BytePath;
  #left = MOST_ENTRIES;

  constructor(facts: Facts, project: BytePath) {
    this.#facts = facts;
    this.#project = project;
  }

  /** Up to `wanted` other names of the base's file `path`, as far as they were found. */
  namesOf(path: BytePath, wanted: number): readonly BytePath[] {
    const ino = this.#facts.of(path)?.ino;
    const own = splitPath(path)?.dir;
    if (ino === undefined || own === undefined) return [];
    const found: BytePath[] = [];
    const waiting = [own, this.#project];
    const seen = new Set<BytePath>();
    for (let dir = waiting.shift(); dir !== undefined; dir = waiting.shift()) {
      if (seen.has(dir)) continue;
      seen.add(dir);
      for (const { at, entry } of this.#listing(dir)) {
        if (entry.type === S_IFDIR && isWithin(at, this.#project)) waiting.push(at);
        const isIt = ownNumber(entry.ino) === ownNumber(ino) && at !== path && this.#facts.of(at)?.ino === ino;
        if (isIt) found.push(at);
        // A file may have 60,000 names.
        if (found.length === wanted) return found;
      }
    }
    return found;
  }

  #listing(dir: BytePath): { readonly at: BytePath; readonly entry: BaseEntry }[] {
    const entries = (this.#left > 0 ? this.#facts.list(dir) : []) ?? [];
    this.#left -= entries.length;
    return entries.map((entry) => ({ at: join(dir, entry.name), entry }));
  }
}
