/** The main thread's side of the FUSE thread's being at its caller's processor. */
import { affinity, setAffinity, setIdle } from '../../sys/kernel/scheduling.ts';
import { AT_CALLER, BROUGHT_BACK, type SharedPlace } from './caller-processor.ts';
import { isCrowded, ProcFile } from './load.ts';

/** Milliseconds between two looks of the main thread; twice in a row something has to be wrong. */
const LOOK_EVERY = 10;

export class CallerWatchdog {
  readonly #shared: SharedPlace;
  readonly #load = new ProcFile('/proc/loadavg');
  #timer: NodeJS.Timeout | undefined;
  #wasCrowded = false;

  constructor(shared: SharedPlace) {
    this.#shared = shared;
  }

  /** Looks after that thread until it is let go. */
  watch(tid: number): void {
    this.#timer ??= setInterval(() => this.#look(tid), LOOK_EVERY).unref();
  }

  /** The thread has ended, or is going to. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#wasCrowded = false;
  }

  #look(tid: number): void {
    const before = this.#wasCrowded;
    // This thread is one of them.
    this.#wasCrowded = isCrowded(this.#load, 1);
    const isThere = Atomics.load(this.#shared, 0) === AT_CALLER;
    if (isThere && !(before && this.#wasCrowded)) return;
    this.stop();
    if (Atomics.compareExchange(this.#shared, 0, AT_CALLER, BROUGHT_BACK) !== AT_CALLER) return;
    setIdle(tid, false);
    const everywhere = affinity();
    if (everywhere !== undefined) setAffinity(tid, everywhere);
  }
}
