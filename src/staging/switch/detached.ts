/**
 * Directories that a travel has left behind while the kernel knows them: a process may have one as its working
 * directory. They are as empty as a directory that was removed; a travel to where they exist brings them back.
 */
import type { BytePath, Name } from '../../sys/bytes.ts';
import type { Attributes, Inode } from '../inode.ts';
import { newStaged } from '../inode.ts';

interface Left {
  readonly inode: Inode;
  /** Names that the kernel may remember in it. */
  readonly names: readonly Name[];
}

export class DetachedDirectories {
  readonly #left = new Map<string, Left>();
  readonly #loose = new WeakSet<Inode>();
  /** Names in directories that are back. */
  readonly #taken = new Map<Inode, readonly Name[]>();

  /** A directory got another place: below its old one the kernel may still remember names, and not drop them with it. */
  loosen(inode: Inode): void {
    this.#loose.add(inode);
  }

  isLoose(inode: Inode): boolean {
    return this.#loose.has(inode);
  }

  /** Takes everything away from a directory that the kernel knows but its attributes. */
  leave(identity: string, left: Left, attributes: Attributes): void {
    const { inode } = left;
    this.#left.set(identity, left);
    this.#loose.add(inode);
    inode.children?.clear();
    inode.base = undefined;
    inode.parent = undefined;
    inode.staged = { ...newStaged(0), attributes };
  }

  /** Where the base has those that the kernel still knows. */
  paths(): BytePath[] {
    const known = [...this.#left].filter(([identity, { inode }]) => inode.nodeId !== 0 && !identity.startsWith('#'));
    return known.map(([identity]) => identity as BytePath);
  }

  /** A directory that is to come back, if the kernel still knows it. */
  take(identity: string): Inode | undefined {
    const left = this.#left.get(identity);
    if (left === undefined) return undefined;
    this.#left.delete(identity);
    if (left.inode.nodeId === 0) return undefined;
    this.#taken.set(left.inode, left.names);
    return left.inode;
  }

  /** What the kernel may remember of those that have come back; told once. */
  remembered(): ReadonlyMap<Inode, readonly Name[]> {
    const taken = new Map(this.#taken);
    this.#taken.clear();
    for (const [identity, { inode }] of this.#left) if (inode.nodeId === 0) this.#left.delete(identity);
    return taken;
  }

  /** No tree can be shown again that has them: the base is another one. */
  forget(): void {
    this.#left.clear();
  }
}
