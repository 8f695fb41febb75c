/** What processes watch with inotify(7), as /proc tells of their descriptors. */
import { linkOfProc, namesOfProc, readProc } from './process.ts';

/** The numbers of the inodes, of whatever file system, that these processes watch; of those that may not be looked into none. */
export function watchedInodes(pids: readonly number[]): ReadonlySet<number> {
  const watched = new Set<number>();
  for (const pid of pids) {
    for (const fd of namesOfProc(pid, 'fd')) {
      if (linkOfProc(pid, `fd/${fd}`) !== 'anon_inode:inotify') continue;
      for (const [, ino] of readProc(pid, `fdinfo/${fd}`)?.matchAll(/^inotify wd:\S+ ino:([0-9a-f]+)/gm) ?? []) {
        watched.add(Number.parseInt(ino ?? '', 16));
      }
    }
  }
  return watched;
}
