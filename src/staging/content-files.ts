/**
 * Open descriptors of regular files' content, kept for a while because the kernel, which never sends OPEN,
 * names only the inode with each READ and WRITE. Least recently used go first; an inode has one at most.
 */

import { EMFILE, ENFILE, ESTALE } from '../sys/errno.ts';
import * as libc from '../sys/libc.ts';
import type { BaseTree } from './base-tree.ts';
import { hasContentSeen } from './copy-up/seen-version.ts';
import type { Inode } from './inode.ts';
import { basePath } from './inode.ts';
import type { ObjectStore } from './object-store.ts';
import { LastLook } from './store/last-look.ts';

/** Stands for a file without any content, which needs no descriptor. */
export const EMPTY = -1_000_000;

export class ContentFiles {
  /** At objects. */
  readonly look: LastLook;
  readonly #open = new Map<Inode, number>();
  /** All that is left of files whose last name and place went: never given up for others. */
  readonly #pinned = new Map<Inode, number>();
  /** Not to be given up for what is opened now. */
  #spared: Inode | undefined;
  readonly #base: BaseTree;
  readonly #store: ObjectStore;
  readonly #limit: number;

  constructor(base: BaseTree, store: ObjectStore, limit: number) {
    this.#base = base;
    this.#store = store;
    this.look = new LastLook(store);
    this.#limit = limit;
  }

  /** A descriptor to read the content from (writable when it is an object), EMPTY, or a negative errno. */
  of(inode: Inode): number {
    const pinned = this.#pinned.get(inode);
    if (pinned !== undefined) return pinned;
    const known = this.#open.get(inode);
    if (known !== undefined) {
      // Move to the young end; Map iteration starts at the old one.
      if (this.#open.size > this.#limit / 2) {
        this.#open.delete(inode);
        this.#open.set(inode, known);
      }
      return known;
    }
    const fd = this.retry(() => this.#openContent(inode));
    if (fd >= 0) this.keep(inode, fd);
    return fd;
  }

  /** As `of`; that of `other` stays open, even when the process has no descriptor left. */
  beside(other: Inode, inode: Inode): number {
    this.#spared = other;
    const fd = this.of(inode);
    this.#spared = undefined;
    return fd;
  }

  /** From now on the inode's content is what its descriptor leads to, whatever lies at its path. */
  pin(inode: Inode): void {
    if (this.#pinned.has(inode)) return;
    const fd = this.of(inode);
    if (fd < 0) return;
    this.#open.delete(inode);
    this.#pinned.set(inode, fd);
  }

  /** Its place in the base is another's, or nobody's: what is open stays so while the kernel knows it, as nothing else leads there. */
  retain(inode: Inode): void {
    const fd = this.#open.get(inode);
    if (fd === undefined) return;
    if (inode.nodeId === 0 || !this.mayPin) {
      this.drop(inode);
      return;
    }
    this.#open.delete(inode);
    this.#pinned.set(inode, fd);
  }

  /** The descriptor of an inode that is pinned. */
  pinned(inode: Inode): number | undefined {
    return this.#pinned.get(inode);
  }

  /** Hands a descriptor over; it replaces (and closes) the one kept before. */
  keep(inode: Inode, fd: number): void {
    this.drop(inode);
    if (this.#open.size >= this.#limit) this.#evict(this.#limit / 4);
    this.#open.set(inode, fd);
  }

  /** From now on the content is read from `fd`, which stays the caller's until it drops the inode. */
  pinTo(inode: Inode, fd: number): void {
    this.drop(inode);
    this.#pinned.set(inode, fd);
  }

  /** Whether there are descriptors to spare for content that nothing else leads to. */
  get mayPin(): boolean {
    return this.#pinned.size < this.#limit / 4;
  }

  /** The reverse, if it is still that one; the descriptor stays open. */
  unpin(inode: Inode, fd: number): void {
    if (this.#pinned.get(inode) === fd) this.#pinned.delete(inode);
  }

  /** Its descriptor, which is the caller's from now on; or a negative errno. */
  detach(inode: Inode): number {
    const fd = this.of(inode);
    this.#open.delete(inode);
    this.#pinned.delete(inode);
    return fd;
  }

  /** What is open by its place in the base is out of date. */
  forget(inode: Inode): void {
    if (!this.#pinned.has(inode)) this.drop(inode);
  }

  drop(inode: Inode): void {
    const fd = this.#pinned.get(inode) ?? this.#open.get(inode);
    if (fd === undefined) return;
    libc.close(fd);
    this.#open.delete(inode);
    this.#pinned.delete(inode);
  }

  /** Closes all but those of inodes to spare, and of those that are pinned. */
  clear(spare: (inode: Inode) => boolean): void {
    for (const inode of [...this.#open.keys()]) {
      if (!spare(inode)) this.drop(inode);
    }
  }

  /** Closes all of them. */
  close(): void {
    for (const inode of [...this.#open.keys(), ...this.#pinned.keys()]) this.drop(inode);
  }

  /** Runs a call that opens a descriptor; out of descriptors, it gives kept ones up and runs it once more. */
  retry(open: () => number): number {
    const fd = open();
    if (fd !== -EMFILE && fd !== -ENFILE) return fd;
    this.shed();
    this.#base.shed();
    return open();
  }

  /** Gives up half of the descriptors, and the store's own. */
  shed(): void {
    this.#evict(Math.max(this.#open.size / 2, 8));
    this.#store.shed();
  }

  #openContent(inode: Inode): number {
    if (inode.staged !== undefined && inode.staged.object !== 0) return this.#store.open(inode.staged.object);
    const path = basePath(inode);
    if (path === undefined) return inode.staged === undefined ? -ESTALE : EMPTY;
    const fd = this.#base.openRead(path);
    if (fd < 0 || inode.staged !== undefined || inode.ino === 0) return fd;
    const stat = this.#base.statOpen(fd);
    if (typeof stat !== 'number' && (stat.ino === inode.ino || hasContentSeen(inode, stat))) return fd;
    // Another file has its place by now, and none of ours.
    libc.close(fd);
    return -ESTALE;
  }

  #evict(count: number): void {
    let left = count;
    for (const [inode, fd] of this.#open) {
      if (inode === this.#spared) continue;
      if (left-- <= 0) return;
      libc.close(fd);
      this.#open.delete(inode);
    }
  }
}
