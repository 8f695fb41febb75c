/**
 * Hard links that the base has of changed files, in directories that are looked at: neither tree need know them, as it has
 * those that somebody looked up. One anywhere else is not found: that would mean to search the whole base.
 */
import { ownNumber } from '../../staging/base-tree.ts';
import type { Name } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';
import type { Node } from './node.ts';
import type { State } from './state.ts';

export class LinkNames {
  readonly #facts: Facts;
  /** The file system's own numbers of files with several names. */
  readonly #inos = new Set<number>();

  constructor(states: readonly State[], facts: Facts) {
    this.#facts = facts;
    for (const state of states) {
      for (const { staged } of state.linked) {
        const ino = staged?.fingerprint?.ino;
        if (ino !== undefined) this.#inos.add(ownNumber(ino));
      }
    }
  }

  /** Names in a base directory that may be a changed file's. */
  in({ origin, type }: Node): Name[] {
    if (this.#inos.size === 0 || origin === undefined || type !== S_IFDIR) return [];
    const listed = this.#facts.list(origin) ?? [];
    return listed.filter(({ ino }) => this.#inos.has(ownNumber(ino))).map(({ name }) => name);
  }
}
