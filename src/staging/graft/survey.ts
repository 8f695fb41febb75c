/** What the live tree overrides before another tree is shown in its place, to be found by identity. */
import type { Name } from '../../sys/bytes.ts';
import { splitPath } from '../../sys/bytes.ts';
import type { Dentry, Inode, Staged } from '../inode.ts';
import { TOMBSTONE } from '../inode.ts';
import type { OverrideTree, Place } from '../override-tree.ts';
import { identityOf } from './identity.ts';

/** Names of one directory and what they stood for; `undefined`: for what the base has, as far as it was looked up. */
export type Meanings = Map<Name, Dentry | undefined>;

export class Survey {
  /** The staged directories, the root among them, with the names that each overrides. */
  readonly overrides = new Map<Inode, Meanings>();
  /** What was staged of each inode in the tree. */
  readonly staged = new Map<Inode, Staged>();
  readonly #directories = new Map<string, Inode>();
  readonly #files = new Map<string, Inode>();
  readonly #places = new Map<Inode, Place>();
  readonly #root: Inode;

  constructor(tree: OverrideTree) {
    this.#root = tree.root;
    this.#add(tree.root);
    const stack = [tree.root];
    for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
      const meanings: Meanings = new Map();
      for (const [name, child] of dir.children ?? []) {
        if (child !== TOMBSTONE && child.staged === undefined) continue;
        meanings.set(name, child);
        if (child === TOMBSTONE) continue;
        this.#add(child);
        if (child.children !== undefined) stack.push(child);
      }
      this.overrides.set(dir, meanings);
    }
    // Files of the base with several names may have lost those that the tree knew.
    for (const inode of tree.linked.values()) this.#add(inode);
  }

  /** The staged file of that identity. */
  file(identity: string): Inode | undefined {
    return this.#files.get(identity);
  }

  /** Whether a directory of the tree hangs elsewhere now. */
  hasMoved(dir: Inode): boolean {
    const place = this.#places.get(dir);
    return dir.parent !== place?.dir || (place !== undefined && dir.name !== place.name);
  }

  /** The directory of that identity: staged, or merely known at its natural place. */
  directory(identity: string): Inode | undefined {
    const staged = this.#directories.get(identity);
    if (staged !== undefined || identity.startsWith('#')) return staged;
    const at = splitPath(identity as Parameters<typeof splitPath>[0]);
    if (at === undefined) return this.#root;
    const dir = this.directory(at.dir);
    const known = dir?.children?.get(at.name);
    if (dir === undefined || known?.children === undefined || known.base !== identity) return undefined;
    this.#places.set(known, { dir, name: at.name });
    return known;
  }

  #add(inode: Inode): void {
    if (inode.staged === undefined) return;
    this.staged.set(inode, inode.staged);
    if (inode.children !== undefined && inode.parent !== undefined) {
      this.#places.set(inode, { dir: inode.parent, name: inode.name });
    }
    (inode.children === undefined ? this.#files : this.#directories).set(identityOf(inode), inode);
  }
}
