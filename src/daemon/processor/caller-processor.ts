/**
 * Has the FUSE thread run on the processor of its caller, under SCHED_IDLE (fuse/receive/following.ts), where this process may come
 * back from that: an ordinary user may not. Whether both are on one processor this thread knows by itself: there each answer
 * wakes the caller, who takes the processor from it. Where else the caller is, /proc/TID/stat says, which the FUSE thread must
 * never read: that waits for an execve(2) of the caller, which may wait for the FUSE thread to write back pages. Of two processors it
 * is the other one; of more the main thread asks (watchdog.ts).
 */
import { type Affinity, WINDOW } from '../../fuse/receive/following.ts';
import { TRIAL_WINDOWS } from '../../fuse/receive/trial.ts';
import {
  currentProcessor,
  onlyProcessor,
  ownProcessors,
  preemptions,
  setAffinity,
  setIdle,
  threadId,
} from '../../sys/kernel/scheduling.ts';
import { Load } from './load.ts';
import { bringBack, SharedPlace } from './shared-place.ts';

/** After so many answers of a window the caller must have taken the processor; for some nobody waits. */
const ENOUGH = WINDOW / 4;
/** Windows in a row without the caller, until it is no good. */
const MOST_APART = 4;
/** Windows in a row in which others want all processors, until it is no good: some are threads of this process, as those that collect garbage. */
const LONGEST_CROWD = 16;

export class CallerProcessor implements Affinity {
  readonly #place: SharedPlace;
  readonly #onLook: (tid: number) => void;
  readonly #tid = threadId();
  readonly #load = new Load();
  /** The processor to which this thread is held. */
  #at: number | undefined;
  #apart = 0;
  #preemptions = 0;
  #crowded = 0;
  /** Windows in a row in which nobody else wanted a processor: it goes after as many as a trial needs before. */
  #calm = 0;

  /**
   * To be made on the FUSE thread, with the words that it shares with the main thread; `onLook` has that one look after this one, by its
   * number, until it is let go.
   */
  constructor(words: SharedPlace['words'], onLook: (tid: number) => void) {
    this.#place = new SharedPlace(words);
    this.#place.left();
    this.#onLook = onLook;
  }

  get isHeld(): boolean {
    return this.#at !== undefined;
  }

  follow(caller: number): boolean {
    if (this.#place.wasBroughtBack) return this.#refuse();
    return (this.#at === undefined ? this.#begin() : this.#keepTo(this.#at, caller)) || this.#refuse();
  }

  letGo(): void {
    this.#at = undefined;
    this.#apart = 0;
    this.#calm = 0;
    this.#place.left();
    bringBack(0);
  }

  #refuse(): false {
    this.letGo();
    return false;
  }

  /** Where the kernel has put this thread the caller may be already. */
  #begin(): boolean {
    if (this.#load.isCrowded(0)) return false;
    this.#calm += 1;
    return this.#calm < TRIAL_WINDOWS || this.#goTo(currentProcessor());
  }

  #keepTo(here: number, caller: number): boolean {
    const before = this.#preemptions;
    this.#preemptions = preemptions();
    const isBeside = this.#preemptions - before >= ENOUGH;
    this.#apart = isBeside ? 0 : this.#apart + 1;
    // Beside it the caller sleeps while this thread looks.
    this.#crowded = this.#load.isCrowded(isBeside ? 1 : 0) ? this.#crowded + 1 : 0;
    if (this.#apart > MOST_APART || this.#crowded >= LONGEST_CROWD) return false;
    const there = isBeside ? undefined : this.#elsewhere(here, caller);
    return there === undefined || this.#goTo(there);
  }

  /** Where the caller may be, as it is not here; undefined while that is not known. */
  #elsewhere(here: number, caller: number): number | undefined {
    const others = ownProcessors().filter((processor) => processor !== here);
    if (others.length < 2) return others[0];
    const answer = this.#place.takeAnswer();
    if (answer !== undefined && answer !== here) return answer;
    this.#place.ask(caller);
    this.#onLook(this.#tid);
    return undefined;
  }

  #goTo(processor: number): boolean {
    if (!ownProcessors().includes(processor) || setAffinity(0, onlyProcessor(processor)) < 0) return false;
    const isFirst = this.#at === undefined;
    this.#at = processor;
    if (!isFirst) return true;
    this.#crowded = 0;
    this.#preemptions = preemptions();
    if (setIdle(0, true) < 0) return false;
    this.#place.went();
    this.#onLook(this.#tid);
    return true;
  }
}
