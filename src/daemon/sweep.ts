/** Removes content objects that nothing needs any more, a few at a time, so that clients are answered meanwhile. */
import { parseDirents } from '../staging/dirents.ts';
import type { ObjectStore } from '../staging/object-store.ts';
import type { ObjectId } from '../sys/bytes.ts';
import { close, getdents, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, openAt } from '../sys/libc.ts';

const DIRENTS_SIZE = 32 * 1024;
/** Objects removed in a row. */
const BURST = 64;

export interface Unneeded {
  /** Objects from here on are of a later time. */
  readonly end: ObjectId;
  /** Still open somewhere. */
  readonly held: readonly ObjectId[];
}

/** Removes what is not needed. */
export async function sweep(store: ObjectStore, unneeded: Unneeded): Promise<void> {
  const held = new Set(unneeded.held);
  let removed = 0;
  for (const shard of namesIn(store.dirfd, '.')) {
    for (const name of namesIn(store.dirfd, shard)) {
      const object = Number(name) as ObjectId;
      if (!Number.isInteger(object) || object >= unneeded.end || held.has(object)) continue;
      store.remove(object);
      if (++removed % BURST === 0) await breath();
    }
  }
}

/** The names in a directory, all read before the first is used: removing while reading may skip some. */
function namesIn(dirfd: number, path: string): string[] {
  const fd = openAt(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (fd < 0) return [];
  const buffer = Buffer.alloc(DIRENTS_SIZE);
  const names: string[] = [];
  for (let length = getdents(fd, buffer); length > 0; length = getdents(fd, buffer)) {
    for (const entry of parseDirents(buffer, length)) names.push(entry.name);
  }
  close(fd);
  return names;
}

function breath(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
