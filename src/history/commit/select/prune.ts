/** The tree that has some of the overrides of another and for the rest shows the base. */
import { basePath, CHANGED_TIMES, Inode, newStaged, type Staged, TOMBSTONE } from '../../../staging/inode.ts';
import { giveName, giveOwnName } from '../../../staging/names/hard-links.ts';
import { isInPlace } from '../../../staging/names/staged-names.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath, Ino, Name } from '../../../sys/bytes.ts';
import { components, splitPath } from '../../../sys/bytes.ts';
import { S_IFDIR } from '../../../sys/stat.ts';
import type { Item, Items } from './items.ts';
import { isElsewhere } from './items.ts';
import type { Needs } from './needs.ts';

export interface Pruned {
  readonly tree: OverrideTree;
  /** Directories whose times came along. */
  readonly timed: ReadonlySet<Inode>;
}

export interface PruneOptions {
  readonly items: Items;
  readonly needs: Needs;
  /** Closed: with each item all that it needs. */
  readonly keep: ReadonlySet<Item>;
  /**
   * When a directory's times, changed by what was done in it, come along: when `all` that was done in it does, when
   * `any` does, or `always`: then everything is kept, and the new tree is a copy.
   */
  readonly times: 'all' | 'any' | 'always';
}

export function prune(options: PruneOptions): Pruned {
  return new Pruner(options).prune();
}

class Pruner {
  readonly #options: PruneOptions;
  readonly #tree = new OverrideTree();
  readonly #twins = new Map<Inode, Inode>();
  readonly #timed = new Set<Inode>();

  constructor(options: PruneOptions) {
    this.#options = options;
    this.#twins.set(options.items.tree.root, this.#tree.root);
  }

  prune(): Pruned {
    const { items, keep } = this.#options;
    for (const item of items.all) if (keep.has(item)) this.#place(item);
    this.#directoryAttributes();
    for (const [path, item] of items.moved) if (keep.has(item)) this.#vacate(path);
    for (const inode of items.tree.linked.values()) this.#unseen(inode);
    this.#stamps();
    return { tree: this.#tree, timed: this.#timed };
  }

  #place(item: Item): void {
    const { child, name } = item;
    if (item === this.#options.items.root) return;
    if (child !== TOMBSTONE && child.type === S_IFDIR && !isElsewhere(item)) {
      if (item.kind === 'changed' || this.#options.times === 'always') this.#twinOf(child);
      return;
    }
    const dir = this.#twinOf(item.dir);
    if (child === TOMBSTONE) dir.children?.set(name, TOMBSTONE);
    else this.#name(this.#copy(child), { dir, name, isOwn: child.parent === item.dir && child.name === name });
  }

  #name(twin: Inode, at: { dir: Inode; name: Name; isOwn: boolean }): void {
    if (at.isOwn) giveOwnName(twin, at);
    else giveName(twin, at);
  }

  #copy(inode: Inode): Inode {
    const known = this.#twins.get(inode);
    if (known !== undefined) return known;
    const twin = new Inode(inode.type, inode.ino, inode.base);
    this.#twins.set(inode, twin);
    const { staged } = inode;
    const id = this.#tree.nextId++;
    twin.staged = staged === undefined || inode.type === S_IFDIR ? newStaged(id) : copyStaged(staged, id);
    twin.staged.opaque = staged?.opaque === true;
    const print = twin.staged.fingerprint;
    if (print !== undefined && print.nlink > 1) this.#tree.linked.set(`${print.dev}:${print.ino}`, twin);
    return twin;
  }

  /** The directory's counterpart: where the view has it, which is where the base has it unless its item is kept, too. */
  #twinOf(dir: Inode): Inode {
    const known = this.#twins.get(dir);
    if (known !== undefined) return known;
    const parent = this.#twinOf(dir.parent ?? this.#options.items.tree.root);
    const twin = this.#scaffold(parent, dir.name, dir.ino);
    this.#twins.set(dir, twin);
    return twin;
  }

  #scaffold(dir: Inode, name: Name, ino: Ino): Inode {
    const known = dir.children?.get(name);
    if (known) return known;
    const made = this.#tree.scaffold({ dir, name }, S_IFDIR, ino);
    made.staged = newStaged(this.#tree.nextId++);
    return made;
  }

  #directoryAttributes(): void {
    const { items, keep, times } = this.#options;
    for (const [dir, twin] of this.#twins) {
      const { staged } = dir;
      const item = items.ofDirectory(dir);
      if (staged === undefined || item === undefined || twin.staged === undefined || dir.type !== S_IFDIR) continue;
      const all = [...items.in(dir)].filter(({ kind }) => kind !== 'passive');
      const kept = all.filter((each) => keep.has(each));
      const isBorn = dir.base === undefined;
      const onPurpose = keep.has(item) && (staged.changed & CHANGED_TIMES) !== 0;
      const along = times === 'all' ? kept.length === all.length : kept.length > 0;
      const timed = isBorn || onPurpose || along || times === 'always';
      if (timed) this.#timed.add(dir);
      copyAttributes(staged, twin.staged, { own: keep.has(item), timed });
    }
  }

  /** A kept base entry is not at its old place any more. */
  #vacate(path: BytePath): void {
    const split = splitPath(path);
    const dir = split === undefined ? undefined : this.#directoryOfBase(split.dir);
    if (split === undefined || dir?.children === undefined || dir.children.has(split.name)) return;
    dir.children.set(split.name, TOMBSTONE);
  }

  /** Where the new tree shows a directory of the base; undefined when it hides it. */
  #directoryOfBase(path: BytePath): Inode | undefined {
    const { items, keep } = this.#options;
    let at = this.#tree.root;
    let below = components(path);
    for (let depth = below.length; depth > 0; depth--) {
      const item = items.moved.get(`/${below.slice(0, depth).join('/')}` as BytePath);
      const twin = item === undefined || !keep.has(item) || !item.child ? undefined : this.#twins.get(item.child);
      if (twin === undefined) continue;
      at = twin;
      below = below.slice(depth);
      break;
    }
    for (const name of below) {
      const child = at.children?.get(name);
      if (child === TOMBSTONE || (child !== undefined && !isInPlace(at, name, child))) return undefined;
      at = child ?? this.#scaffold(at, name, 0 as Ino);
    }
    return at;
  }

  /** A file that was changed through a name which then went goes with that. */
  #unseen(inode: Inode): void {
    const { items, needs, keep, times } = this.#options;
    const path = basePath(inode);
    if (inode.staged === undefined || path === undefined || items.namesOf(inode).length > 0) return;
    const hiding = needs.hiding(path);
    if (times === 'always' || (hiding !== undefined && keep.has(hiding))) this.#copy(inode);
  }

  /** What the base had at places that are still taken. */
  #stamps(): void {
    const { items, keep, needs, times } = this.#options;
    for (const [path, stamp] of items.tree.stamps.entries()) {
      const isKept = needs.taking(path).some((item) => keep.has(item));
      if (isKept || times === 'always') this.#tree.stamps.put(path, stamp);
    }
  }
}

function copyStaged(staged: Staged, id: number): Staged {
  const xattrs = staged.xattrs === undefined ? undefined : new Map(staged.xattrs);
  return { ...staged, id, xattrs };
}

function copyAttributes(from: Staged, to: Staged, what: { own: boolean; timed: boolean }): void {
  const { atime, mtime, ctime, ...own } = from.attributes;
  if (what.own) {
    to.attributes = { ...to.attributes, ...own };
    to.changed = from.changed;
    to.xattrs = from.xattrs === undefined ? undefined : new Map(from.xattrs);
  }
  if (!what.timed) to.changed &= ~CHANGED_TIMES;
  else to.attributes = { ...to.attributes, ...(atime && { atime }), ...(mtime && { mtime }), ...(ctime && { ctime }) };
}
