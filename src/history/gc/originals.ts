/** What commits have replaced: one directory each, `.yolofs/commits/<n>`, kept so that they can be taken back. */
import { toBytes } from '../../sys/bytes.ts';
import { diskUsage } from '../../sys/disk-usage.ts';
import { type Errno, OK, SystemError } from '../../sys/errno.ts';
import { AT_FDCWD, close, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, openAt, renameAt2 } from '../../sys/libc.ts';
import { namesIn } from '../../sys/text-files.ts';
import { removeTree } from '../apply/remove-tree.ts';
import { commitsIn } from '../commits/places.ts';

/** What a directory is called from when it is removed until it is gone. */
const GONE = 'gone-';

interface Removal {
  /** This commit's originals, and those of all before it, go. */
  readonly through: number;
  /** Only count. */
  readonly dryRun: boolean;
}

/**
 * Removes the directories of commits, also what an earlier removal that was cut short has left. Sizes in bytes on the
 * disk. Throws a SystemError; what is left then, the next time removes.
 */
export function removeCommits(
  directory: string,
  { through, dryRun }: Removal,
): { removed: number[]; bytes: number; left: number } {
  const result = { removed: [] as number[], bytes: 0, left: 0 };
  for (const commit of commitsIn(directory)) {
    const { bytes } = diskUsage(`${directory}/${commit}`);
    if (commit > through) {
      result.left += bytes;
      continue;
    }
    result.bytes += bytes;
    result.removed.push(commit);
    if (!dryRun) remove(directory, String(commit));
  }
  for (const name of dryRun ? [] : namesIn(directory)) if (name.startsWith(GONE)) remove(directory, name);
  return result;
}

/** Under another name first: half a directory must not pass for a commit. */
function remove(directory: string, name: string): void {
  const fd = openAt(AT_FDCWD, toBytes(directory), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const gone = name.startsWith(GONE) ? name : `${GONE}${name}`;
  const renamed = fd < 0 || gone === name ? fd : renameAt2(fd, name, fd, gone);
  const errno = renamed < 0 ? (-renamed as Errno) : removeTree(fd, gone);
  if (fd >= 0) close(fd);
  if (errno !== OK) throw new SystemError(`cannot remove ${directory}/${name}`, errno);
}
