/** Copying across file systems, where a rename cannot go: everything stat(2) shows, extended attributes, holes, links. */
import { copyContent } from '../../../staging/copy-content.ts';
import type { Errno } from '../../../sys/errno.ts';
import { EIO, OK } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import type { Stat } from '../../../sys/stat.ts';
import { decodeStatx, isDirectory, isRegular, isSymlink, STATX_SIZE } from '../../../sys/stat.ts';
import type { At, FileAttributes } from './attributes.ts';
import { applyAttributes, attributesOf } from './attributes.ts';
import { listNames, openToList } from './list-names.ts';
import { removeTree } from './remove-tree.ts';

const XATTR_LIST_MAX = 65_536;

/** Copies `from` and everything below it to the free name `to`; on failure nothing of the copy is left. */
export function copyTree(from: At, to: At): Errno {
  const errno = new TreeCopy(to).copy(from, to);
  if (errno !== OK) removeTree(to.dirfd, to.name);
  return errno;
}

/** Copies the content of an open file to the new file `to` with the given attributes, and makes it durable. */
export function copyFile(from: number, to: At, attributes: FileAttributes): Errno {
  const stat = statOfFile(from);
  if (typeof stat === 'number') return stat;
  const fd = libc.openAt(to.dirfd, to.name, libc.O_RDWR | libc.O_CREAT | libc.O_EXCL | libc.O_NOFOLLOW, 0o600);
  if (fd < 0) return -fd as Errno;
  let errno = copyContent(from, fd, stat.size);
  if (errno === OK) errno = applyAttributes(to, attributes);
  if (errno === OK) errno = -Math.min(0, libc.fsync(fd)) as Errno;
  libc.close(fd);
  if (errno !== OK) libc.unlinkAt(to.dirfd, to.name);
  return errno;
}

/** All extended attributes of a file; none where they cannot be read. */
export function xattrsOf(at: At): { name: string; value: Buffer; carried: true }[] {
  const buffer = Buffer.allocUnsafe(XATTR_LIST_MAX);
  const length = libc.listxattrAt(at.dirfd, at.name, buffer);
  if (length <= 0) return [];
  const names = buffer.toString('latin1', 0, length).split('\0').filter(Boolean);
  return names.flatMap((name) => {
    const size = libc.getxattrAt(at.dirfd, at.name, name, buffer);
    return size < 0 ? [] : [{ name, value: Buffer.from(buffer.subarray(0, size)), carried: true as const }];
  });
}

class TreeCopy {
  readonly #root: At;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** Files with several names: `dev:ino` -> path of the first copy, relative to the copy's parent. */
  readonly #linked = new Map<string, string>();
  readonly #path: string[] = [];

  constructor(root: At) {
    this.#root = root;
  }

  copy(from: At, to: At): Errno {
    const result = libc.statxInto(from.dirfd, from.name, this.#statx);
    if (result < 0) return -result as Errno;
    const stat = decodeStatx(this.#statx);
    this.#path.push(to.name);
    const errno = this.#copyStat(from, to, stat);
    this.#path.pop();
    return errno;
  }

  #copyStat(from: At, to: At, stat: Stat): Errno {
    const key = `${stat.dev}:${stat.ino}`;
    const twin = stat.nlink > 1 && !isDirectory(stat.mode) ? this.#linked.get(key) : undefined;
    // The path leads through directories that were made just now, below a descriptor.
    if (twin !== undefined) return done(libc.linkAt(this.#root.dirfd, twin, to.dirfd, to.name));
    if (stat.nlink > 1) this.#linked.set(key, this.#path.join('/'));
    const attributes = { ...attributesOf(stat), xattrs: xattrsOf(from) };
    if (isRegular(stat.mode)) return copyRegular(from, to, attributes);
    const errno = isDirectory(stat.mode) ? this.#copyDirectory(from, to) : copySpecial(from, to, stat);
    if (errno !== OK) return errno;
    const { mode, ...rest } = attributes;
    return applyAttributes(to, isSymlink(stat.mode) ? rest : { ...rest, mode });
  }

  #copyDirectory(from: At, to: At): Errno {
    const made = libc.mkdirAt(to.dirfd, to.name, 0o700);
    if (made < 0) return -made as Errno;
    const source = openToList(from.dirfd, from.name);
    const target = openToList(to.dirfd, to.name);
    try {
      if (source < 0 || target < 0) return -Math.min(source, target) as Errno;
      const names = listNames(source);
      if (typeof names === 'number') return names;
      for (const name of names) {
        const errno = this.copy({ dirfd: source, name }, { dirfd: target, name });
        if (errno !== OK) return errno;
      }
      return OK;
    } finally {
      if (source >= 0) libc.close(source);
      if (target >= 0) libc.close(target);
    }
  }
}

function copyRegular(from: At, to: At, attributes: FileAttributes): Errno {
  const fd = libc.openAt(from.dirfd, from.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  if (fd < 0) return -fd as Errno;
  const errno = copyFile(fd, to, attributes);
  libc.close(fd);
  return errno;
}

function copySpecial(from: At, to: At, stat: Stat): Errno {
  if (!isSymlink(stat.mode)) return done(libc.mknodAt(to.dirfd, to.name, stat.mode, stat.rdev));
  const target = libc.readlinkAt(from.dirfd, from.name);
  return typeof target === 'number' ? (-target as Errno) : done(libc.symlinkAt(target, to.dirfd, to.name));
}

function statOfFile(fd: number): Stat | Errno {
  const statx = Buffer.alloc(STATX_SIZE);
  if (libc.fstatxInto(fd, statx) < 0) return EIO;
  return decodeStatx(statx);
}

function done(result: number): Errno {
  return result < 0 ? (-result as Errno) : OK;
}
