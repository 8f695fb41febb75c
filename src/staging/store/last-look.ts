/**
 * What the store says of the object that was asked for last. Each request that makes a new file (made, written, dated, owner,
 * mode) is answered with its attributes, and only writes, of which this is told, change what the object adds to them.
 */
import type { ObjectId } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { decodeStatx, S_IFREG, STATX_SIZE, type Stat } from '../../sys/stat.ts';
import type { Staged, Time } from '../inode.ts';
import type { ObjectStore } from '../object-store.ts';

const NONE = 0 as ObjectId;

/** What a file has of its object. */
type Look = Pick<Stat, 'mode' | 'size' | 'blocks' | 'mtimeSec' | 'mtimeNsec'>;

export class LastLook {
  readonly #store: ObjectStore;
  readonly #statx = Buffer.alloc(STATX_SIZE);
  #object = NONE;
  /** One for all: to be used at once. */
  readonly #look: Look = { mode: 0, size: 0, blocks: 0, mtimeSec: 0, mtimeNsec: 0 };

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** The object of a file. Only one of the generation `current` is remembered: older ones are moved, lent and put back by others. */
  of({ object, objectGen }: Staged, current: number): Look | Errno {
    if (object === this.#object && objectGen === current) return this.#look;
    const result = this.#store.statInto(object, this.#statx);
    if (result < 0) return -result as Errno;
    this.#object = objectGen === current ? object : NONE;
    return this.#note(decodeStatx(this.#statx));
  }

  /** An object was made, and is empty. */
  made(object: ObjectId, time: Time): void {
    this.#object = object;
    this.#note({ mode: S_IFREG | 0o600, size: 0, blocks: 0, mtimeSec: time.sec, mtimeNsec: time.nsec });
  }

  /** One was written to, or nobody knows what was done. */
  forget(): void {
    this.#object = NONE;
  }

  #note({ mode, size, blocks, mtimeSec, mtimeNsec }: Look): Look {
    const look = this.#look;
    look.mode = mode;
    look.size = size;
    look.blocks = blocks;
    look.mtimeSec = mtimeSec;
    look.mtimeNsec = mtimeNsec;
    return look;
  }
}
