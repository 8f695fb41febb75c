/**
 * When the session is to run on the processor of who asks it. A switch between two threads on one processor costs a
 * fraction of one across, and what was written lies in its caches. Where the session runs under SCHED_IDLE the kernel
 * wakes the caller there, and not on another processor that is idle (`sched_idle_cpu` in kernel/sched/fair.c).
 *
 * That suits one caller at a time who asks again and again. Who else computes there would keep the session waiting, so
 * it is let go as soon as several ask at once, something else is to be done, or the processors have others to run; and
 * where requests take no less time by it, as on some hosts (trial.ts).
 */
import { Trial } from './trial.ts';

/** Where the session's thread runs. */
export interface Affinity {
  /** Whether it is held to its caller's processor. */
  readonly isHeld: boolean;
  /** A window of this thread was served: the session is to be on its processor, behind all others there. False, and let go, where that is no good. */
  follow(tid: number): boolean;
  /** The session may run everywhere, and not behind others, from now on. */
  letGo(): void;
}

/** Requests between two looks. */
export const WINDOW = 16;
/** Of these, so many may have been another thread's while the one before was being answered. */
const MOST_OTHERS = 1;
/** Milliseconds for so many requests: who asks more seldom loses nothing by a switch. */
const SLOWEST = 16;
/**
 * Windows until it is tried again after it was no good. Doubled, up to the last, when it was good for a while only; as it was
 * at first when it was good for as many windows, or nothing was asked for a while, but not where it was slower.
 */
const FIRST_HOLD = 32;
const LONGEST_HOLD = 512;

export class Following {
  readonly #affinity: Affinity | undefined;
  readonly #clock: () => number;
  #requests = 0;
  #others = 0;
  #since = 0;
  #tid = 0;
  #isFollowing = false;
  /** Windows for which it was good since it was last no good. */
  #good = 0;
  /** Windows for which it is not tried, and how many it will be next time. */
  #held = 0;
  #nextHold = FIRST_HOLD;
  readonly #trial = new Trial();

  /** `clock`: milliseconds since some moment. */
  constructor(affinity: Affinity | undefined, clock = (): number => performance.now()) {
    this.#affinity = affinity;
    this.#clock = clock;
  }

  /** A request of this thread (0: the kernel's own) was served, which `wasThere` when the one before it had just been answered. */
  served(tid: number, wasThere: boolean): void {
    if (this.#affinity === undefined) return;
    this.#requests += 1;
    if (tid === 0) return;
    // What a caller does not wait for (RELEASE, FORGET) is there with its next request.
    if (tid !== this.#tid && wasThere) this.#others += 1;
    this.#tid = tid;
    if (this.#requests >= WINDOW) this.#look(this.#affinity);
  }

  /** Nothing is asked any more, or something else is to be done first. */
  letGo(): void {
    if (this.#isFollowing) this.#affinity?.letGo();
    this.#isFollowing = false;
  }

  #look(affinity: Affinity): void {
    const now = this.#clock();
    const isOne = this.#others <= MOST_OTHERS;
    const took = now - this.#since;
    this.#requests = 0;
    this.#others = 0;
    this.#since = now;
    if (took > SLOWEST) this.#pause();
    else if (isOne) this.#go(affinity, took);
    else this.#leave();
  }

  /** A window of one caller's took so many milliseconds. */
  #go(affinity: Affinity, took: number): void {
    this.#trial.note(affinity.isHeld, took);
    const { leave } = this.#trial;
    if (leave === 'slower') this.#leave();
    // It goes there again after the windows that it is compared with.
    else if (leave !== undefined) this.letGo();
    else if (this.#held > 0) this.#held -= 1;
    else this.#follow(affinity);
  }

  #follow(affinity: Affinity): void {
    if (affinity.follow(this.#tid)) {
      this.#isFollowing = true;
      this.#good += 1;
      if (this.#good >= this.#nextHold) this.#nextHold = FIRST_HOLD;
    } else {
      this.#isFollowing = false;
      this.#hold();
    }
  }

  #pause(): void {
    this.letGo();
    this.#trial.forget();
    if (this.#trial.isSlower) return;
    this.#held = 0;
    this.#nextHold = FIRST_HOLD;
  }

  #leave(): void {
    if (!this.#isFollowing) return;
    this.letGo();
    this.#hold();
  }

  #hold(): void {
    this.#held = this.#nextHold;
    if (this.#good > 0) this.#nextHold = Math.min(LONGEST_HOLD, this.#nextHold * 2);
    this.#good = 0;
  }
}
