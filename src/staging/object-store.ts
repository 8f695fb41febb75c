/**
 * Content objects: `files/<shard>/<object>`, one flat regular file each, a thousand a shard. An object belongs
 * to one inode and one generation; a later generation gets a copy before it is written.
 */
import type { ObjectId } from '../sys/bytes.ts';
import { toBytes } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { EEXIST, ENOENT, OK, SystemError } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import type { Time } from './inode.ts';

const SHARD_SIZE = 1000;
const MAX_SHARDS_OPEN = 64;
/** No set-id bits: an object never has them, only the file that it becomes. */
const PERMISSIONS = 0o777;

/** The path of an object relative to the store's directory. */
export function objectPath(object: ObjectId): string {
  return `${Math.floor(object / SHARD_SIZE)}/${object}`;
}

export class ObjectStore {
  /** Directory descriptor of `files/`; commit renames objects from here. */
  readonly dirfd: number;
  readonly #path: string;
  readonly #shards = new Map<number, number>();

  /** Opens the store at a directory (text path), making it when it is missing. Throws SystemError. */
  constructor(path: string) {
    this.#path = path;
    libc.mkdirAt(libc.AT_FDCWD, toBytes(path), 0o700);
    this.dirfd = libc.openAt(libc.AT_FDCWD, toBytes(path), libc.O_RDONLY | libc.O_DIRECTORY | libc.O_NOFOLLOW);
    if (this.dirfd < 0) throw new SystemError(`cannot open the file store ${path}`, -this.dirfd as Errno);
  }

  /**
   * Creates an empty object and returns a read-write descriptor; -EEXIST when the id was used before a crash. `mode`
   * are the permissions that the file is going to have, so that a commit need not change them; nobody else gets to
   * see the store. Some may be missing (umask), and the owner's are always there.
   */
  create(object: ObjectId, mode = 0): number {
    const shard = this.#shard(object, true);
    if (shard < 0) return shard;
    const flags = libc.O_RDWR | libc.O_CREAT | libc.O_EXCL | libc.O_NOFOLLOW;
    return libc.openAt(shard, String(object), flags, (mode & PERMISSIONS) | 0o600);
  }

  /**
   * Creates an empty object under the first id of `next` that no file has: a crash between making an object and recording
   * it leaves its id used. `retry` makes the call, perhaps twice. Returns id and read-write descriptor, or an errno.
   */
  createNext(
    next: () => ObjectId,
    how: { readonly mode?: number; readonly retry?: (open: () => number) => number } = {},
  ): { readonly object: ObjectId; readonly fd: number } | Errno {
    const { mode, retry = (open) => open() } = how;
    for (;;) {
      const object = next();
      const fd = retry(() => this.create(object, mode));
      if (fd >= 0) return { object, fd };
      if (fd !== -EEXIST) return -fd as Errno;
    }
  }

  /** A read-write descriptor of an object, or a negative errno. */
  open(object: ObjectId): number {
    const shard = this.#shard(object, false);
    if (shard < 0) return shard;
    return libc.openAt(shard, String(object), libc.O_RDWR | libc.O_NOFOLLOW);
  }

  /** Where an object lies on this host. */
  placeOf(object: ObjectId): string {
    return `${this.#path}/${objectPath(object)}`;
  }

  /** statx of an object into `into`. */
  statInto(object: ObjectId, into: Buffer): number {
    const shard = this.#shard(object, false);
    return shard < 0 ? shard : libc.statxInto(shard, String(object), into);
  }

  /** Sets the times of an object itself. Returns 0, or a negative errno. */
  setTimes(object: ObjectId, atime: Time, mtime: Time): number {
    const shard = this.#shard(object, false);
    if (shard < 0) return shard;
    const [atimeSec, atimeNsec, mtimeSec, mtimeNsec] = [atime.sec, atime.nsec, mtime.sec, mtime.nsec];
    return libc.utimesAt(shard, String(object), { atimeSec, atimeNsec, mtimeSec, mtimeNsec });
  }

  /** Removes an object; one that is gone already is fine. */
  remove(object: ObjectId): Errno {
    const shard = this.#shard(object, false);
    const result = shard < 0 ? shard : libc.unlinkAt(shard, String(object));
    return result >= 0 || result === -ENOENT ? OK : (-result as Errno);
  }

  close(): void {
    for (const fd of this.#shards.values()) libc.close(fd);
    this.#shards.clear();
    libc.close(this.dirfd);
  }

  /** Gives up the descriptors that are only kept for speed. */
  shed(): void {
    for (const fd of this.#shards.values()) libc.close(fd);
    this.#shards.clear();
  }

  #shard(object: ObjectId, make: boolean): number {
    const number = Math.floor(object / SHARD_SIZE);
    const known = this.#shards.get(number);
    if (known !== undefined) return known;
    const name = String(number);
    let fd = this.#openShard(name);
    if (fd === -ENOENT && make) {
      const made = libc.mkdirAt(this.dirfd, name, 0o700);
      if (made < 0 && made !== -EEXIST) return made;
      fd = this.#openShard(name);
    }
    if (fd < 0) return fd;
    if (this.#shards.size >= MAX_SHARDS_OPEN) this.shed();
    this.#shards.set(number, fd);
    return fd;
  }

  #openShard(name: string): number {
    return libc.openAt(this.dirfd, name, libc.O_PATH | libc.O_DIRECTORY | libc.O_NOFOLLOW);
  }
}
