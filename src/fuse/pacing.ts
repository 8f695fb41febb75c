/**
 * When to spin, when to sleep, and when to call the idle work.
 *
 * Waking a sleeping process costs more than serving a typical request, and requests come in bursts: the answer
 * to one makes the caller send the next. So after a reply the session looks for the next request without
 * sleeping, for as long as lately was enough. The rule is that of the kernel's halt polling (KVM): a wait that a
 * longer spin would have covered grows the budget, a wait far beyond it shrinks it to nothing, so an idle
 * session never spins.
 */

/** The longest spin, in microseconds like all times of SpinBudget. Beyond it a wake-up is the cheaper part of the wait. */
const LIMIT = 80;
const START = 20;

export class SpinBudget {
  /** How long the next spin may take. */
  current = 0;

  /** Learns from one wait for a request: how long it was in all, spinning and sleeping together. */
  learn(waited: number): void {
    if (waited <= this.current) return;
    if (waited <= LIMIT) this.current = Math.min(LIMIT, this.current === 0 ? START : this.current * 2);
    else this.current = this.current <= START ? 0 : this.current / 2;
  }
}

/** Milliseconds between two calls of `idle` that it did not ask for itself. */
const INTERVAL = 100;
/** Under load without a pause, `idle` still runs this often. */
const OVERDUE = 1000;

/** Decides when the session's `idle` runs: after work, when nothing is to be served, and when it asked for it. */
export class IdleClock {
  readonly #owner: { idle?(): number };
  /** When idle() was called last. */
  #last = Number.NEGATIVE_INFINITY;
  /** When it wants to be called next. */
  #due = Number.POSITIVE_INFINITY;
  /** Whether there was work since the last call. */
  #touched = true;

  constructor(owner: { idle?(): number }) {
    this.#owner = owner;
  }

  /** Says that there was work, after which `idle` may have something to do. */
  touch(): void {
    this.#touched = true;
  }

  /** Calls `idle` if it is due and returns the milliseconds for which the session may sleep; -1 = without end. */
  run(): number {
    if (this.#owner.idle === undefined) return -1;
    const now = performance.now();
    if (this.#touched) this.#due = Math.min(this.#due, this.#last + INTERVAL);
    if (now >= this.#due) this.#call(now);
    return this.#due === Number.POSITIVE_INFINITY ? -1 : Math.max(1, Math.ceil(this.#due - now));
  }

  runIfOverdue(): void {
    if (this.#owner.idle === undefined) return;
    const now = performance.now();
    if (now - this.#last >= OVERDUE) this.#call(now);
  }

  #call(now: number): void {
    this.#last = now;
    this.#touched = false;
    const again = this.#owner.idle?.() ?? -1;
    this.#due = again < 0 ? Number.POSITIVE_INFINITY : now + again;
  }
}
