/** A look at every object that lies in the store, and what it occupies. */
import type { ObjectStore } from '../../staging/object-store.ts';
import type { ObjectId } from '../../sys/bytes.ts';
import { type Errno, SystemError } from '../../sys/errno.ts';
import { close } from '../../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../../sys/stat.ts';
import { listNames, openToList } from '../commit/apply/list-names.ts';

const BLOCK = 512;
const statx = Buffer.alloc(STATX_SIZE);

/** What a file takes up. */
export interface Occupied {
  /** Allocated on the disk, in bytes. */
  readonly bytes: number;
  /** Its length. */
  readonly length: number;
}

/** The ids of the objects in the store, shard by shard, in no other order. Throws a SystemError. */
export function* storedObjects(store: ObjectStore): Generator<ObjectId> {
  for (const shard of namesIn(store.dirfd, '.')) {
    if (!isNumber(shard)) continue;
    for (const name of namesIn(store.dirfd, shard)) if (isNumber(name)) yield Number(name) as ObjectId;
  }
}

/** What an object takes up; undefined when there is none. */
export function occupiedBy(store: ObjectStore, object: ObjectId): Occupied | undefined {
  if (store.statInto(object, statx) < 0) return undefined;
  const { blocks, size } = decodeStatx(statx);
  return { bytes: blocks * BLOCK, length: size };
}

function isNumber(name: string): boolean {
  return /^(?:0|[1-9]\d{0,15})$/.test(name);
}

/** The names in a directory, all read before the first is used: removing while reading may skip some. */
function namesIn(dirfd: number, path: string): string[] {
  const fd = openToList(dirfd, path);
  const names = fd < 0 ? (-fd as Errno) : listNames(fd);
  if (fd >= 0) close(fd);
  if (typeof names === 'number') throw new SystemError('cannot read the file store', names);
  return names;
}
