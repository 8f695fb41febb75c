/** What this process may: as whom it makes files, and how many it may have open. */
import { mayMount } from '../../sandbox/privilege.ts';
import type { Owner } from '../../staging/owner.ts';
import { openFilesLimit } from '../../sys/process/process.ts';

/** Descriptors for everything but content: the runtime's own, directories, sockets. */
const RESERVED_FILES = 400;
const MOST_CONTENT_FILES = 4096;

/** Whose the view's new files are. */
export function ownerOfView(): Owner {
  return {
    uid: process.geteuid?.() ?? 0,
    gid: process.getegid?.() ?? 0,
    groups: process.getgroups?.() ?? [],
    mapsAll: mayMount(),
  };
}

/** How many content files may be open at a time. */
export function contentFiles(): number {
  return Math.max(8, Math.min(MOST_CONTENT_FILES, Math.floor((openFilesLimit() - RESERVED_FILES) / 2)));
}
