/**
 * After a commit is through: brings the base entries that lie beside their old places, or in the store, to the backups.
 * From here on nothing is taken back any more, except by undo. May be repeated.
 */

import type { BytePath, Name } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { EACCES, EXDEV, OK, SystemError } from '../../../sys/errno.ts';
import { syncDirectory } from '../../../sys/files/sync-directory.ts';
import { isDirectory } from '../../../sys/stat.ts';
import type { Step } from '../plan/steps.ts';
import { applyAttributes } from './attributes.ts';
import { copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { Directory } from './directories.ts';
import { besideOf } from './move-step.ts';
import { replacedBy } from './place-step.ts';
import type { Spot } from './spot.ts';
import { drop, holds, isInCopy, openSpots, shift, statAt } from './spot.ts';
import type { StepContext } from './step-context.ts';
import { keptAt, objectAt, open, partAt, slotOf } from './step-context.ts';

export class Tidying {
  readonly #bench: StepContext;
  /** Directories from which something was, or may have been, taken away. */
  readonly #changed = new Set<Directory>();

  constructor(context: StepContext) {
    this.#bench = context;
  }

  /** Puts away what one step has left over. */
  step(step: Step): Errno {
    try {
      return this.#step(step);
    } catch (error) {
      if (error instanceof SystemError) return error.errno;
      throw error;
    }
  }

  /** After all steps: gives a directory its time again, which taking entries away has changed. */
  restoreTime(step: Step): Errno {
    if (step.do !== 'adjust' || !(step.at instanceof Directory) || !this.#changed.has(step.at)) return OK;
    const { mtime } = step.attributes;
    if (mtime === undefined) return OK;
    const at = open(this.#bench, slotOf(step.at));
    return typeof at === 'number' ? at : applyAttributes(at, { mtime });
  }

  #step(step: Step): Errno {
    const context = this.#bench;
    if (step.do === 'place') {
      if (step.over === undefined) return OK;
      const isCopy = context.notes.noted(step, 'new') !== undefined;
      // Known for one attempt only.
      const isKnown = context.exchanged.delete(step) && !isCopy;
      const original = isKnown ? objectAt(context, step.object) : replacedBy(step, context);
      if (isCopy) this.#changed.add(step.at.dir);
      return original === undefined ? OK : this.#keep(original, step.kept);
    }
    if (step.do !== 'move' || step.kept === undefined) return OK;
    const from = step.why === 'aside' ? besideOf(step) : step.from;
    if (step.to.dir !== context.backups) this.#changed.add(from.dir);
    if (holds(context, from, [step.id, context.notes.noted(step, 'old')])) return this.#keep(from, step.kept);
    // It came along in a copy; the real one is in the real directory.
    if (isInCopy(context, from.dir)) drop(context, from);
    return OK;
  }

  #keep(spot: Spot, name: Name): Errno {
    const errno = this.#bring(spot, name);
    if ('dir' in spot) this.#changed.add(spot.dir);
    return errno === EACCES ? this.#bringLocked(spot, name) : errno;
  }

  #bring(spot: Spot, name: Name): Errno {
    const context = this.#bench;
    const kept = keptAt(context, name);
    const errno = shift(context, spot, kept);
    if (errno !== EXDEV) return errno;
    const part = partAt(context, name);
    if (statAt(context, kept) === undefined) {
      drop(context, part);
      const both = openSpots(context, spot, part);
      const copied = typeof both === 'number' ? both : copyTree(both[0], both[1]) || shift(context, part, kept);
      if (copied !== OK) return copied;
    }
    // Another file system may lose the name of the copy in a power cut that this one remembers the removal of.
    const dirfd = context.directories.of(context.backups);
    const synced = dirfd < 0 ? (-dirfd as Errno) : syncDirectory('.' as BytePath, dirfd);
    if (synced === OK) drop(context, spot);
    return synced;
  }

  /** A directory that has its final mode by now may be read-only: the one it lies in, or the base entry itself. */
  #bringLocked(spot: Spot, name: Name): Errno {
    if (!('dir' in spot)) return EACCES;
    const locked = [slotOf(spot.dir), spot].flatMap((slot) => {
      const stat = statAt(this.#bench, slot);
      return stat !== undefined && isDirectory(stat.mode) ? [{ slot, mode: stat.mode & 0o7777 }] : [];
    });
    for (const { slot, mode } of locked) this.#setMode(slot, mode | 0o700);
    const errno = this.#bring(spot, name);
    for (const { slot, mode } of locked)
      this.#setMode(slot === spot && errno === OK ? keptAt(this.#bench, name) : slot, mode);
    return errno;
  }

  #setMode(slot: Slot, mode: number): void {
    const at = open(this.#bench, slot);
    if (typeof at === 'object') applyAttributes(at, { mode });
  }
}
