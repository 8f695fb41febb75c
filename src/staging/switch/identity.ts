/** What is the same file in two trees of one view, and whether it is also in the same state. */
import { isSameTime } from '../compact.ts';
import type { Attributes, Fingerprint, Inode, Staged } from '../inode.ts';
import { basePath } from '../inode.ts';

/** The same for two inodes of two trees when they are one file or directory: its base entry, or the number it was born with. */
export function identityOf(inode: Inode): string {
  return basePath(inode) ?? `#${inode.ino}`;
}

/**
 * Whether a process, or the kernel, that knows the one may go on with it when the other is to be shown. Of two files
 * with one identity; the ctime does not count, as it is not always recorded and nobody can set it.
 */
export function isSameState(a: Staged, b: Staged): boolean {
  return (
    a.object === b.object &&
    a.objectGen === b.objectGen &&
    a.changed === b.changed &&
    a.nlink === b.nlink &&
    a.target === b.target &&
    a.rdev === b.rdev &&
    isSameAttributes(a, b) &&
    isSamePrint(a.fingerprint, b.fingerprint)
  );
}

/** As `isSameState`, of what stat(2) and getxattr(2) tell. */
export function isSameAttributes({ attributes: a, xattrs }: Staged, b: Staged): boolean {
  return (
    a.mode === b.attributes.mode &&
    a.uid === b.attributes.uid &&
    a.gid === b.attributes.gid &&
    TIMES.every((which) => isSameTime(a[which], b.attributes[which])) &&
    isSameXattrs(xattrs, b.xattrs)
  );
}

const TIMES = ['atime', 'mtime'] as const satisfies readonly (keyof Attributes)[];

function isSameXattrs(a: Staged['xattrs'], b: Staged['xattrs']): boolean {
  if ((a?.size ?? 0) !== (b?.size ?? 0)) return false;
  for (const [name, value] of a ?? []) {
    const other = b?.get(name);
    if (value === null ? other !== null : other == null || !value.equals(other)) return false;
  }
  return true;
}

function isSamePrint(a: Fingerprint | undefined, b: Fingerprint | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.dev === b.dev &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.nlink === b.nlink &&
    isSameTime(a.mtime, b.mtime) &&
    isSameTime(a.ctime, b.ctime)
  );
}
