/**
 * A part of what is staged, chosen by paths: as a tree of its own that can be planned and committed like any other, or
 * as the tree that remains when it is given up.
 */
import { basePath } from '../../../staging/inode.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { Committed } from '../../../staging/switch/rebase-part.ts';
import { rebasePart } from '../../../staging/switch/rebase-part.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { splitPath } from '../../../sys/bytes.ts';
import { PathMap } from '../../../sys/path-map.ts';
import type { Facts } from '../../diff/facts.ts';
import type { OwnChanges } from '../conflict/own-changes.ts';
import type { Item } from './items.ts';
import { Items } from './items.ts';
import { leftStamps } from './left-stamps.ts';
import { Needs } from './needs.ts';
import { pick } from './pick.ts';
import type { Pruned } from './prune.ts';
import { prune } from './prune.ts';

export interface SelectOptions {
  readonly tree: OverrideTree;
  readonly facts: Facts;
  /** In the view; what is at them and below is chosen. */
  readonly paths: readonly BytePath[];
  /** What we have touched ourselves. */
  readonly ownChanges?: OwnChanges;
}

/** What a commit of a selection needs. Good as long as the tree does not change. */
export interface CommitSelection {
  /** The selection alone. */
  readonly tree: OverrideTree;
  readonly committed: Committed;
  /** Paths in the view that nobody named and that come along, sorted. */
  readonly along: readonly BytePath[];
  /** What stays staged over the base as it is after the commit; to be called then. */
  rest(): OverrideTree;
}

/** Selects what a commit takes. Throws a UserError for a path at which nothing is staged. */
export function selectForCommit({ tree, facts, paths, ownChanges }: SelectOptions): CommitSelection {
  const items = new Items(tree, facts);
  const needs = new Needs(items);
  const picked = pick(paths, items, needs);
  const keep = needs.closure(picked);
  const pruned = prune({ items, needs, keep, times: 'all' });
  const committed = committedBy({ items, needs, keep, pruned, facts, ownChanges });
  const rest = (): OverrideTree => {
    const copy = prune({ items, needs, keep: new Set(items.all), times: 'always' }).tree;
    rebasePart(copy, committed, { base: facts.base });
    return copy;
  };
  return { tree: pruned.tree, committed, along: along({ items, paths, all: keep }), rest };
}

/** The whole tree once more. */
export function copyTree(tree: OverrideTree, facts: Facts): OverrideTree {
  const items = new Items(tree, facts);
  return prune({ items, needs: new Needs(items), keep: new Set(items.all), times: 'always' }).tree;
}

/** The tree without what an abort gives up, and what is given up although nobody named it. Throws as `selectForCommit`. */
export function selectForAbort(options: SelectOptions): { tree: OverrideTree; along: readonly BytePath[] } {
  const { tree, facts, paths } = options;
  const items = new Items(tree, facts);
  const needs = new Needs(items);
  const picked = pick(paths, items, needs);
  // A name that was left behind stands for the one that was taken instead.
  const dropped = needs.dependants([...picked].flatMap((item) => [item, ...needs.whereabouts(item)]));
  const keep = new Set(items.all.filter((item) => !dropped.has(item)));
  return { tree: prune({ items, needs, keep, times: 'any' }).tree, along: along({ items, paths, all: dropped }) };
}

/** What is taken away from a place that it has moved from is told by where it is now. */
function along(told: { items: Items; paths: readonly BytePath[]; all: ReadonlySet<Item> }): BytePath[] {
  const { items, paths, all } = told;
  const named = new PathMap<true>();
  for (const path of paths) named.set(path, true);
  const found: BytePath[] = [];
  for (const item of all) {
    if (item.kind === 'passive' || items.movedFrom(item) !== undefined) continue;
    if (named.above(item.path).next().done) found.push(item.path);
  }
  return found.sort();
}

interface Chosen {
  readonly items: Items;
  readonly needs: Needs;
  readonly keep: ReadonlySet<Item>;
  readonly pruned: Pruned;
  readonly facts: Facts;
  readonly ownChanges: OwnChanges | undefined;
}

function committedBy({ items, needs, keep, pruned, facts, ownChanges }: Chosen): Committed {
  const names = new Set<BytePath>();
  const moved = new Map<BytePath, BytePath>();
  for (const { path } of keep) names.add(path);
  for (const [from, item] of items.moved) {
    if (!keep.has(item)) continue;
    moved.set(from, item.path);
    const vacated = vacatedBy(items, from);
    if (vacated !== undefined) names.add(vacated.path);
  }
  const timed = new Set([...pruned.timed].flatMap((dir) => items.ofDirectory(dir)?.path ?? []));
  const unseen = [...pruned.tree.linked.values()].flatMap((inode) => (inode.parent ? [] : (basePath(inode) ?? [])));
  const places = [...items.tree.stamps.entries()].flatMap(([path]) => {
    const taking = needs.taking(path);
    return taking.length === 0 || taking.some((item) => keep.has(item)) ? [path] : [];
  });
  const stamps = new Set([...places, ...unseen]);
  const left = leftStamps({ tree: items.tree, facts, moved, ownChanges });
  return { names, timed, moved, stamps, left };
}

/** The name that a base entry left behind, in a directory that is still there. */
function vacatedBy(items: Items, from: BytePath): Item | undefined {
  const split = splitPath(from);
  const dir = split === undefined ? undefined : items.directories.get(split.dir);
  const item = dir === undefined || split === undefined ? undefined : items.at(dir, split.name);
  return item?.kind === 'gone' ? item : undefined;
}
