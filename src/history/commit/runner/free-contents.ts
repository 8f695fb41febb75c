/**
 * Once a commit has been taken back, the content that it had given to the base lies in its backups, where the store had a
 * copy of it (apply/place-step.ts). Nothing needs it any more: it is freed behind the undo, also by a later daemon.
 */
import { ownNumber } from '../../../staging/base-tree.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { namesIn } from '../../../sys/files/text-files.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, isRegular, STATX_SIZE } from '../../../sys/stat.ts';
import type { Layout } from '../../layout.ts';
import { listNames, openToList } from '../apply/list-names.ts';
import { backupsOf, commitsIn, logOf } from './places.ts';
import { readLog } from './read-log.ts';

/**
 * Frees what is left of the commits that were taken back, one file between two pauses. What is not known to be such
 * content, or has other names, stays. Throws a SystemError or UserError when a commit's log cannot be read.
 */
export function* freeContents(layout: Layout): Generator<void, void> {
  for (const number of commitsIn(layout.commits)) {
    if (!namesIn(`${layout.commits}/${number}`).includes('undone')) continue;
    const path = logOf(layout, number);
    const names = listBackups(path);
    // To read the log of many steps takes its time.
    if (names.length > 0) yield* freeThose(names, path);
  }
}

function* freeThose(names: readonly Name[], path: BytePath): Generator<void, void> {
  const contents = contentsOf(path);
  const statx = Buffer.alloc(STATX_SIZE);
  for (const name of names) {
    // By its path each time: gc may have taken the directory away.
    const dirfd = openToList(libc.AT_FDCWD, backupsOf(path));
    if (dirfd < 0) return;
    const ino = contents.get(name);
    if (ino !== undefined && libc.statxInto(dirfd, name, statx) >= 0) {
      const stat = decodeStatx(statx);
      if (isRegular(stat.mode) && stat.nlink === 1 && ownNumber(stat.ino) === ownNumber(ino))
        libc.unlinkAt(dirfd, name);
    }
    libc.close(dirfd);
    yield;
  }
}

/** The files that a commit has given to the base, by the names that they would have in the backups. */
function contentsOf(path: BytePath): ReadonlyMap<Name, number> {
  const log = readLog(path);
  if (log === undefined || log === 'incomplete' || log.stage !== 'undone') return new Map();
  return new Map(
    log.recorded.steps.flatMap((step) => (step.do === 'place' ? [[step.kept, step.id.ino] as const] : [])),
  );
}

function listBackups(path: BytePath): readonly Name[] {
  const fd = openToList(libc.AT_FDCWD, backupsOf(path));
  if (fd < 0) return [];
  const names = listNames(fd);
  libc.close(fd);
  return typeof names === 'number' ? [] : names;
}
