/**
 * Directories that a commit works in. A step names a place as (directory, name); the directory is an object that
 * stays the same while steps move it, so a plan can be made before anything has moved.
 *
 * Descriptors are reached from the root one component at a time with RESOLVE_NO_SYMLINKS: whatever somebody puts
 * into the tree meanwhile, a step fails rather than writes elsewhere.
 */
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, ROOT } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { SystemError } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { hostPath, isMountName, isMountPoint } from '../../../sys/mounts.ts';

const MAX_OPEN = 256;

export class Directory {
  /** Where it is right now; undefined for the root. */
  parent: Directory | undefined;
  name: Name;

  constructor(parent: Directory | undefined, name: Name) {
    this.parent = parent;
    this.name = name;
  }
}

/** One name in one directory. */
export interface Slot {
  readonly dir: Directory;
  readonly name: Name;
}

/** Where a directory lies, from the root of this host, if it is not where its path says (`sys/mounts.ts`). */
function mountedAt(parent: Directory, name: Name): string | undefined {
  if (!isMountName(name)) return undefined;
  const above = pathOf(parent);
  return isMountPoint(above, name) ? hostPath(join(above, name)).slice(1) : undefined;
}

function pathOf(dir: Directory): BytePath {
  return dir.parent === undefined ? ROOT : join(pathOf(dir.parent), dir.name);
}

/** Descriptors (`O_PATH`) of the directories used last. */
export class OpenDirectories {
  readonly #root: number;
  readonly #open = new Map<Directory, number>();
  #pinned: Directory | undefined;

  /** Starts at the host's root directory. Throws SystemError. */
  constructor() {
    this.#root = libc.openAt(libc.AT_FDCWD, '/', libc.O_PATH | libc.O_DIRECTORY);
    if (this.#root < 0) throw new SystemError('cannot open the root directory', -this.#root as Errno);
  }

  /** A descriptor that stays this object's, good until the next call; or a negative errno. */
  of(dir: Directory): number {
    if (dir.parent === undefined) return this.#root;
    const known = this.#open.get(dir);
    if (known !== undefined) return known;
    const mount = mountedAt(dir.parent, dir.name);
    const parent = mount === undefined ? this.of(dir.parent) : this.#root;
    if (parent < 0) return parent;
    const fd = libc.openAt2(
      parent,
      mount ?? dir.name,
      libc.O_PATH | libc.O_DIRECTORY | libc.O_NOFOLLOW,
      libc.RESOLVE_BENEATH | libc.RESOLVE_NO_SYMLINKS | libc.RESOLVE_NO_MAGICLINKS,
    );
    if (fd < 0) return fd;
    if (this.#open.size >= MAX_OPEN) this.#evict();
    this.#open.set(dir, fd);
    return fd;
  }

  /** Two descriptors at once; either may be a negative errno. */
  pair(a: Directory, b: Directory): readonly [number, number] {
    const first = this.of(a);
    this.#pinned = a;
    const second = this.of(b);
    this.#pinned = undefined;
    return [first, second];
  }

  /** Forgets descriptors: a directory was replaced by a copy of itself. */
  forget(): void {
    for (const fd of this.#open.values()) libc.close(fd);
    this.#open.clear();
  }

  close(): void {
    this.forget();
    libc.close(this.#root);
  }

  #evict(): void {
    let left = MAX_OPEN / 4;
    for (const [dir, fd] of this.#open) {
      if (left === 0) return;
      if (dir === this.#pinned) continue;
      libc.close(fd);
      this.#open.delete(dir);
      left -= 1;
    }
  }
}
