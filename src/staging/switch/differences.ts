/** Collects what names meant before the live tree was changed, and says what the kernel must forget of it. */
import type { Name } from '../../sys/bytes.ts';
import type { Dentry, Inode } from '../inode.ts';
import { TOMBSTONE } from '../inode.ts';
import type { Invalidation } from '../invalidation.ts';
import type { Meanings } from './survey.ts';

/** A name that means something else now; `was`: the file that it was of, if that has no name any more. */
export type Differs = (dir: Inode, name: Name, was: Inode | undefined) => void;

export class Differences {
  readonly #before: Map<Inode, Meanings>;
  /** Directories that the kernel must ask about again. */
  readonly #changed = new Set<Inode>();
  readonly #found: Invalidation[] = [];

  readonly #differs: Differs;

  /** Starts with what the overridden names mean now. */
  constructor(before: Map<Inode, Meanings>, differs: Differs) {
    this.#before = before;
    this.#differs = differs;
  }

  /** A name is about to mean something else; only what it meant first counts. */
  note(dir: Inode, name: Name, meaning: Dentry | undefined): void {
    if (dir.nodeId === 0) return;
    const meanings: Meanings = this.#before.get(dir) ?? new Map();
    if (meanings.size === 0) this.#before.set(dir, meanings);
    if (!meanings.has(name)) meanings.set(name, meaning);
  }

  /** A directory's attributes, or all that it lists, are other ones now. */
  changed(dir: Inode): void {
    this.#changed.add(dir);
  }

  /** A name may be remembered for something that was long ago. */
  forget(dir: Inode, name: Name): void {
    this.#found.push({ kind: 'entry', parent: dir.nodeId, name });
  }

  /** The changed tree is in place: what must be forgotten of what it was. */
  close(): Invalidation[] {
    for (const [dir, meanings] of this.#before) {
      // A directory that was left behind is pruned together with its own name.
      if (dir.nodeId === 0 || (dir.parent === undefined && dir.base !== '/')) continue;
      for (const [name, was] of meanings) this.#compare(dir, name, was);
    }
    for (const { nodeId } of this.#changed) if (nodeId !== 0) this.#found.push({ kind: 'inode', nodeId });
    return this.#found;
  }

  #compare(dir: Inode, name: Name, was: Dentry | undefined): void {
    const is = dir.children?.get(name);
    if (was === is) return;
    this.#changed.add(dir);
    // The kernel remembers an inode that has a number, and that a name was nothing; never what it has not asked for.
    const remembersNothing = was === undefined ? is === TOMBSTONE : was !== TOMBSTONE && was.nodeId === 0;
    const lost = was && was.children === undefined && was.parent === undefined ? was : undefined;
    this.#differs(dir, name, lost);
    const gone = lost === undefined || lost.nodeId === 0 ? {} : { gone: lost.nodeId };
    if (!remembersNothing) this.#found.push({ kind: 'entry', parent: dir.nodeId, name, ...gone });
  }
}
