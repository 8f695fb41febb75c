/** Where the content of an inode comes from, as records and comparisons tell it. */
import { S_IFLNK } from '../sys/stat.ts';
import type { Inode } from './inode.ts';
import { basePath } from './inode.ts';
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
