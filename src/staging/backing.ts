/** Where the content of an inode comes from, as records and comparisons tell it, and whether it is still there. */
import type { Errno } from '../sys/errno.ts';
import type { Stat } from '../sys/stat.ts';
import { S_IFLNK } from '../sys/stat.ts';
import type { Inode } from './inode.ts';
import { basePath, TOMBSTONE } from './inode.ts';
import type { Backing } from './recorder.ts';

/** What an inode's content is now. */
export function backingOf(inode: Inode): Backing {
  const path = basePath(inode);
  const staged = inode.staged;
  if (staged !== undefined && staged.object !== 0) return { kind: 'object', object: staged.object, path };
  if (path !== undefined) return { kind: 'base', type: inode.type, path };
  if (inode.type === S_IFLNK) return { kind: 'symlink', target: staged?.target ?? '' };
  return { kind: 'other', type: inode.type };
}

/** Whether there is something to show of an inode whose base entry is gone. */
export function outlivesBase({ staged, children }: Inode): boolean {
  if (staged === undefined) return false;
  if (children === undefined) return staged.object !== 0;
  return [...children.values()].some((child) => child !== TOMBSTONE && child.staged !== undefined);
}

/** Whether a name is staged that has nothing to show: without content of its own, and its base entry is gone. It counts as no name. */
export function isLost(inode: Inode, core: { statOf(inode: Inode): Stat | Errno }): boolean {
  const mayBe = inode.base !== undefined && inode.staged?.object === 0;
  return mayBe && typeof core.statOf(inode) === 'number';
}
