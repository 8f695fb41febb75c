/**
 * The net difference between the view and the base: what `status` lists and `diff` shows. A generator, sorted by
 * the bytes of the path, one entry a path; its cost follows what is staged, and what the base has below deleted
 * or replaced directories.
 *
 * It is the difference of two states (states/changes.ts), of which the earlier one is the base, an empty tree. Each path is
 * looked at from both sides:
 *
 *     view: an inode of the override tree | carried along in a moved directory | nothing
 *     base: an entry                      | nothing
 *
 * A base entry that the view shows nowhere any more is deleted. One that it shows elsewhere is renamed there (added, if
 * it has its old name, too), and nothing is said at the path it left. What came along in a moved directory has an entry
 * of its own only if it differs itself. What was made and deleted again leaves nothing to say. A deletion in a moved
 * directory is listed where the base has the file: that is the path that goes.
 *
 * Bytes are compared where sizes are equal. Times count only where somebody set them (`Staged.changed`). Of a changed
 * file with hard links those are listed that lie in directories with changes (states/link-names.ts).
 */
import type { BaseTree } from '../staging/base-tree.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import { OverrideTree } from '../staging/override-tree.ts';
import type { PathChange } from './compare/path-change.ts';
import { stateChanges } from './states/changes.ts';

export type { ChangeKind, FileType, PathChange, Side } from './compare/path-change.ts';

export interface ChangesOptions {
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  /** Also list everything in a moved directory, as renamed; for a diff, which only knows files. */
  readonly expand?: boolean;
}

/** Yields the net changes. Throws SystemError when the base cannot be read. */
export function netChanges(options: ChangesOptions): Generator<PathChange, void, undefined> {
  const { tree, ...others } = options;
  return stateChanges({ ...others, before: new OverrideTree(), after: tree });
}

/** How many net changes there are, or at least `most`: there it stops counting. */
export function countChanges(options: ChangesOptions, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (const _ of netChanges(options)) {
    count += 1;
    if (count >= most) break;
  }
  return count;
}
