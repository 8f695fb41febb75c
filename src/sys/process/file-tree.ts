/** Which tree of files a path is of. */
import { readlinkSync, statSync } from 'node:fs';

/** The mount namespace and the root directory of this process, as one text: two processes with the same one mean the same by a path. */
export function ownFileTree(): string {
  const { dev, ino } = statSync('/');
  return `${readlinkSync('/proc/self/ns/mnt')} ${dev} ${ino}`;
}
