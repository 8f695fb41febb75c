/** What the live tree overrides before another tree is shown in its place, to be found by identity. */
import type { Name } from '../../sys/bytes.ts';
import { splitPath } from '../../sys/bytes.ts';
import type { Dentry, Inode, Staged } from '../inode.ts';
import { NATURAL, TOMBSTONE } from '../inode.ts';
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
  /** Files but those at their own places, which are found there: a string for each of them is half of a survey's time. */
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
        this.#add(child, isAtHome(child, dir, name));
        if (child.children !== undefined) stack.push(child);
      }
      this.overrides.set(dir, meanings);
    }
    // Files of the base with several names may have lost those that the tree knew.
    for (const inode of tree.linked.values()) this.#add(inode);
  }

  /** The staged file with the identity of `source`, whose directory is `dir` in this tree, if it is there. */
  file(source: Inode, dir: Inode | undefined): Inode | undefined {
    const own = source.base === NATURAL ? homeOf(dir, source.name) : undefined;
    if (own !== undefined || (source.base === NATURAL && this.#files.size === 0)) return own;
    const identity = identityOf(source);
    const away = this.#files.get(identity);
    if (away !== undefined || source.base === NATURAL || source.base === undefined) return away;
    const at = splitPath(source.base);
    return at && homeOf(this.#directories.get(at.dir), at.name);
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

  #add(inode: Inode, isHome = false): void {
    if (inode.staged === undefined) return;
    this.staged.set(inode, inode.staged);
    if (isHome && inode.children === undefined) return;
    if (inode.children !== undefined && inode.parent !== undefined) {
      this.#places.set(inode, { dir: inode.parent, name: inode.name });
    }
    (inode.children === undefined ? this.#files : this.#directories).set(identityOf(inode), inode);
  }
}

/** Whether a file is where the base has it, and this is the name that tells so. */
function isAtHome(file: Inode, dir: Inode, name: Name): boolean {
  return file.base === NATURAL && dir.base !== undefined && file.parent === dir && file.name === name;
}

/** The file that the base has at a name, if the tree shows it there. */
function homeOf(dir: Inode | undefined, name: Name): Inode | undefined {
  const known = dir?.children?.get(name);
  return dir && known && known.children === undefined && isAtHome(known, dir, name) ? known : undefined;
}
