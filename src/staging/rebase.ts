/**
 * The two ways a whole override tree ends while processes go on using the view: everything became the base's
 * (commit), or everything was given up (abort). Inodes the kernel knows live on in both.
 */
import type { BytePath } from '../sys/bytes.ts';
import { join } from '../sys/bytes.ts';
import type { BaseTree } from './base-tree.ts';
import type { Inode } from './inode.ts';
import { basePath, isNatural, NATURAL, TOMBSTONE } from './inode.ts';
import type { OverrideTree } from './override-tree.ts';
import { remember } from './resolver.ts';

/** Every inode in the tree is the base's own at its place in the view. */
export function becomeBase(tree: OverrideTree, base: BaseTree): void {
  settle(tree.root, '/' as BytePath, base);
  tree.clear();
}

function settle(dir: Inode, path: BytePath, base: BaseTree): boolean {
  dir.base = path;
  dir.staged = undefined;
  let known = false;
  for (const [name, child] of dir.children ?? []) {
    const keep = child !== TOMBSTONE && settleChild(dir, child, { path: join(path, name), name }, base);
    if (keep) known = true;
    else dir.children?.delete(name);
  }
  return known || dir.nodeId !== 0;
}

function settleChild(dir: Inode, child: Inode, at: { path: BytePath; name: Inode['name'] }, base: BaseTree): boolean {
  if (child.children !== undefined) {
    const keep = settle(child, at.path, base);
    if (keep && child.nodeId !== 0) refresh(child, base);
    return keep;
  }
  child.staged = undefined;
  child.base = child.parent === dir && child.name === at.name ? NATURAL : child.base;
  if (child.nodeId === 0) return false;
  refresh(child, base);
  return true;
}

/** The number and times the base gave it, so that the next lookup finds the same file. */
function refresh(inode: Inode, base: BaseTree): void {
  const path = basePath(inode);
  const stat = path === undefined ? undefined : base.statPath(path);
  if (stat !== undefined && typeof stat !== 'number') remember(inode, stat);
}

/** Overrides go; inodes that were merely known, or merely scaffolds, stay where the base has them. */
export function dropOverrides(tree: OverrideTree): void {
  salvage(tree.root);
  tree.clear();
}

function salvage(dir: Inode): void {
  for (const [name, child] of dir.children ?? []) {
    if (child === TOMBSTONE) {
      dir.children?.delete(name);
    } else if (child.staged !== undefined) {
      const scaffold = child.children !== undefined && isNatural(child) && child.nodeId !== 0;
      if (scaffold) salvage(child);
      else orphan(dir, child);
    }
  }
  dir.staged = undefined;
}

/** A process may still use it through a descriptor: it keeps its content, but it has no name any more. */
function orphan(dir: Inode, child: Inode): void {
  dir.children?.delete(child.name);
  if (child.base === NATURAL) child.base = basePath(child);
  child.parent = undefined;
}
