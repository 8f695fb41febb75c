/** The quota, as the main thread sees to it: it counts what is in the store, the FUSE thread counts on from there. */
import { setImmediate as pause } from 'node:timers/promises';
import { occupiedBy, storedObjects } from '../../history/gc/store-walk.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import { log } from '../../sys/log.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import { Turns } from '../life/turns.ts';

/** Objects looked at in a row. */
const BURST = 256;

export class StoreCount {
  readonly #worker: FuseWorker;
  readonly #store: ObjectStore;
  readonly #turns = new Turns();
  #limit: number | undefined;

  constructor(worker: FuseWorker, store: ObjectStore) {
    this.#worker = worker;
    this.#store = store;
  }

  /** Sets the limit in bytes (undefined: none), at once; what there is is counted in the background. */
  setLimit(bytes: number | undefined): Promise<void> {
    const before = this.#limit;
    this.#limit = bytes;
    return bytes === undefined && before === undefined ? Promise.resolve() : this.#count();
  }

  /** After something was removed, or moved into the base or back, behind the FUSE thread's back. */
  recount(): void {
    if (this.#limit !== undefined) void this.#count();
  }

  #count(): Promise<void> {
    const work = async (): Promise<void> => {
      const { end } = await this.#worker.order('limit', { bytes: this.#limit });
      if (this.#limit === undefined) return;
      let [bytes, looked] = [0, 0];
      for (const object of storedObjects(this.#store)) {
        if (++looked % BURST === 0) await pause();
        if (object < end) bytes += occupiedBy(this.#store, object)?.bytes ?? 0;
      }
      await this.#worker.order('counted', { bytes });
    };
    return this.#turns.take(work).catch((error: Error) => log(`quota: ${error.message}`));
  }
}
