/**
 * Which items make which others necessary, so that a selection is a state that the base can be in:
 *
 *     a name in a directory that was born or has moved     the directory's own name
 *     a name that hides an entry of the base               the name that the entry has now, or, below a directory
 *                                                          that goes, those of all that moved out of it
 *     a moved base entry                                   what has its old name now
 *     a directory in the place of another                  names in it that the other has, too: they would be gone
 *     a file with several names                            all of them, and the names it lost
 */
import type { Inode } from '../../../staging/inode.ts';
import { basePath, TOMBSTONE } from '../../../staging/inode.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { isWithin, join, splitPath } from '../../../sys/bytes.ts';
import { appendTo } from '../../../sys/grouped.ts';
import { isDirectory } from '../../../sys/stat.ts';
import type { Item, Items } from './items.ts';
import { isElsewhere } from './items.ts';

export class Needs {
  readonly #items: Items;
  /** Base paths of what moved, sorted: what lies below a directory is one stretch. */
  readonly #movedPaths: readonly BytePath[];
  /** Files with several names in the base: the items that take one of these away, by `dev:ino`; and the other way round. */
  readonly #lost = new Map<string, Item[]>();
  readonly #keysLost = new Map<Item, string[]>();
  readonly #keys = new Map<Inode, string>();
  /** By the items that hide the place which such a file is known by: those files, if they have not moved. */
  readonly #homeless = new Map<Item, Inode[]>();
  readonly #hiders = new Map<Inode, Item>();

  constructor(items: Items) {
    this.#items = items;
    this.#movedPaths = [...items.moved.keys()].sort();
    for (const [key, inode] of items.tree.linked) if (inode.staged !== undefined) this.#keys.set(inode, key);
    if (this.#keys.size > 0) for (const item of items.all) this.#noteLost(item);
    for (const inode of this.#keys.keys()) this.#noteHomeless(inode);
  }

  /** The items that are needed for `item`, those that they need not included. */
  of(item: Item): Item[] {
    const { child } = item;
    const found = [...this.#around(item), ...this.whereabouts(item), ...this.#inPlaceOf(item)];
    if (child !== TOMBSTONE && item.kind === 'moved') found.push(...this.#successor(child));
    if (child !== TOMBSTONE) {
      const hider = this.#hiders.get(child);
      found.push(...this.#together(item, child, this.#keys.get(child)));
      if (hider !== undefined) found.push(hider);
    }
    for (const inode of this.#homeless.get(item) ?? []) found.push(...this.#items.namesOf(inode).slice(0, 1));
    for (const key of this.#keysLost.get(item) ?? [])
      found.push(...this.#together(item, this.#items.tree.linked.get(key), key));
    return found.filter((other) => other !== item);
  }

  /** All names of a file, and those it lost, go together: each needs the first of them, and that one all the others. */
  #together(item: Item, inode: Inode | undefined, key: string | undefined): readonly Item[] {
    const names = inode === undefined ? [] : this.#items.namesOf(inode);
    const lost = key === undefined ? undefined : this.#lost.get(key);
    const first = lost?.[0] ?? names[0];
    if (first === undefined) return [];
    return first === item ? [...(lost ?? []), ...names] : [first];
  }

  /** Everything that `chosen` needs, `chosen` included. */
  closure(chosen: Iterable<Item>): Set<Item> {
    return spread(chosen, (item) => this.of(item));
  }

  /** Everything that needs any of `chosen`, `chosen` included. */
  dependants(chosen: Iterable<Item>): Set<Item> {
    const needing = new Map<Item, Item[]>();
    for (const item of this.#items.all) {
      for (const needed of this.of(item)) appendTo(needing, needed, item);
    }
    return spread(chosen, (item) => needing.get(item) ?? []);
  }

  /** The item by which the view hides a path of the base; undefined: it shows it, moved or not. */
  hiding(path: BytePath): Item | undefined {
    const names = [];
    let at = this.#items.directories.get(path);
    let base = path;
    while (at === undefined) {
      const split = splitPath(base);
      if (split === undefined) return undefined;
      names.unshift(split.name);
      base = split.dir;
      at = this.#items.directories.get(base);
    }
    const [name] = names;
    const item = name === undefined ? undefined : this.#items.at(at, name);
    return item !== undefined && (item.kind === 'gone' || isElsewhere(item)) ? item : undefined;
  }

  /** Where what the item hides, or what has left it before, is now. */
  whereabouts(item: Item): Item[] {
    const path = hiddenPath(item);
    if (path === undefined) return [];
    const moved = this.#items.moved.get(path);
    if (moved !== undefined) return [moved];
    return this.#movedPaths.length === 0 ? [] : this.#movedFrom(path);
  }

  /** The items that take a place of the base: which leave it, hide it, or change what is there. None: it is as it was. */
  taking(path: BytePath): Item[] {
    const split = splitPath(path);
    const dir = split === undefined ? undefined : this.#items.directories.get(split.dir);
    const here = dir === undefined || split === undefined ? undefined : this.#items.at(dir, split.name);
    return [this.#items.moved.get(path), this.hiding(path), here].filter((item) => item !== undefined);
  }

  #around({ dir }: Item): Item[] {
    for (let at: Inode | undefined = dir; at !== undefined; at = at.parent) {
      const item = this.#items.ofDirectory(at);
      if (item !== undefined && isElsewhere(item)) return [item];
    }
    return [];
  }

  #inPlaceOf(item: Item): Item[] {
    const path = item.child !== TOMBSTONE && item.child.children !== undefined ? hiddenPath(item) : undefined;
    return path === undefined || item.child === TOMBSTONE ? [] : [...this.#sharing(item.child, path)];
  }

  /** Items in a directory of the view whose names the directory at a path of the base has, too. */
  *#sharing(dir: Inode, path: BytePath): Generator<Item> {
    const here = [...this.#items.in(dir)];
    if (here.length === 0 || !isDirectory(this.#items.facts.of(path)?.mode ?? 0)) return;
    for (const item of here) {
      const below = join(path, item.name);
      if (this.#items.facts.of(below) === undefined) continue;
      yield item;
      if (item.child !== TOMBSTONE) yield* this.#sharing(item.child, below);
    }
  }

  #movedFrom(path: BytePath): Item[] {
    const found: Item[] = [];
    for (let i = lowerBound(this.#movedPaths, `${path}/`); i < this.#movedPaths.length; i++) {
      const below = this.#movedPaths[i] as BytePath;
      if (!isWithin(below, path)) break;
      const item = this.#items.moved.get(below);
      if (item !== undefined) found.push(item);
    }
    return found;
  }

  /** What has the old name of a moved base entry, if anything has. */
  #successor(child: Inode): Item[] {
    const split = splitPath(basePath(child) ?? ('/' as BytePath));
    const dir = split === undefined ? undefined : this.#items.directories.get(split.dir);
    const item = dir === undefined || split === undefined ? undefined : this.#items.at(dir, split.name);
    return item === undefined || item.kind === 'gone' ? [] : [item];
  }

  #noteHomeless(inode: Inode): void {
    const path = basePath(inode);
    const item = path === undefined || this.#items.moved.has(path) ? undefined : this.hiding(path);
    if (item === undefined) return;
    this.#hiders.set(inode, item);
    appendTo(this.#homeless, item, inode);
  }

  #noteLost(item: Item): void {
    const path = hiddenPath(item);
    const keys = path === undefined ? [] : [...new Set(this.#keysAt(path))];
    if (keys.length > 0) this.#keysLost.set(item, keys);
    for (const key of keys) appendTo(this.#lost, key, item);
  }

  /** Which overridden files with several names have one at a path of the base, or below it. */
  *#keysAt(path: BytePath): Generator<string> {
    const { facts, tree, moved } = this.#items;
    const stat = facts.of(path);
    if (stat === undefined) return;
    const key = `${stat.dev}:${stat.ino}`;
    if (!isDirectory(stat.mode)) {
      if (stat.nlink > 1 && tree.linked.get(key)?.staged !== undefined) yield key;
      // What is in one that has moved has moved along.
    } else if (!moved.has(path)) for (const { name } of facts.list(path) ?? []) yield* this.#keysAt(join(path, name));
  }
}

/** The path of the base that an item takes away or covers. */
function hiddenPath(item: Item): BytePath | undefined {
  const { base } = item.dir;
  return base === undefined || !(item.kind === 'gone' || isElsewhere(item)) ? undefined : join(base, item.name);
}

function spread(chosen: Iterable<Item>, next: (item: Item) => Iterable<Item>): Set<Item> {
  const all = new Set(chosen);
  // A set is walked in the order of insertion, what is added on the way included.
  for (const item of all) for (const other of next(item)) all.add(other);
  return all;
}

function lowerBound(sorted: readonly string[], wanted: string): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
