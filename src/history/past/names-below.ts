/** A directory goes, and with it names of files that have others elsewhere: those count one less. */
import { ownNumber } from '../../staging/base-tree.ts';
import type { Inode, Staged, Time } from '../../staging/inode.ts';
import { TOMBSTONE } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import type { Facts } from '../diff/facts.ts';

const NOTHING: ReadonlyMap<Name, unknown> = new Map();

export class NamesBelow {
  readonly #tree: OverrideTree;
  readonly #facts: Facts;
  readonly #time: Time;
  /** By the file system's own inode number: only what may be one of these is looked at. */
  readonly #numbers: ReadonlySet<number>;

  constructor(tree: OverrideTree, facts: Facts, time: Time) {
    this.#tree = tree;
    this.#facts = facts;
    this.#time = time;
    const prints = [...tree.linked.values()].map(({ staged }) => staged?.fingerprint?.ino ?? 0);
    this.#numbers = new Set(prints.map(ownNumber));
  }

  /** Takes them from what is known by several names. Throws SystemError when the base cannot be read. */
  lose(dir: Inode): void {
    if (this.#numbers.size === 0) return;
    const { children = new Map() as NonNullable<Inode['children']>, base } = dir;
    if (base !== undefined && dir.staged?.opaque !== true) this.#unseen(base, children);
    for (const [name, child] of [...children]) {
      if (child === TOMBSTONE) continue;
      if (child.type === S_IFDIR) this.lose(child);
      else if ((child.staged?.fingerprint?.nlink ?? 1) > 1)
        this.#tree.remove({ dir, name }, { hides: true }, this.#time);
    }
  }

  /** Names that nobody has looked at. */
  #unseen(path: BytePath, known: ReadonlyMap<Name, unknown>): void {
    for (const { name, ino, type } of this.#facts.list(path) ?? []) {
      if (known.has(name)) continue;
      if (type === S_IFDIR) this.#unseen(join(path, name), NOTHING);
      else if (this.#numbers.has(ownNumber(ino))) this.#count(path, name);
    }
  }

  #count(dir: BytePath, name: Name): void {
    const stat = this.#facts.at(dir, name);
    const staged: Staged | undefined = stat && this.#tree.linked.get(`${stat.dev}:${stat.ino}`)?.staged;
    if (staged !== undefined) staged.nlink = Math.max(0, staged.nlink - 1);
  }
}
