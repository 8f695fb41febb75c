/**
 * Objects that lack something that was written to them, as the store had no room for it, or is broken. For each there is an empty file
 * beside the objects, as one can still be made where no block is left. Its name says what the object was then: once something is written to
 * it, or to a copy of it, it counts as what its writer wants it to be.
 */
import type { ObjectId } from '../../sys/bytes.ts';
import * as libc from '../../sys/libc.ts';
import { decodeStatx, S_IFREG, STATX_SIZE } from '../../sys/stat.ts';
import { parseDirents } from '../dirents.ts';
import type { ObjectStore } from '../object-store.ts';

/** No shard has this name. */
const PLACE = 'incomplete';
/** Marks that are kept: whoever fills the disk again and again must not fill a directory, too. */
const MOST = 1000;

/** Marks an object, if that is possible. */
export function markIncomplete(store: ObjectStore, object: ObjectId): void {
  const mark = markOf(store, object);
  if (mark === undefined) return;
  libc.mkdirAt(store.dirfd, PLACE, 0o700);
  const marks = incompleteObjects(store);
  if (marks.size >= MOST) for (const old of marks) if (!isCurrent(store, old)) remove(store, old);
  if (marks.size < MOST) libc.mknodAt(store.dirfd, `${PLACE}/${mark}`, S_IFREG | 0o600, 0);
}

/** All marks, also of what has been written to since. */
export function incompleteObjects({ dirfd }: ObjectStore): ReadonlySet<string> {
  const marks = new Set<string>();
  const fd = libc.openAt(dirfd, PLACE, libc.O_RDONLY | libc.O_DIRECTORY | libc.O_NOFOLLOW);
  if (fd < 0) return marks;
  const buffer = Buffer.allocUnsafe(32 * 1024);
  for (let length = libc.getdents(fd, buffer); length > 0; length = libc.getdents(fd, buffer))
    for (const { name } of parseDirents(buffer, length)) marks.add(name);
  libc.close(fd);
  return marks;
}

/** Whether an object is as it was when it got one of these marks. */
export function isIncomplete(store: ObjectStore, object: ObjectId, marks: ReadonlySet<string>): boolean {
  return marks.size > 0 && marks.has(markOf(store, object) ?? '');
}

function markOf(store: ObjectStore, object: ObjectId): string | undefined {
  const statx = Buffer.alloc(STATX_SIZE);
  if (store.statInto(object, statx) < 0) return undefined;
  const { size, mtimeSec, mtimeNsec } = decodeStatx(statx);
  return [object, size, mtimeSec, mtimeNsec].join('-');
}

function isCurrent(store: ObjectStore, mark: string): boolean {
  return markOf(store, Number.parseInt(mark, 10) as ObjectId) === mark;
}

function remove({ dirfd }: ObjectStore, mark: string): void {
  libc.unlinkAt(dirfd, `${PLACE}/${mark}`);
}
