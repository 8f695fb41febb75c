/**
 * A tree that was told anew over the base of today (past/) takes what is in the base for what it was when its places were
 * first overridden. Where somebody else had changed a place before, and the tree overrides it still, that would hide the
 * conflict: such a place keeps what it was compared with. Of a file with several names that the base has no more as one,
 * the tree may know another name as its own, or each as a file: every place is looked at for itself.
 */
import { basePath } from '../../../staging/inode.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { join, splitPath } from '../../../sys/bytes.ts';
import { S_IFDIR } from '../../../sys/stat.ts';
import { inodeAt } from './by-itself.ts';
import type { Conflict } from './conflict.ts';

/** No file has it. */
const NEVER = { sec: 0, nsec: 0 };

/** Keeps conflicts of another tree, as `checkBase` found them, in the one that takes its place. */
export function keepConflicts(tree: OverrideTree, conflicts: readonly Conflict[]): void {
  for (const conflict of conflicts) {
    const place = baseAt(tree, conflict.path) ?? conflict.original;
    if (tree.stamps.get(place) === undefined) keepPrint(tree, conflict, place);
    else keepStamp(tree, conflict, place);
  }
}

function keepStamp({ stamps }: OverrideTree, { was }: Conflict, place: BytePath): void {
  stamps.drop(place);
  if (was !== undefined) stamps.put(place, was);
}

function keepPrint(tree: OverrideTree, { path, print, was }: Conflict, place: BytePath): void {
  const file = inodeAt(tree, path);
  if (file?.staged === undefined || file.type === S_IFDIR) return;
  const { fingerprint } = file.staged;
  if (print !== undefined) file.staged.fingerprint = print;
  // It was over nothing there: of what has appeared since it has seen nothing.
  else if (was === undefined && fingerprint !== undefined && basePath(file) === place)
    file.staged.fingerprint = { ...fingerprint, mtime: NEVER, ctime: NEVER };
}

/** The place of the base that a path of the view is over; an undo may have moved the directory. */
function baseAt(tree: OverrideTree, path: BytePath): BytePath | undefined {
  const at = splitPath(path);
  const dir = at === undefined ? undefined : inodeAt(tree, at.dir)?.base;
  return at === undefined || dir === undefined ? undefined : join(dir, at.name);
}
