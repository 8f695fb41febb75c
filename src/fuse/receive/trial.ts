/**
 * Whether requests take less time where the session is on its caller's processor. To wake a thread on another one costs ten times a switch on
 * some hosts and hardly more on others, where each of the two then goes on while the other does. So both are tried, and compared.
 */

/** Windows of requests that are compared, of either. */
const COMPARED = 8;
/** Windows before these, in which caches fill, and spinning is learned anew. */
const SETTLING = 2;
/** What a trial needs of either. */
export const TRIAL_WINDOWS = SETTLING + COMPARED;
/** It must take so much less time: what is nearer may be chance. */
const LEAST_GAIN = 0.9;
/** Windows on the caller's processor until it is tried anew, as what is asked changes. Doubled each time it was faster. */
const FIRST_TERM = 32;
const LONGEST_TERM = 1024;

export class Trial {
  #isBeside = false;
  /** Windows since it is so. */
  #windows = 0;
  /** Milliseconds of the latest windows before it went to its caller, and of the first ones there. */
  #apart: number[] = [];
  #beside: number[] = [];
  #isCompared = false;
  #isSlower = false;
  #term = FIRST_TERM;

  /** A window of requests took so many milliseconds; `isBeside`: on its caller's processor. */
  note(isBeside: boolean, ms: number): void {
    if (isBeside !== this.#isBeside) this.#begin(isBeside);
    this.#windows += 1;
    if (this.#windows <= SETTLING || this.#isCompared) return;
    const own = isBeside ? this.#beside : this.#apart;
    own.push(ms);
    if (!isBeside && own.length > COMPARED) own.shift();
    else if (isBeside && own.length === COMPARED) this.#compare();
  }

  /** What is asked from now on has nothing to do with what was asked so far. */
  forget(): void {
    this.#begin(false);
    // The first windows of something new are slower than those that follow, wherever they are served.
    this.#term = FIRST_TERM;
  }

  /** How it came out last: it is not to be there. False before. */
  get isSlower(): boolean {
    return this.#isSlower;
  }

  /** Why it is to leave its caller's processor now. */
  get leave(): 'slower' | 'to compare' | undefined {
    if (!this.#isBeside) return undefined;
    if (this.#isCompared && this.#isSlower) return 'slower';
    return this.#windows >= this.#term ? 'to compare' : undefined;
  }

  #begin(isBeside: boolean): void {
    this.#isBeside = isBeside;
    this.#windows = 0;
    this.#isCompared = false;
    if (isBeside) this.#beside = [];
    else this.#apart = [];
  }

  #compare(): void {
    this.#isCompared = true;
    // It may have gone there at once.
    if (this.#apart.length < COMPARED) return;
    this.#isSlower = median(this.#beside) > LEAST_GAIN * median(this.#apart);
    this.#term = this.#isSlower ? FIRST_TERM : Math.min(LONGEST_TERM, this.#term * 2);
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
