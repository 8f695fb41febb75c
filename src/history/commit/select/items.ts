/**
 * What can be selected: one item a name of the view that is overridden, and the indexes that its neighbours are found
 * by. Names that are merely passed through are items too, so that a directory may be selected as a whole.
 */
import type { Dentry, Inode } from '../../../staging/inode.ts';
import { basePath, TOMBSTONE } from '../../../staging/inode.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, ROOT } from '../../../sys/bytes.ts';
import { appendTo } from '../../../sys/grouped.ts';
import { S_IFDIR } from '../../../sys/stat.ts';
import type { Facts } from '../../diff/facts.ts';
import { isAtHome } from '../../diff/origins.ts';

/**
 * gone      deleted, or its base entry has moved away
 * born      made in the view
 * moved     its base entry is elsewhere in the base
 * link      a further name of a file that keeps one in the base
 * changed   in its place, with content or attributes of its own
 * passive   in its place, and nothing that anybody did on purpose
 */
export type ItemKind = 'gone' | 'born' | 'moved' | 'link' | 'changed' | 'passive';

export interface Item {
  readonly dir: Inode;
  readonly name: Name;
  readonly child: Dentry;
  /** In the view. */
  readonly path: BytePath;
  kind: ItemKind;
}

export class Items {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  /** Parents before children; the first is the root's own. */
  readonly all: Item[] = [];
  readonly root: Item;
  /** Base entries away from their place, by their path in the base. */
  readonly moved = new Map<BytePath, Item>();
  /** Directories in the tree, by their path in the base. */
  readonly directories = new Map<BytePath, Inode>();
  readonly #at = new Map<Inode, Map<Name, Item>>();
  readonly #directoryItems = new Map<Inode, Item>();
  readonly #names = new Map<Inode, Item[]>();

  constructor(tree: OverrideTree, facts: Facts) {
    this.tree = tree;
    this.facts = facts;
    const { root } = tree;
    const kind = (root.staged?.changed ?? 0) === 0 ? 'passive' : 'changed';
    this.root = { dir: root, name: '' as Name, child: root, path: ROOT, kind };
    this.all.push(this.root);
    this.#directoryItems.set(root, this.root);
    this.#collect(root, ROOT);
    for (const item of this.all) this.#noteMove(item);
  }

  /** The item of a name. */
  at(dir: Inode, name: Name): Item | undefined {
    return this.#at.get(dir)?.get(name);
  }

  /** The items in a directory. */
  in(dir: Inode): Iterable<Item> {
    return this.#at.get(dir)?.values() ?? [];
  }

  /** The item of a directory's own name. */
  ofDirectory(dir: Inode): Item | undefined {
    return this.#directoryItems.get(dir);
  }

  /** All names of a file. */
  namesOf(inode: Inode): readonly Item[] {
    return this.#names.get(inode) ?? [];
  }

  /** Where the base entry has moved that the base has under a name which is gone. */
  movedFrom({ dir, name, kind }: Item): Item | undefined {
    return kind === 'gone' && dir.base !== undefined ? this.moved.get(join(dir.base, name)) : undefined;
  }

  #collect(dir: Inode, path: BytePath): void {
    if (dir.base !== undefined) this.directories.set(dir.base, dir);
    const here = new Map<Name, Item>();
    for (const [name, child] of dir.children ?? []) {
      if (child !== TOMBSTONE && child.staged === undefined) continue;
      const item = { dir, name, child, path: join(path, name), kind: this.#kindOf(dir, name, child) };
      here.set(name, item);
      this.all.push(item);
      if (child === TOMBSTONE) continue;
      if (child.type !== S_IFDIR) appendTo(this.#names, child, item);
      else {
        this.#directoryItems.set(child, item);
        this.#collect(child, item.path);
      }
    }
    if (here.size > 0) this.#at.set(dir, here);
  }

  #kindOf(dir: Inode, name: Name, child: Dentry): ItemKind {
    if (child === TOMBSTONE) return 'gone';
    if (child.base === undefined) return 'born';
    if (!isAtHome({ dir, name }, child, this.facts)) return 'moved';
    const { changed = 0, object = 0, attributes = {} } = child.staged ?? {};
    // A time that a travel has brought back is one of a file that a commit would set.
    const hasTime = child.type !== S_IFDIR && attributes.mtime !== undefined;
    return changed === 0 && object === 0 && !hasTime ? 'passive' : 'changed';
  }

  #noteMove(item: Item): void {
    if (item.kind !== 'moved' || item.child === TOMBSTONE) return;
    if (this.namesOf(item.child).some(({ kind }) => kind === 'changed' || kind === 'passive')) item.kind = 'link';
    const path = item.kind === 'moved' ? basePath(item.child) : undefined;
    if (path !== undefined && !this.moved.has(path)) this.moved.set(path, item);
  }
}

/** Whether nothing is at the base's own place. */
export function isElsewhere({ kind }: Item): boolean {
  return kind === 'born' || kind === 'moved' || kind === 'link';
}
