/** Where a commit keeps what (FORMAT.md): `commits/N/` of the store. */
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, toBytePath } from '../../../sys/bytes.ts';
import { namesIn } from '../../../sys/files/text-files.ts';
import type { Layout } from '../../layout.ts';

export function commitsOf(layout: Layout): BytePath {
  return toBytePath(layout.commits);
}

/** Numbers of the commits of which something is kept in `directory` (`Layout.commits`), ascending. */
export function commitsIn(directory: string): number[] {
  return namesIn(directory)
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** The directory of a commit. */
export function logOf(layout: Layout, number: number): BytePath {
  return join(commitsOf(layout), String(number) as Name);
}

/** Where the backups lie, in the directory of a commit. */
export function backupsOf(log: BytePath): BytePath {
  return join(log, 'kept' as Name);
}

/** Numbers of the commits that were cut short, or whose undo was; cheap when there are none. */
export function unfinishedCommits(layout: Layout): number[] {
  return commitsIn(layout.commits).filter((number) => {
    const stages = namesIn(`${layout.commits}/${number}`);
    return !stages.includes('steps') && !stages.includes('undone');
  });
}
