/**
 * Files of the base whose content comes from elsewhere, on demand: those of sources. Until it is here, the file is a hole of the size
 * that the source says (0: nobody knows it yet), and its mode says that it is one. The view shows an ordinary file.
 */
import type { BytePath, Name } from '../../sys/bytes.ts';
import * as libc from '../../sys/libc.ts';
import { decodeStatx, S_IFMT, S_IFREG, STATX_SIZE, type Stat } from '../../sys/stat.ts';

const PERMISSIONS = 0o7777;

/** Of a file whose content is awaited: the sticky bit has no meaning for a file on Linux, and nobody may read it. */
export const AWAITED = 0o1200;
/** Of one that has it. */
export const FETCHED = 0o644;

const statx = Buffer.alloc(STATX_SIZE);

/** Whether the content of a file is not here yet; `name` may be a path, too. */
export function isAwaited(dirfd: number, name: Name | BytePath): boolean {
  return libc.statxInto(dirfd, name, statx) >= 0 && isAwaitedMode(decodeStatx(statx).mode);
}

/** The same, of its mode. */
export function isAwaitedMode(mode: number): boolean {
  return (mode & S_IFMT) === S_IFREG && (mode & PERMISSIONS) === AWAITED;
}

/** A file of a source as the view shows it. That its content came, which has the kernel set another ctime, is no change of it. */
export function presentFetched(stat: Stat): Stat {
  if ((stat.mode & S_IFMT) !== S_IFREG) return stat;
  if (isAwaitedMode(stat.mode)) stat.mode = S_IFREG | FETCHED;
  stat.ctimeSec = stat.mtimeSec;
  stat.ctimeNsec = stat.mtimeNsec;
  // A hole has no blocks, and would be archived as one.
  stat.blocks = Math.max(stat.blocks, Math.ceil(stat.size / 512));
  return stat;
}
