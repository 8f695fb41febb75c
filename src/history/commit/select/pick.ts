/** From paths that a person names to items: what is at a path or below it, in the view or, for its old side, in the base. */
import type { Inode } from '../../../staging/inode.ts';
import { basePath, NATURAL, TOMBSTONE } from '../../../staging/inode.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { components, isWithin, join, label } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import { differenceInTime } from '../../diff/differences.ts';
import { changedOf, nodeOf } from '../../diff/node.ts';
import type { Item, Items } from './items.ts';
import { isElsewhere } from './items.ts';
import type { Needs } from './needs.ts';

/** The items that paths of the view name. Throws a UserError for one that names nothing staged. */
export function pick(paths: readonly BytePath[], items: Items, needs: Needs): Set<Item> {
  const picked = new Set<Item>();
  for (const path of paths) {
    const found = new Picker(items, needs).at(path);
    if (!found.some(({ kind }) => kind !== 'passive')) throw nothing(path, items);
    for (const item of found) picked.add(item);
  }
  return picked;
}

class Picker {
  readonly #items: Items;
  readonly #needs: Needs;

  constructor(items: Items, needs: Needs) {
    this.#items = items;
    this.#needs = needs;
  }

  at(path: BytePath): Item[] {
    return [...this.#inView(path), ...this.#inBase(path)];
  }

  /** Follows the view's names; what came along in a directory that moved is that move. */
  #inView(path: BytePath): Item[] {
    let at = this.#items.root;
    let carrier: Item | undefined;
    const names = components(path);
    for (const [i, name] of names.entries()) {
      const dir = at.child;
      const item = dir === TOMBSTONE ? undefined : this.#items.at(dir, name);
      if (item === undefined) return this.#along(dir, names.slice(i), carrier);
      if (isElsewhere(item)) carrier = item;
      at = item;
    }
    const found = [...this.#below(at)];
    if (carrier !== undefined && found.every((each) => this.#isUnchanged(each))) found.push(carrier);
    return found;
  }

  /** Nothing was done to it, or what was done the base has by now. */
  #isUnchanged({ kind, child }: Item): boolean {
    if (kind !== 'changed' || child === TOMBSTONE) return kind === 'passive';
    const path = basePath(child);
    if (path === undefined) return false;
    const { facts } = this.#items;
    const base = { inode: undefined, origin: path, type: child.type, stat: facts.of(path) };
    if (base.stat === undefined) return changedOf(nodeOf(child)) === 0 && (child.staged?.object ?? 0) === 0;
    return differenceInTime(base, nodeOf(child), facts) === undefined;
  }

  /** A path without an item, in directory `dir` of the view. */
  #along(dir: Inode | typeof TOMBSTONE, names: readonly Name[], carrier: Item | undefined): Item[] {
    if (dir === TOMBSTONE || dir.children === undefined) return [];
    const { base } = dir;
    if (base === undefined || base === NATURAL) return [];
    const path = names.reduce(join, base);
    const stat = this.#items.facts.of(path);
    if (stat === undefined) return [];
    const linked = this.#items.tree.linked.get(`${stat.dev}:${stat.ino}`);
    const { object = 0, changed = 0 } = linked?.staged ?? {};
    if (carrier !== undefined && object === 0 && changed === 0) return [carrier];
    return linked?.staged === undefined ? [] : this.#ofLinked(linked);
  }

  /** A base name that nobody has looked at, of a file that was changed through another. */
  #ofLinked(inode: Inode): Item[] {
    const names = this.#items.namesOf(inode);
    if (names.length > 0) return [...names];
    const hiding = inode.base === undefined ? undefined : this.#needs.hiding(inode.base);
    return hiding === undefined ? [] : [hiding];
  }

  *#below(item: Item): Generator<Item> {
    yield item;
    if (item.child === TOMBSTONE || item.child.children === undefined) return;
    for (const each of this.#items.in(item.child)) yield* this.#below(each);
  }

  /** What the base has at the path: deleted with a directory around it, moved away, or deleted where that moved to. */
  #inBase(path: BytePath): Item[] {
    if (this.#items.facts.of(path) === undefined) return [];
    const found = [...this.#items.moved].filter(([from]) => isWithin(from, path)).map(([, item]) => item);
    const hiding = this.#needs.hiding(path);
    if (hiding !== undefined && this.#items.movedFrom(hiding) === undefined) found.push(hiding);
    const around = this.#movedAround(path);
    if (around !== undefined) found.push(...this.#goneIn(around.item, around.below));
    return found.length > 0 || around === undefined ? found : [around.item];
  }

  /** The deepest directory around a path of the base, or what is at it, that has moved; and the names from there on. */
  #movedAround(path: BytePath): { item: Item; below: readonly Name[] } | undefined {
    const names = components(path);
    for (let depth = names.length; depth > 0; depth--) {
      const item = this.#items.moved.get(`/${names.slice(0, depth).join('/')}` as BytePath);
      if (item !== undefined) return { item, below: names.slice(depth) };
    }
    return undefined;
  }

  /** Names that are gone at or below a place in a directory that moved: they are known by where the base has them. */
  #goneIn(moved: Item, names: readonly Name[]): Item[] {
    let at = moved;
    for (const name of names) {
      const item = at.child === TOMBSTONE ? undefined : this.#items.at(at.child, name);
      if (item === undefined || isElsewhere(item)) return [];
      at = item;
    }
    return [...this.#below(at)].filter(({ kind }) => kind === 'gone');
  }
}

function nothing(path: BytePath, items: Items): UserError {
  const known = items.facts.of(path) !== undefined;
  if (known) return new UserError(`${label(path)}: nothing is staged there`, "'yolofs status' lists what is");
  return new UserError(`${label(path)}: no such file or directory`, "'yolofs status' lists what is staged");
}
