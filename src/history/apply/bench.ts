/** What carrying out a step needs: descriptors of directories, and the file store. */
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Errno } from '../../sys/errno.ts';
import { OK } from '../../sys/errno.ts';
import type { At } from './attributes.ts';
import type { Directory, OpenDirectories, Slot } from './directories.ts';

export interface Bench {
  readonly directories: OpenDirectories;
  readonly store: ObjectStore;
  /** Swaps two names (rename.ts); EINVAL where the file system cannot. */
  readonly exchange: (a: At, b: At) => Errno;
}

/** The slot with its directory opened, or an errno. */
export function open(bench: Bench, slot: Slot): At | Errno {
  const dirfd = bench.directories.of(slot.dir);
  return dirfd < 0 ? (-dirfd as Errno) : { dirfd, name: slot.name };
}

/** Two slots opened at once, or an errno. */
export function openBoth(bench: Bench, a: Slot, b: Slot): readonly [At, At] | Errno {
  const [first, second] = bench.directories.pair(a.dir, b.dir);
  if (first < 0 || second < 0) return -Math.min(first, second) as Errno;
  return [
    { dirfd: first, name: a.name },
    { dirfd: second, name: b.name },
  ];
}

/** Where a directory's own entry is now; the root is `.` in itself. */
export function slotOf(directory: Directory): Slot {
  const { parent, name } = directory;
  return parent === undefined ? { dir: directory, name: '.' as Slot['name'] } : { dir: parent, name };
}

/** A call's result as an errno. */
export function errnoOf(result: number): Errno {
  return result < 0 ? (-result as Errno) : OK;
}
