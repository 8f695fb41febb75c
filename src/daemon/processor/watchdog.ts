/**
 * The main thread's side of the FUSE thread's being on its caller's processor: where two looks in a row find more that want to run than
 * there are processors, the FUSE thread may be one that waits.
 */
import { affinity, setAffinity, setIdle } from '../../sys/kernel/scheduling.ts';
import { AT_CALLER, BROUGHT_BACK, type SharedAffinity } from './caller-processor.ts';
import { isCrowded, ProcFile } from './load.ts';

const LOOK_EVERY_MS = 10;

export class CallerWatchdog {
  readonly #shared: SharedAffinity;
  readonly #load = new ProcFile('/proc/loadavg');
  #timer: NodeJS.Timeout | undefined;
  #wasCrowded = false;

  constructor(shared: SharedAffinity) {
    this.#shared = shared;
  }

  /** Looks after that thread until it is let go. */
  watch(tid: number): void {
    this.#timer ??= setInterval(() => this.#look(tid), LOOK_EVERY_MS).unref();
  }

  /** The thread has ended, or is going to. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#wasCrowded = false;
  }

  #look(tid: number): void {
    const before = this.#wasCrowded;
    // The main thread is one of them.
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
