/**
 * Directories that a commit or undo has made or moved are watched at their places from its end on. What somebody did in them
 * before that raised no event: it is looked for afterwards, while nobody waits.
 */
import type { BytePath, Name } from '../../sys/bytes.ts';
import { S_IFREG } from '../../sys/stat.ts';
import type { BaseTree } from '../base-tree.ts';
import { type Dentry, type Inode, TOMBSTONE, viewPath } from '../inode.ts';
import { isAsFound } from '../resolver.ts';

/** Milliseconds for which a request may have to wait. */
const SLICE_MS = 1;
/** Names between two looks at the clock. */
const LOOK_EVERY = 32;

/** Something that differs from what the kernel was told. */
export interface Different {
  readonly dir: BytePath;
  readonly name: Name;
}

export class LateLook {
  readonly #base: BaseTree;
  readonly #waiting: Inode[] = [];
  #looking: Generator<Different | undefined> | undefined;

  constructor(base: BaseTree) {
    this.#base = base;
  }

  /** A directory that is watched from now on. */
  note(dir: Inode): void {
    this.#waiting.push(dir);
  }

  get isOver(): boolean {
    return this.#looking === undefined && this.#waiting.length === 0;
  }

  /** Looks at a part of them. */
  step(): Different[] {
    if (this.isOver) return [];
    const end = performance.now() + SLICE_MS;
    const found: Different[] = [];
    const looking = this.#looking ?? this.#look();
    this.#looking = looking;
    for (let done = 1; ; done++) {
      const { value, done: isOver } = looking.next();
      if (value !== undefined) found.push(value);
      if (isOver) this.#looking = undefined;
      if (isOver || (done % LOOK_EVERY === 0 && performance.now() >= end)) return found;
    }
  }

  /** One name after the other, of those that the kernel knows and those that it may hold for nothing. */
  *#look(): Generator<Different | undefined, undefined> {
    for (let inode = this.#waiting.pop(); inode !== undefined; inode = this.#waiting.pop()) {
      const dir = inode.base;
      // What has moved since is another place's.
      if (dir === undefined || inode.nodeId === 0 || dir !== viewPath(inode)) continue;
      const entries = this.#base.list(dir);
      if (typeof entries === 'number') continue;
      const gone = new Set(inode.children?.keys());
      for (const { name } of entries) {
        gone.delete(name);
        yield this.#differs(inode, dir, name) ? { dir, name } : undefined;
      }
      for (const name of gone) if (isFromBase(inode.children?.get(name))) yield { dir, name };
    }
    return undefined;
  }

  #differs(dir: Inode, path: BytePath, name: Name): boolean {
    const known = dir.children?.get(name);
    if (known === undefined) return true;
    if (!isFromBase(known) || known.type !== S_IFREG || known.stale) return false;
    const stat = this.#base.stat(path, name);
    return typeof stat === 'number' || !isAsFound(known, stat);
  }
}

/** Whether a name is merely the base's, and no override. */
function isFromBase(dentry: Dentry | undefined): dentry is Inode {
  return dentry !== undefined && dentry !== TOMBSTONE && dentry.staged === undefined;
}
