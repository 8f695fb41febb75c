/** The content that a state of the past names: whether the store still has it, and when it was written. */
import { sharedTime, withAttributes } from '../../staging/compact.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { stagedPaths } from '../../staging/staged-names.ts';
import { label } from '../../sys/bytes.ts';
import { decodeStatx, STATX_SIZE } from '../../sys/stat.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Facts } from '../diff/facts.ts';
import { WHERE_TO_GO } from '../timeline/destination.ts';

/**
 * What a commit gave to the base is copied back into the store, unless there was no room for that. A file that goes by the
 * time of its content is told that time: it may have been born in the view now, and such files have times of their own.
 * Throws a UserError when something is not kept.
 */
export function finaliseContent(tree: OverrideTree, { store }: Facts): void {
  const statx = Buffer.alloc(STATX_SIZE);
  for (const { child, path } of stagedPaths(tree.root)) {
    const { staged } = child;
    if (staged === undefined || staged.object === 0) continue;
    if (store.statInto(staged.object, statx) < 0)
      throw new UserError(`the content that ${label(path)} had then is no longer kept`, WHERE_TO_GO);
    if (staged.attributes.mtime !== undefined) continue;
    const { mtimeSec, mtimeNsec } = decodeStatx(statx);
    staged.attributes = withAttributes(staged.attributes, { mtime: sharedTime(mtimeSec, mtimeNsec) });
  }
}
