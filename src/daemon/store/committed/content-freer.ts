/**
 * Frees what undos have left in the backups (history/commit/runner/free-contents.ts), also those of an earlier daemon: in
 * short slices, so that no request is slower for it, and no order waits.
 */
import { freeContents } from '../../../history/commit/runner/free-contents.ts';
import type { Layout } from '../../../history/layout.ts';
import { log } from '../../../sys/log.ts';
import { pauseUntil, SLICE_MS } from './slices.ts';

export class ContentFreer {
  readonly #layout: Layout;
  readonly #isFree: () => boolean;
  #isBusy = false;
  /** There may be more than was there when the work began. */
  #isAsked = false;
  #isStopped = false;

  /** `isFree`: no order is carried out. */
  constructor(layout: Layout, isFree: () => boolean) {
    this.#layout = layout;
    this.#isFree = isFree;
  }

  /** Begins to free what is there, in a moment; nobody waits for it. */
  start(): void {
    this.#isAsked = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#freeAll()
      .catch((error: Error) => log(`freeing what an undo has left: ${error.message}`))
      .finally(() => {
        this.#isBusy = false;
      });
  }

  /** Nothing more is freed. */
  stop(): void {
    this.#isStopped = true;
  }

  async #freeAll(): Promise<void> {
    while (this.#isAsked) {
      this.#isAsked = false;
      await pauseUntil(this.#isFree);
      let sliceEnd = Date.now() + SLICE_MS;
      for (const _ of freeContents(this.#layout)) {
        if (this.#isStopped) return;
        if (Date.now() < sliceEnd) continue;
        await pauseUntil(this.#isFree);
        sliceEnd = Date.now() + SLICE_MS;
      }
    }
  }
}
