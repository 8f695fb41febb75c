/**
 * Which inode of the live tree stands for which of the target. A directory is the same wherever it lies: processes
 * have it as their working directory. A file is the same only in the same state: of a file that it has seen the
 * kernel trusts its own size and times, and whoever has it open keeps what he had.
 */
import type { Inode } from '../inode.ts';
import { TOMBSTONE } from '../inode.ts';
import type { OverrideTree } from '../override-tree.ts';
import type { DetachedDirectories } from './detached.ts';
import { identityOf, isSameState } from './identity.ts';
import type { Survey } from './survey.ts';

export class Matches {
  /** Inodes of the live tree that the target has, too. */
  readonly kept = new Set<Inode>();
  readonly #survey: Survey;
  readonly #detached: DetachedDirectories;
  readonly #images = new Map<Inode, Inode>();

  constructor(target: OverrideTree, survey: Survey, detached: DetachedDirectories) {
    this.#survey = survey;
    this.#detached = detached;
    this.#match(target.root);
    const stack = [target.root];
    for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
      for (const child of dir.children?.values() ?? []) {
        if (child === TOMBSTONE || child.staged === undefined) continue;
        this.#match(child);
        if (child.children !== undefined) stack.push(child);
      }
    }
    for (const inode of target.linked.values()) this.#match(inode);
  }

  /** What an inode of the target is to be in the live tree: one that is there already, or itself. */
  imageOf(source: Inode): Inode {
    return this.#images.get(source) ?? source;
  }

  #match(source: Inode): void {
    if (this.#images.has(source)) return;
    const known = source.children === undefined ? this.#file(source) : this.#directory(source);
    if (known === undefined || this.kept.has(known)) return;
    this.#images.set(source, known);
    this.kept.add(known);
  }

  #file(source: Inode): Inode | undefined {
    // Without a name of the tree's own it is found in the base again, by whatever names are left there.
    const { parent } = source;
    const dir = parent && this.#images.get(parent);
    const known = parent && this.#survey.file(source, dir);
    if (known === undefined || known.type !== source.type) return undefined;
    const [before, after] = [this.#survey.staged.get(known), source.staged];
    return before !== undefined && after !== undefined && isSameState(before, after) ? known : undefined;
  }

  #directory(source: Inode): Inode | undefined {
    const identity = identityOf(source);
    return this.#survey.directory(identity) ?? this.#detached.take(identity);
  }
}
