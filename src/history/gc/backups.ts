/** What commits have replaced: one directory each, `commits/<n>` of the store, kept so that they can be taken back. */
import { toBytes } from '../../sys/bytes.ts';
import { ENOENT, type Errno, OK, SystemError } from '../../sys/errno.ts';
import { diskUsage } from '../../sys/files/disk-usage.ts';
import { namesIn } from '../../sys/files/text-files.ts';
import { AT_FDCWD, close, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, openAt, renameAt2 } from '../../sys/libc.ts';
import { removeTree } from '../commit/apply/remove-tree.ts';
import { commitsIn } from '../commit/runner/places.ts';
import { type NamesGoing, unlinkShared } from './shared-names.ts';

/** What a directory is called from when it is removed until it is gone: half of it must not pass for a commit. */
const GONE = 'gone-';

interface Removal {
  /** This commit's backups, and those of all before it, go. */
  readonly through: number;
  /** Undefined: only count. */
  readonly going: NamesGoing | undefined;
}

/**
 * Removes the directories of commits, also what an earlier removal that was cut short has left. Sizes in bytes on the
 * disk. Rejects with a SystemError; what is left then, the next time removes.
 */
export async function removeCommits(
  directory: string,
  { through, going }: Removal,
): Promise<{ removed: number[]; bytes: number; left: number }> {
  const result = { removed: [] as number[], bytes: 0, left: 0 };
  for (const commit of commitsIn(directory)) {
    const { bytes } = diskUsage(`${directory}/${commit}`);
    if (commit > through) {
      result.left += bytes;
      continue;
    }
    result.bytes += bytes;
    result.removed.push(commit);
  }
  if (going !== undefined) await removeAll(directory, result.removed, going);
  return result;
}

async function removeAll(directory: string, commits: readonly number[], going: NamesGoing): Promise<void> {
  const fd = openAt(AT_FDCWD, toBytes(directory), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  // Nothing was ever committed.
  if (fd === -ENOENT) return;
  if (fd < 0) throw new SystemError(`cannot open ${directory}`, -fd as Errno);
  try {
    for (const commit of commits) {
      const renamed = renameAt2(fd, String(commit), fd, `${GONE}${commit}`);
      if (renamed < 0) throw new SystemError(`cannot remove ${directory}/${commit}`, -renamed as Errno);
    }
    const names = namesIn(directory).filter((name) => name.startsWith(GONE));
    await unlinkShared(fd, names, going);
    for (const name of names) {
      const errno = removeTree(fd, name);
      if (errno !== OK) throw new SystemError(`cannot remove ${directory}/${name}`, errno);
    }
  } finally {
    close(fd);
  }
}
