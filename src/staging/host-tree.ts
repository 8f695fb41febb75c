/**
 * The host's directories as a base tree.
 *
 * Every access starts at a descriptor of the parent directory, opened below `/` with RESOLVE_NO_SYMLINKS: a
 * directory that somebody swaps for a symlink is refused, not followed. Recently used directory descriptors
 * are kept; a watched directory's stays until the watch reports a change, others are re-opened after a second.
 */
import type { BytePath, Name } from '../sys/bytes.ts';
import { isWithin, join, splitPath } from '../sys/bytes.ts';
import type { Errno } from '../sys/errno.ts';
import { EAGAIN, EINVAL, ELOOP, EMFILE, ENFILE, ENODATA, ENOENT, ERANGE } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import { hostPath, isMounted, isMountPoint, mountsIn } from '../sys/mounts.ts';
import type { Stat } from '../sys/stat.ts';
import { decodeStatx, S_IFMT, STATX_SIZE } from '../sys/stat.ts';
import { isAwaited, presentFetched } from './awaited/fetched.ts';
import { type BaseEntry, type BaseTree, OWN_NUMBERS, ownNumber } from './base-tree.ts';
import { parseDirents } from './dirents.ts';

const MAX_DIRECTORIES = 256;
const UNWATCHED_MS = 1000;

interface OpenDirectory {
  readonly fd: number;
  readonly openedAt: number;
}

export interface HostTreeOptions {
  /** Paths the view must not show at all (the session's own directory). */
  readonly hidden: readonly BytePath[];
  /** Directories shown empty: kernel interfaces of the host (`/proc`), which the view mounts its own over. */
  readonly empty: readonly BytePath[];
  /** Watches a directory; see `BaseTree.watch`. */
  readonly watch?: (dir: BytePath) => boolean;
  /** See `BaseTree.catchUp`. */
  readonly catchUp?: () => void;
}

export class HostTree implements BaseTree {
  readonly #rootFd: number;
  readonly #rootDev: number;
  readonly #hidden = new Map<BytePath, Set<Name>>();
  readonly #empty: Set<BytePath>;
  readonly #directories = new Map<BytePath, OpenDirectory>();
  readonly #watch: (dir: BytePath) => boolean;
  readonly #catchUp: () => void;
  readonly #watched = new Set<BytePath>();
  /** Descriptors that were opened below a mount point (sys/mounts.ts), as long as their numbers are not given anew. */
  readonly #fetched = new Set<number>();
  #views: ReadonlySet<BytePath> = new Set();
  #starved: () => void = () => undefined;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  readonly #dirents = Buffer.alloc(64 * 1024);
  readonly #xattr = Buffer.alloc(64 * 1024);

  constructor(options: HostTreeOptions) {
    this.#rootFd = libc.openAt(libc.AT_FDCWD, '/', libc.O_PATH | libc.O_DIRECTORY);
    if (this.#rootFd < 0) throw new Error(`cannot open the root directory: errno ${-this.#rootFd}`);
    libc.fstatxInto(this.#rootFd, this.#statx);
    this.#rootDev = decodeStatx(this.#statx).dev;
    for (const path of options.hidden) {
      const split = splitPath(path);
      if (split === undefined) continue;
      const names = this.#hidden.get(split.dir) ?? new Set<Name>();
      this.#hidden.set(split.dir, names.add(split.name));
    }
    this.#empty = new Set(options.empty);
    this.#watch = options.watch ?? (() => false);
    this.#catchUp = options.catchUp ?? (() => undefined);
  }

  stat(dir: BytePath, name: Name): Stat | Errno {
    if (this.hides(dir, name)) return ENOENT;
    if (isMountPoint(dir, name)) return this.#statMounted(join(dir, name));
    const fd = this.#directory(dir);
    if (fd < 0) return -fd as Errno;
    const result = libc.statxInto(fd, name, this.#statx);
    if (result < 0) return -result as Errno;
    const stat = this.#present(decodeStatx(this.#statx));
    return isMounted(dir) ? presentFetched(stat) : stat;
  }

  statPath(path: BytePath): Stat | Errno {
    const split = splitPath(path);
    if (split !== undefined) return this.stat(split.dir, split.name);
    return this.statOpen(this.#rootFd);
  }

  openRead(path: BytePath): number {
    const split = splitPath(path);
    if (split === undefined || this.hides(split.dir, split.name)) return -ENOENT;
    const dirfd = this.#directory(split.dir);
    if (dirfd < 0) return dirfd;
    const isElsewhere = isMounted(split.dir);
    if (isElsewhere && isAwaited(dirfd, split.name)) return -EAGAIN;
    // O_NONBLOCK: should a fifo have taken the place of a file, opening it must not hang the view.
    const fd = libc.openAt(dirfd, split.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
    if (isElsewhere) this.#fetched.add(fd);
    else this.#fetched.delete(fd);
    return fd;
  }

  statOpen(fd: number): Stat | Errno {
    const result = libc.fstatxInto(fd, this.#statx);
    if (result < 0) return -result as Errno;
    const stat = this.#present(decodeStatx(this.#statx));
    return this.#fetched.has(fd) ? presentFetched(stat) : stat;
  }

  readlink(path: BytePath): string | Errno {
    const split = splitPath(path);
    if (split === undefined) return EINVAL;
    const dirfd = this.#directory(split.dir);
    if (dirfd < 0) return -dirfd as Errno;
    const target = libc.readlinkAt(dirfd, split.name);
    return typeof target === 'string' ? target : (-target as Errno);
  }

  list(dir: BytePath): BaseEntry[] | Errno {
    if (this.#empty.has(dir)) return [];
    const fd = this.#retry(() => {
      const path = this.#directory(dir);
      return path < 0 ? path : libc.openAt(path, '.', libc.O_RDONLY | libc.O_DIRECTORY);
    });
    if (fd < 0) return -fd as Errno;
    try {
      return this.#readAll(dir, fd);
    } finally {
      libc.close(fd);
    }
  }

  getxattr(path: BytePath, attribute: string): Buffer | Errno {
    return this.#xattrCall(path, (dirfd, name, into) => libc.getxattrAt(dirfd, name, attribute, into));
  }

  listxattr(path: BytePath): Buffer | Errno {
    return this.#xattrCall(path, (dirfd, name, into) => libc.listxattrAt(dirfd, name, into));
  }

  watch(dir: BytePath): boolean {
    if (!this.#watch(dir)) return false;
    if (this.#watched.has(dir)) return true;
    // What was opened before the watch began may already be stale.
    this.#close(dir);
    this.#watched.add(dir);
    return true;
  }

  catchUp(): void {
    this.#catchUp();
  }

  isWatched(dir: BytePath): boolean {
    return this.#watched.has(dir);
  }

  /** The watch ended, or the directory itself moved: nothing remembered about it holds. */
  unwatched(dir: BytePath): void {
    this.#watched.delete(dir);
    this.#close(dir);
  }

  /** Another file system is mounted at `point` than before: nothing remembered about what is below it holds. */
  remounted(point: BytePath): void {
    for (const dir of [...this.#directories.keys()]) if (isWithin(dir, point)) this.#close(dir);
    for (const dir of this.#watched) if (isWithin(dir, point)) this.#watched.delete(dir);
  }

  /** Views are mounted there: these directories are not there, as this thread would wait for itself in one of them. */
  hideViews(points: ReadonlySet<BytePath>): void {
    this.#views = points;
  }

  onStarved(relieve: () => void): void {
    this.#starved = relieve;
  }

  shed(): void {
    for (const dir of [...this.#directories.keys()]) this.#close(dir);
  }

  /** Gives all descriptors back; nothing may be asked any more. */
  close(): void {
    this.shed();
    libc.close(this.#rootFd);
  }

  hides(dir: BytePath, name: Name): boolean {
    return this.#empty.has(dir) || this.#hidden.get(dir)?.has(name) === true || this.#isView(dir, name);
  }

  #isView(dir: BytePath, name: Name): boolean {
    return this.#views.size > 0 && this.#views.has(join(dir, name));
  }

  /** A descriptor of a base directory that stays this object's, or a negative errno. */
  #directory(dir: BytePath): number {
    if (dir === '/') return this.#rootFd;
    if (this.#views.size > 0 && [...this.#views].some((view) => isWithin(dir, view))) return -ENOENT;
    const open = this.#directories.get(dir);
    if (open !== undefined) {
      if (this.#watched.has(dir) || Date.now() - open.openedAt < UNWATCHED_MS) return open.fd;
      this.#close(dir);
    }
    return this.#open(dir);
  }

  #open(dir: BytePath): number {
    const flags = libc.O_PATH | libc.O_DIRECTORY | libc.O_NOFOLLOW;
    const resolve = libc.RESOLVE_NO_SYMLINKS | libc.RESOLVE_BENEATH;
    const fd = this.#retry(() => libc.openAt2(this.#rootFd, hostPath(dir).slice(1), flags, resolve));
    if (fd < 0) return fd === -ELOOP ? -ENOENT : fd;
    if (this.#directories.size >= MAX_DIRECTORIES) this.#evict();
    this.#directories.set(dir, { fd, openedAt: Date.now() });
    return fd;
  }

  /** Runs a call that opens a descriptor; when there is none left, all that are kept for speed go and it runs again. */
  #retry(open: () => number): number {
    const fd = open();
    if (fd !== -EMFILE && fd !== -ENFILE) return fd;
    this.shed();
    this.#starved();
    return open();
  }

  /** Drops the quarter opened longest ago (a Map keeps insertion order). */
  #evict(): void {
    let left = MAX_DIRECTORIES / 4;
    for (const dir of this.#directories.keys()) {
      if (left-- === 0) return;
      this.#close(dir);
    }
  }

  #close(dir: BytePath): void {
    const open = this.#directories.get(dir);
    if (open === undefined) return;
    libc.close(open.fd);
    this.#directories.delete(dir);
  }

  #readAll(dir: BytePath, fd: number): BaseEntry[] | Errno {
    const entries: BaseEntry[] = [];
    const hidden = this.#hidden.get(dir);
    for (;;) {
      const length = libc.getdents(fd, this.#dirents);
      if (length < 0) return -length as Errno;
      if (length === 0) return this.#withMounts(dir, entries);
      for (const entry of parseDirents(this.#dirents, length)) {
        if (hidden?.has(entry.name) || this.#isView(dir, entry.name)) continue;
        entries.push(entry);
      }
    }
  }

  #withMounts(dir: BytePath, entries: BaseEntry[]): BaseEntry[] {
    const mounts = mountsIn(dir);
    if (mounts.length === 0) return entries;
    const more = mounts.flatMap((name) => {
      const stat = this.#statMounted(join(dir, name));
      return typeof stat === 'number' ? [] : [{ name, ino: stat.ino, type: stat.mode & S_IFMT }];
    });
    return [...entries.filter(({ name }) => !mounts.includes(name)), ...more];
  }

  #statMounted(path: BytePath): Stat | Errno {
    const fd = this.#directory(path);
    return fd < 0 ? (-fd as Errno) : this.statOpen(fd);
  }

  #xattrCall(path: BytePath, call: (dirfd: number, name: string, into: Buffer) => number): Buffer | Errno {
    const found = splitPath(path);
    const split = found !== undefined && isMountPoint(found.dir, found.name) ? undefined : found;
    const dirfd = this.#directory(split?.dir ?? path);
    if (dirfd < 0) return -dirfd as Errno;
    const result = call(dirfd, split?.name ?? '', this.#xattr);
    if (result < 0) return result === -ERANGE ? ENODATA : (-result as Errno);
    return Buffer.from(this.#xattr.subarray(0, result));
  }

  /** A number of the root's file system is itself; others, which overlap with it, get the device in bits 40-47. */
  numberOf(dev: number, ino: number): number {
    return dev === this.#rootDev ? ino : ownNumber(ino) + (1 + (dev % 254)) * OWN_NUMBERS;
  }

  #present(stat: Stat): Stat {
    stat.ino = this.numberOf(stat.dev, stat.ino);
    return stat;
  }
}
