/** After a commit is through: removes what its steps have set aside. From here on nothing is taken back any more. */
import { objectPath } from '../../staging/object-store.ts';
import type { Errno } from '../../sys/errno.ts';
import { EACCES, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../../sys/stat.ts';
import type { Step } from '../steps.ts';
import type { At } from './attributes.ts';
import { applyAttributes } from './attributes.ts';
import type { Bench } from './bench.ts';
import { open, slotOf } from './bench.ts';
import type { Slot } from './directories.ts';
import { Directory } from './directories.ts';
import { replacedBy } from './place-step.ts';
import { removeTree } from './remove-tree.ts';

export class Tidying {
  readonly #bench: Bench;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** Directories from which something was removed. */
  readonly #changed = new Set<Directory>();

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** Removes what one step has left over. */
  step(step: Step): Errno {
    const { store } = this.#bench;
    switch (step.do) {
      case 'move':
        if (step.why === 'aside') return this.#remove(step.to);
        return step.how === 'copied' ? this.#remove(step.from) : OK;
      case 'rewrite':
        libc.unlinkAt(store.dirfd, step.backup);
        libc.unlinkAt(store.dirfd, objectPath(step.object));
        return OK;
      case 'place': {
        // After an exchange this is the original, after a copy the object.
        if (step.how?.source === 'copy' || step.how?.put === 'exchanged') store.remove(step.object);
        const replaced = replacedBy(step);
        return replaced === undefined ? OK : this.#remove(replaced);
      }
      default:
        return OK;
    }
  }

  /** Gives directories their times again, which removing entries has changed. */
  restoreTimes(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.do !== 'adjust' || !(step.at instanceof Directory) || !this.#changed.has(step.at)) continue;
      const { mtime } = step.attributes;
      const at = open(this.#bench, slotOf(step.at));
      if (mtime !== undefined && typeof at === 'object') applyAttributes(at, { mtime });
    }
  }

  #remove(slot: Slot): Errno {
    const at = open(this.#bench, slot);
    if (typeof at === 'number') return at;
    this.#changed.add(slot.dir);
    const errno = removeTree(at.dirfd, at.name);
    return errno === EACCES ? this.#removeFromLocked(slot, at) : errno;
  }

  /** The directory has its final mode by now, which may be read-only. */
  #removeFromLocked(slot: Slot, at: At): Errno {
    const parent = open(this.#bench, slotOf(slot.dir));
    if (typeof parent === 'number' || libc.fstatxInto(at.dirfd, this.#statx) < 0) return EACCES;
    const mode = decodeStatx(this.#statx).mode & 0o7777;
    if (applyAttributes(parent, { mode: mode | 0o700 }) !== OK) return EACCES;
    const again = open(this.#bench, slot);
    const errno = typeof again === 'number' ? again : removeTree(again.dirfd, again.name);
    return applyAttributes(parent, { mode }) || errno;
  }
}
