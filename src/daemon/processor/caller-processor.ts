/**
 * Has the FUSE thread run on the processor of its caller, under SCHED_IDLE (fuse/receive/following.ts), where this process may come
 * back from that: an ordinary user may not. Whether both are on one processor this thread knows by itself: there each answer
 * wakes the caller, who takes the processor from it. Where else the caller is, /proc/TID/stat says, which the FUSE thread must
 * never read: that waits for an execve(2) of the caller, which may wait for the FUSE thread to write back pages. Of two processors it
 * is the other one; of more the main thread asks (watchdog.ts).
 */
import { type Affinity, WINDOW } from '../../fuse/receive/following.ts';
import {
  affinityOf,
  currentProcessor,
  onlyProcessor,
  preemptions,
  processorsIn,
  setAffinity,
  setIdle,
  threadId,
} from '../../sys/kernel/scheduling.ts';
import { PROCESSORS, runningThreads } from './load.ts';
import { bringBack, SharedPlace } from './shared-place.ts';

/** After so many answers of a window the caller must have taken the processor; for some nobody waits. */
const ENOUGH = WINDOW / 4;
/** Windows in a row without the caller, until it is no good. */
const MOST_APART = 4;
/** Windows in a row in which others want all processors, until it is no good: some are threads of this process, as those that collect garbage. */
const LONGEST_CROWD = 8;

export class CallerProcessor implements Affinity {
  readonly #place: SharedPlace;
  readonly #onLook: (tid: number) => void;
  readonly #tid = threadId();
  /** The processor to which this thread is held. */
  #at: number | undefined;
  #apart = 0;
  #preemptions = 0;
  #crowded = 0;

  /** To be made on the FUSE thread, with the words of what it shares; `onLook` has the main thread look after it, by its number, until it is let go. */
  constructor(words: SharedPlace['words'], onLook: (tid: number) => void) {
    this.#place = new SharedPlace(words);
    this.#onLook = onLook;
  }

  follow(caller: number): boolean {
    const isBeside = this.#isBeside();
    this.#apart = isBeside ? 0 : this.#apart + 1;
    if (this.#place.wasBroughtBack || this.#isCrowded(isBeside) || this.#apart > MOST_APART) return this.#isNoGood();
    if (isBeside) return true;
    const everywhere = affinityOf(process.pid);
    if (everywhere === undefined) return this.#isNoGood();
    // Where the kernel has put this thread the caller may be already.
    const processor = this.#at === undefined ? currentProcessor() : this.#elsewhere(this.#at, everywhere, caller);
    return processor === undefined || this.#goTo(everywhere, processor) || this.#isNoGood();
  }

  letGo(): void {
    this.#at = undefined;
    this.#apart = 0;
    this.#place.left();
    bringBack(0);
  }

  #isNoGood(): false {
    this.letGo();
    return false;
  }

  #isBeside(): boolean {
    const before = this.#preemptions;
    this.#preemptions = preemptions();
    return this.#at !== undefined && this.#preemptions - before >= ENOUGH;
  }

  #isCrowded(isBeside: boolean): boolean {
    // Beside it the caller sleeps while this thread looks.
    const callers = isBeside ? 1 : 0;
    this.#crowded = runningThreads() + callers > PROCESSORS ? this.#crowded + 1 : 0;
    return this.#crowded >= (this.#at === undefined ? 1 : LONGEST_CROWD);
  }

  /** Where the caller may be, as it is not here; undefined while that is not known. */
  #elsewhere(here: number, everywhere: Buffer, caller: number): number | undefined {
    const others = processorsIn(everywhere).filter((processor) => processor !== here);
    if (others.length < 2) return others[0];
    const answer = this.#place.takeAnswer();
    if (answer !== undefined && answer !== here) return answer;
    this.#place.ask(caller);
    this.#onLook(this.#tid);
    return undefined;
  }

  #goTo(everywhere: Buffer, processor: number): boolean {
    const there = onlyProcessor(everywhere, processor);
    if (there === undefined || setAffinity(0, there) < 0) return false;
    const isFirst = this.#at === undefined;
    this.#at = processor;
    if (!isFirst) return true;
    if (setIdle(0, true) < 0) return false;
    this.#place.went();
    this.#onLook(this.#tid);
    return true;
  }
}
