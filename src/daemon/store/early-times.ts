/**
 * Times of files born in the view, set on their content objects while nobody waits. The kernel tells the time of a write
 * after the data, so no object has it by itself; where it has, a commit has a call less for that file. Only a saving: a
 * commit looks at every object and sets what is missing.
 */
import type { Inode } from '../../staging/inode.ts';
import type { ObjectStore } from '../../staging/object-store.ts';

/** Files that are remembered; a commit does the rest. */
const MOST = 200_000;
/** Milliseconds for which a request may have to wait. */
const SLICE_MS = 1;
/** Files between two looks at the clock, about a tenth of a millisecond. */
const LOOK_EVERY = 32;

export class EarlyTimes {
  readonly #store: ObjectStore;
  #waiting: Inode[] = [];

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Takes down those among changed inodes that are files with content, born in the view. */
  note(changed: Iterable<Inode>): void {
    for (const inode of changed) {
      if (this.#waiting.length >= MOST) return;
      if (isBornFile(inode)) this.#waiting.push(inode);
    }
  }

  /** Sets the times of a part of them; false when none are left. */
  step(): boolean {
    const end = performance.now() + SLICE_MS;
    for (let done = 1; this.#waiting.length > 0; done++) {
      const inode = this.#waiting.pop();
      if (inode !== undefined) this.#set(inode);
      if (done % LOOK_EVERY === 0 && performance.now() >= end) break;
    }
    if (this.#waiting.length > 0) return true;
    // The array would keep its room.
    this.#waiting = [];
    return false;
  }

  #set(inode: Inode): void {
    const { object, attributes } = inode.staged ?? {};
    const { atime, mtime } = attributes ?? {};
    // It may have been removed since, or committed.
    if (!isBornFile(inode) || object === undefined || atime === undefined || mtime === undefined) return;
    // What cannot be set now is set, or told, by the commit.
    this.#store.setTimes(object, atime, mtime);
  }
}

/**
 * In all states that have such a file it has times of its own, whatever the object's are. (For a changed file of the base
 * an older state may go by the object's.)
 */
function isBornFile({ base, staged }: Inode): boolean {
  return base === undefined && staged !== undefined && staged.object !== 0;
}
