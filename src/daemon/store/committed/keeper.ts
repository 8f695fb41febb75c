/**
 * Sees to it that content which a commit gave to the base stays in the store, too. It copies in the background, a file at
 * a time; whatever needs the store to be complete waits. What a daemon did not get to, the next one does.
 */
import { setImmediate as pause } from 'node:timers/promises';
import { restoreObjects, withObjectsMissing } from '../../../history/commit/runner/restore-objects.ts';
import type { Layout } from '../../../history/layout.ts';
import type { ObjectStore } from '../../../staging/object-store.ts';
import { log } from '../../../sys/log.ts';
import { SLICE_MS } from './slices.ts';

/** Milliseconds of work before the first pause, of a commit of few changes: on a busy machine a slice is soon over. */
const FIRST_SLICE = 250;
/** Changes of a commit whose log is read, and for the most part done, in the time of a slice. */
const FEW = 1000;

export class Keeper {
  readonly #layout: Layout;
  readonly #store: ObjectStore;
  #work: Promise<void> | undefined;
  #stopped = false;
  #isInterrupted = false;

  constructor(layout: Layout, store: ObjectStore) {
    this.#layout = layout;
    this.#store = store;
  }

  /**
   * Begins to copy what is missing. Of a commit of few changes all is in the store before this returns, unless that takes long,
   * and so before anybody hears of it and edits the real files; with many, whoever waits is answered first.
   */
  start(changes = 0): void {
    this.#work ??= this.#keepAll(changes)
      .catch((error: Error) => log(`keeping what was committed: ${error.message}`))
      .finally(() => {
        this.#work = undefined;
      });
  }

  /** Resolves when nothing is being copied. */
  async idle(): Promise<void> {
    await this.#work;
  }

  /** Has `whole` done when all is copied or, sooner, `atOnce` between two files, which says with null that it cannot be. */
  async beside<T>(atOnce: () => Promise<T | null>, whole: () => Promise<T>): Promise<T> {
    if (this.#work === undefined) return whole();
    this.#isInterrupted = true;
    await this.#work;
    this.#isInterrupted = false;
    const done = await atOnce().finally(() => this.start(Number.POSITIVE_INFINITY));
    if (done !== null) return done;
    await this.idle();
    return whole();
  }

  /** Nothing more is copied. */
  stop(): void {
    this.#stopped = true;
  }

  async #keepAll(changes: number): Promise<void> {
    // To read the log of 100,000 steps takes more than half a second.
    if (changes > FEW) await pause();
    let slice = changes > FEW ? SLICE_MS : FIRST_SLICE;
    for (const number of withObjectsMissing(this.#layout)) {
      if (this.#isInterrupted) return;
      await this.#keep(number, slice);
      slice = SLICE_MS;
    }
  }

  async #keep(number: number, firstSlice: number): Promise<void> {
    const work = restoreObjects(this.#layout, number, this.#store);
    let sliceEnd = Date.now() + firstSlice;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done && step.value === 'disk full')
        log(`the disk is too full to keep a copy of what commit ${number} applied`);
      if (step.done || this.#stopped) break;
      if (Date.now() < sliceEnd) continue;
      await pause();
      if (this.#isInterrupted) break;
      sliceEnd = Date.now() + SLICE_MS;
    }
    work.return('done');
  }
}
