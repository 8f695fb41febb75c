/**
 * Has the session's init make in the view what somebody changed outside, for who has it open or watches it there. Lives in the main thread.
 *
 *     changes are told, the kernel has forgotten ─▶ run(): who watches what ─▶ order `echo` ─▶ the init ─▶ order `echoed`
 *
 * What nobody holds the kernel has let go of by then, so there is nothing to make; only in directories that somebody watches there is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EchoStep } from '../../staging/watch/echoes.ts';
import { log } from '../../sys/log.ts';
import { watchedInodes } from '../../sys/process/inotify-watches.ts';
import { processesBeside } from '../../sys/process/process.ts';
import { Forgetter, invalidate, isAnything } from './invalidate.ts';
import type { ServedView } from './served-view.ts';

/** How long the init may take for what it is asked at once: it may have to wait for a directory that somebody holds. */
const LONGEST_MS = 10_000;
/** What is left of the time to others, and how many times as long as the last round took. */
const PAUSE_MS = 20;
const PAUSE_FACTOR = 4;
/** How long a run waits for it before it begins. */
const PATIENCE_MS = 200;
/** How long for the kernel to forget: a host that writes without a pause gives it something to forget all the time. */
const FORGETTING_MS = 5000;

export class Echo {
  /** Sends what the kernel is to forget first. */
  readonly forgetter: Forgetter;
  readonly #view: ServedView;
  #isWanted = false;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();

  constructor(view: ServedView) {
    this.#view = view;
    this.forgetter = new Forgetter(view.notifiers, () => this.run());
    const { worker, holder } = view;
    if (holder.echo === undefined) return;
    worker.order('offerEchoes', { init: holder.pid }).catch((error: Error) => log(error.message));
  }

  /** Something may be to be made; returns at once. */
  run(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#view.holder.echo === undefined) return;
    this.#isRunning = true;
    this.#running = this.#rounds().finally(() => {
      this.#isRunning = false;
    });
  }

  /** Resolves when the kernel has forgotten what the host has changed by now: whoever starts then sees it. It is made by then, or soon. */
  async idle(): Promise<void> {
    await Promise.race([this.#forgotten(), sleep(FORGETTING_MS, null, { ref: false })]);
    await Promise.race([this.#running, sleep(PATIENCE_MS, null, { ref: false })]);
  }

  async #forgotten(): Promise<void> {
    await this.#view.worker.order('lookOutside', null);
    await this.forgetter.idle();
  }

  async #rounds(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      const since = performance.now();
      // What is wanted meanwhile is made all the same.
      await this.#round().catch((error: Error) => log(`echo of outside changes: ${error.message}`));
      // A host that writes without a pause must not keep this thread busy.
      if (this.#isWanted)
        await sleep(Math.max(PAUSE_MS, PAUSE_FACTOR * (performance.now() - since)), null, { ref: false });
    }
  }

  async #round(): Promise<void> {
    const { worker, holder, notifiers } = this.#view;
    const watched = watchedInodes(processesBeside(holder.pid));
    const { steps, more } = await worker.order('echo', { watched });
    this.#isWanted ||= more;
    if (steps.length === 0) return;
    await this.forgetter.idle();
    const made = holder.echo?.(steps.map(lineOf).join(''));
    await Promise.race([made, sleep(LONGEST_MS, null, { ref: false })]);
    const { forget, more: isOutrun } = await worker.order('echoed', null);
    await invalidate(notifiers, forget);
    // Who has the old node of what could not follow is told in a round of its own.
    this.#isWanted ||= isOutrun || isAnything(forget);
    // Nothing can be asked of it before it is through.
    await made;
  }
}

function lineOf({ how, path, more }: EchoStep): string {
  return `${[how, Buffer.from(path, 'latin1').toString('hex'), ...more].join(' ')}\n`;
}
