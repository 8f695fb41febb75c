/** One changed path and its two sides: what `status` lists, `diff` shows and the summary of a run counts. */
import { backingOf } from '../../staging/backing.ts';
import type { Inode } from '../../staging/inode.ts';
import { TOMBSTONE } from '../../staging/inode.ts';
import type { Backing } from '../../staging/recorder.ts';
import type { BytePath, Ino } from '../../sys/bytes.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, S_IFREG } from '../../sys/stat.ts';

export type ChangeKind = 'added' | 'modified' | 'deleted' | 'renamed' | 'metadata';
export type FileType = 'file' | 'directory' | 'symlink' | 'other';

export interface Side {
  readonly backing: Backing;
  /** The number that it has in the view; undefined: that of the base, or not known. */
  readonly ino?: Ino;
  /** Permission and set-id bits, owner; undefined: those of the base path in `backing`, or not known. */
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** A directory: whether nothing is in it; undefined: not known. */
  readonly empty?: boolean;
}

export interface PathChange {
  readonly path: BytePath;
  readonly change: ChangeKind;
  /** Of the new side; of the old one when deleted. */
  readonly type: FileType;
  /** Where a renamed thing was. */
  readonly from?: BytePath;
  /** What `from`, or else `path`, was; missing when added. */
  readonly oldSide?: Side;
  /** Missing when deleted. */
  readonly newSide?: Side;
  /** What was at `path` lives on under another name: the sides are two files, not two states of one. */
  readonly displaced?: true;
  /** What was at `path` and is gone, because something else was renamed to it. */
  readonly replaced?: Side;
}

/** The word of `status` for S_IFMT bits. */
export function fileTypeOf(mode: number): FileType {
  const type = mode & S_IFMT;
  if (type === S_IFREG) return 'file';
  if (type === S_IFDIR) return 'directory';
  return type === S_IFLNK ? 'symlink' : 'other';
}

/** The side that an inode of the view is. */
export function sideOf(inode: Inode): Side {
  const { mode, uid, gid } = inode.staged?.attributes ?? {};
  const side = { backing: backingOf(inode), ino: inode.ino, mode, uid, gid };
  if (inode.type !== S_IFDIR || inode.base !== undefined) return side;
  return { ...side, empty: ![...(inode.children?.values() ?? [])].some((child) => child !== TOMBSTONE) };
}

/** The side that a base entry is, of which only the type is known. */
export function baseEntrySide(path: BytePath, type: number): Side {
  return { backing: { kind: 'base', type, path } };
}
