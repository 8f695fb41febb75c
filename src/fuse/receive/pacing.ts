/**
 * When to spin, when to sleep, and when to call the idle work.
 *
 * Requests come in bursts: the answer to one makes the caller send the next. On a processor of its own the caller
 * is back within microseconds, while waking a sleeping session takes several times as long as serving a request:
 * there it pays to look for the next request for a moment before sleeping. On the session's own processor the
 * caller cannot run before the session sleeps: there looking is pure loss, and sleeping costs next to nothing.
 * Which of the two holds shows in the length of the sleeps, and changes whenever the scheduler moves somebody.
 *
 * Yielding the processor while looking would suit both cases, but with others computing on it the scheduler
 * charges each yield a whole time slice: measured, requests then waited for up to 170 ms.
 */

// All times of SpinBudget are microseconds.
/** How long a spin is. Callers on a processor of their own are nearly always back after 10 to 20. */
const LIMIT = 100;
/** A sleep up to this long lost nothing: the caller ran at once on the processor that became free. */
const CHEAP = 20;
/** A sleep beyond this was a pause of the caller; up to this it may have been two slow wake-ups, its and ours. */
const PAUSE = 250;
/** The sleeps in a row that follow a spin in vain: doubled each time, up to this. */
const MAX_SKIPPED = 256;

/** Decides for how long the session spins before it sleeps: LIMIT or not at all. */
export class SpinBudget {
  /** How long the next spin may take. */
  current = 0;
  /** Sleeps until a spin may be tried again. */
  #skip = 0;
  #nextSkip = 1;

  /** Learns from one wait for a request: how long it was in all, and whether spinning found it. */
  learn(waited: number, found: boolean): void {
    if (found && waited <= LIMIT) this.#nextSkip = 1;
    else if (this.current > 0) this.#giveUp();
    else if (this.#skip > 0) this.#skip--;
    else if (waited > CHEAP && waited <= PAUSE) this.current = LIMIT;
  }

  #giveUp(): void {
    this.current = 0;
    this.#skip = this.#nextSkip;
    this.#nextSkip = Math.min(MAX_SKIPPED, this.#nextSkip * 2);
  }
}

/** The most waits in a row for which nothing is looked for before. */
const MAX_WAITS = 64;

/**
 * Decides whether to look for the next request before waiting for it. Right after a reply it is there only where several ask
 * at a time; of a single caller it never is, and the look costs as much as a reply.
 */
export class EarlyReads {
  #skip = 0;
  #nextSkip = 1;

  /** Whether to look; to be asked once a request. */
  isWorth(): boolean {
    if (this.#skip === 0) return true;
    this.#skip--;
    return false;
  }

  learn(found: boolean): void {
    this.#skip = found ? 0 : this.#nextSkip;
    this.#nextSkip = found ? 1 : Math.min(MAX_WAITS, this.#nextSkip * 2);
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
  run(now = performance.now()): number {
    if (this.#owner.idle === undefined) return -1;
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
