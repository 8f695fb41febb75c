/**
 * What the kernel does ahead of a write(2) because a write takes privileges from a file (fs/inode.c, file_remove_privs): it asks for
 * `security.capability`, which tells that a write is coming, and has set-id bits dropped.
 */
import { type Errno, OK } from '../sys/errno.ts';
import { S_ISGID, S_ISUID } from '../sys/stat.ts';
import type { AnnouncedFileSystem, ChangedNode } from './codec/announced.ts';
import type { Caller } from './filesystem.ts';

/** Asked for before the first write(2) to a file, on behalf of who writes. */
export const CAPABILITY = 'security.capability';

/** Whether a GETXATTR tells of a write: the kernel asks whether there is one to take away, and not for its value. */
export function announcesWrite(name: string, size: number): boolean {
  return size === 0 && name === CAPABILITY;
}

/**
 * Drops set-id bits before the data comes, so that no program changes under them. The kernel asks for it with every
 * write past its cache, bits or not.
 */
export function dropSetId(fs: AnnouncedFileSystem, node: ChangedNode, caller: Caller): Errno {
  const current = fs.getattr(node);
  if (typeof current === 'number') return current;
  if ((current.stat.mode & (S_ISUID | S_ISGID)) === 0) return OK;
  const changed = fs.setattr(node, { killSuidgid: true }, caller);
  return typeof changed === 'number' ? changed : OK;
}
