/**
 * A tree that was told anew over the base of today (past/) takes what is in the base for what it was when its places were
 * first overridden. Where somebody else had changed a place before, and the tree overrides it still, that would hide the
 * conflict: such a place keeps what it was compared with.
 */
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath } from '../../sys/bytes.ts';
import { join, splitPath } from '../../sys/bytes.ts';
import { S_IFDIR } from '../../sys/stat.ts';
import { inodeAt } from './by-itself.ts';
import type { Conflict } from './conflict.ts';

/** Keeps conflicts of another tree, as `checkBase` found them, in the one that takes its place. */
export function keepConflicts(tree: OverrideTree, conflicts: readonly Conflict[]): void {
  for (const { path, original, was, print } of conflicts) {
    const file = inodeAt(tree, path);
    if (print !== undefined) {
      if (file?.staged !== undefined && file.type !== S_IFDIR) file.staged.fingerprint = print;
      continue;
    }
    const place = baseAt(tree, path) ?? original;
    if (tree.marks.get(place) === undefined) continue;
    tree.marks.drop(place);
    if (was !== undefined) tree.marks.put(place, was);
  }
}

/** The place of the base that a path of the view is over; an undo may have moved the directory. */
function baseAt(tree: OverrideTree, path: BytePath): BytePath | undefined {
  const at = splitPath(path);
  const dir = at === undefined ? undefined : inodeAt(tree, at.dir)?.base;
  return at === undefined || dir === undefined ? undefined : join(dir, at.name);
}
