/** The names that an override tree has something staged under, and whether the base has the same thing there. */
import type { BytePath, Name } from '../../sys/bytes.ts';
import { join, ROOT } from '../../sys/bytes.ts';
import type { Inode, Place } from '../inode.ts';
import { basePath, NATURAL, TOMBSTONE } from '../inode.ts';

export interface StagedName extends Place {
  readonly child: Inode;
}

/** All dentries of staged inodes, parents before children. */
export function* stagedDentries(root: Inode): Generator<StagedName> {
  const stack: Inode[] = [root];
  for (let dir = stack.pop(); dir !== undefined; dir = stack.pop()) {
    for (const [name, child] of dir.children ?? []) {
      if (child === TOMBSTONE || child.staged === undefined) continue;
      yield { dir, name, child };
      if (child.children !== undefined) stack.push(child);
    }
  }
}

/** The same with their paths in the view. */
export function* stagedPaths(root: Inode): Generator<StagedName & { readonly path: BytePath }> {
  const paths = new Map([[root, ROOT]]);
  for (const { dir, name, child } of stagedDentries(root)) {
    const path = join(paths.get(dir) ?? ROOT, name);
    if (child.children !== undefined) paths.set(child, path);
    yield { dir, name, child, path };
  }
}

/** Whether the name stands for what the base has under it in the directory's base entry, so that no rename was involved. */
export function isInPlace(dir: Inode, name: Name, child: Inode): boolean {
  if (dir.base === undefined) return false;
  if (child.base === NATURAL && child.parent === dir && child.name === name) return true;
  return basePath(child) === join(dir.base, name);
}
