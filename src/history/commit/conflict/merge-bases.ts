/**
 * Merge bases of text files, and of git's index, that the view overrides, kept so that two changes of them can be merged. A file here is named
 * by the stamp of what it was, so what is here needs no list, and what the base has now is never taken for the merge base.
 *
 * Nobody waits for them: the daemon's main thread reads in the journal what was overridden, and copies what the base
 * still has (every half second). If somebody outside is faster, there is no merge base, and a merge says so.
 */

import { basename, dirname } from 'node:path';
import { type BaseStamp, stampOfFile } from '../../../staging/base-stamps.ts';
import type { BaseTree } from '../../../staging/base-tree.ts';
import { fingerprintOf } from '../../../staging/inode.ts';
import { type BytePath, type Name, toBytes } from '../../../sys/bytes.ts';
import { EEXIST, ENOTEMPTY } from '../../../sys/errno.ts';
import { namesIn } from '../../../sys/files/text-files.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, isRegular, STATX_SIZE } from '../../../sys/stat.ts';
import { noiseOf } from '../../diff/noise.ts';
import { listNames, openToList } from '../apply/list-names.ts';
import { isGitIndex, MOST_INDEX } from './git-index.ts';
import { isMergeable, MAX_MERGED } from './merge.ts';

const PARTIAL = 'partial' as Name;
/** How the directory is called when nobody needs what is in it; the next such gets a number. */
const CLEARED = '-cleared';

export class MergeBases {
  readonly #path: string;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** A directory of those that nobody needs any more, and the names that were listed there and are not gone yet. */
  #leaving: { readonly dir: string; readonly names: Name[] } | undefined;

  /** `path`: text, of a directory that need not exist. */
  constructor(path: string) {
    this.#path = path;
  }

  /** The content of a file that had this stamp, if it was kept. */
  find(stamp: BaseStamp): Buffer | undefined {
    const dirfd = this.#open();
    if (dirfd < 0) return undefined;
    const fd = libc.openAt(dirfd, String(stamp), libc.O_RDONLY | libc.O_NOFOLLOW);
    libc.close(dirfd);
    return fd < 0 ? undefined : this.#readAndClose(fd, MOST_INDEX);
  }

  /** Keeps what the base has at `path` now, if it is text or git's index. A failure is no more than a merge base that is not kept. */
  keep(path: BytePath, base: BaseTree): void {
    const stat = base.statPath(path);
    if (typeof stat === 'number' || !isRegular(stat.mode) || stat.size > mostOf(path)) return;
    const name = String(stampOfFile(stat.mode, fingerprintOf(stat))) as Name;
    libc.mkdirAt(libc.AT_FDCWD, toBytes(this.#path), 0o700);
    const dirfd = this.#open();
    if (dirfd < 0) return;
    if (libc.statxInto(dirfd, name, this.#statx) < 0) this.#copy(path, base, { dirfd, name });
    libc.close(dirfd);
  }

  /** Nothing staged is older than the base any more. None is found from now on; `removeCleared` takes them from the disk. */
  clear(): void {
    // After commits in short time those of the one before are still there.
    for (let number = 0; ; number++) {
      const to = toBytes(`${this.#path}${CLEARED}${number === 0 ? '' : `-${number}`}`);
      const moved = libc.renameAt2(libc.AT_FDCWD, toBytes(this.#path), libc.AT_FDCWD, to);
      if (moved !== -ENOTEMPTY && moved !== -EEXIST) return;
    }
  }

  /** Takes what was cleared, also by an earlier daemon, from the disk for so many milliseconds; returns whether there is more. */
  removeCleared(ms: number): boolean {
    const end = Date.now() + ms;
    const leaving = this.#leaving ?? this.#listCleared();
    if (leaving === undefined) return false;
    const { dir, names } = leaving;
    const fd = openToList(libc.AT_FDCWD, toBytes(dir));
    if (fd < 0) return false;
    let removed = 0;
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (libc.unlinkAt(fd, name) >= 0) removed += 1;
      if (Date.now() >= end) break;
    }
    libc.close(fd);
    this.#leaving = names.length > 0 ? leaving : undefined;
    if (names.length > 0) return true;
    const gone = libc.unlinkAt(libc.AT_FDCWD, toBytes(dir), libc.AT_REMOVEDIR) >= 0;
    return gone ? this.#nextCleared() !== undefined : removed > 0;
  }

  #listCleared(): { readonly dir: string; readonly names: Name[] } | undefined {
    const dir = this.#nextCleared();
    const fd = dir === undefined ? -1 : openToList(libc.AT_FDCWD, toBytes(dir));
    if (dir === undefined || fd < 0) return undefined;
    const names = listNames(fd);
    libc.close(fd);
    return { dir, names: typeof names === 'number' ? [] : names };
  }

  #nextCleared(): string | undefined {
    const start = `${basename(this.#path)}${CLEARED}`;
    const name = namesIn(dirname(this.#path)).find((one) => one === start || one.startsWith(`${start}-`));
    return name === undefined ? undefined : `${dirname(this.#path)}/${name}`;
  }

  #copy(path: BytePath, base: BaseTree, to: { dirfd: number; name: Name }): void {
    const fd = base.openRead(path);
    const bytes = fd < 0 ? undefined : this.#readAndClose(fd, mostOf(path));
    if (bytes === undefined || !(isMergeable(bytes) || isGitIndex(bytes))) return;
    // Still what the name says, after it was read?
    const stat = base.statPath(path);
    if (typeof stat === 'number' || String(stampOfFile(stat.mode, fingerprintOf(stat))) !== to.name) return;
    const flags = libc.O_WRONLY | libc.O_CREAT | libc.O_NOFOLLOW | libc.O_TRUNC;
    const out = libc.openAt(to.dirfd, PARTIAL, flags, 0o600);
    if (out < 0) return;
    const written = bytes.length === 0 ? 0 : libc.pwrite(out, bytes, bytes.length, 0);
    libc.close(out);
    if (written === bytes.length) libc.renameAt2(to.dirfd, PARTIAL, to.dirfd, to.name, 0);
  }

  #open(): number {
    return libc.openAt(libc.AT_FDCWD, toBytes(this.#path), libc.O_RDONLY | libc.O_DIRECTORY | libc.O_NOFOLLOW);
  }

  /** All of it; nothing when it is too long, cannot be read, or grows meanwhile. */
  #readAndClose(fd: number, most: number): Buffer | undefined {
    const size = libc.fstatxInto(fd, this.#statx) < 0 ? most + 1 : decodeStatx(this.#statx).size;
    // No larger than needed: V8 counts such memory, and would collect after every few small files.
    const bytes = Buffer.allocUnsafe(size > most ? 0 : size + 1);
    let length = 0;
    for (let n = 1; n > 0 && length < bytes.length; length += Math.max(n, 0)) {
      n = libc.pread(fd, bytes.subarray(length), bytes.length - length, length);
      if (n < 0) length = bytes.length;
    }
    libc.close(fd);
    return length < bytes.length ? bytes.subarray(0, length) : undefined;
  }
}

function mostOf(path: BytePath): number {
  return noiseOf(path) === 'index' ? MOST_INDEX : MAX_MERGED;
}
