/** Where the FUSE thread is, in words that it shares with the main thread. */
import { affinityOf, mayLeaveIdle, setAffinity, setIdle } from '../../sys/kernel/scheduling.ts';

const PLACE = 0;
const CALLER = 1;
const PROCESSOR = 2;

const ANYWHERE = 0;
const AT_CALLER = 1;
/** The main thread has brought it back; the FUSE thread does not know yet. */
const BROUGHT_BACK = 2;

const NOBODY = 0;
const UNKNOWN = -1;

export class SharedPlace {
  readonly words: Int32Array<ArrayBufferLike>;

  constructor(words: Int32Array<ArrayBufferLike> = new Int32Array(new SharedArrayBuffer(12))) {
    this.words = words;
  }

  get isAtCaller(): boolean {
    return Atomics.load(this.words, PLACE) === AT_CALLER;
  }

  get wasBroughtBack(): boolean {
    return Atomics.load(this.words, PLACE) === BROUGHT_BACK;
  }

  /** The thread whose processor the FUSE thread wants to know; undefined: it wants nothing. */
  get caller(): number | undefined {
    return Atomics.load(this.words, CALLER) || undefined;
  }

  /** The FUSE thread has gone to its caller. */
  went(): void {
    Atomics.store(this.words, PLACE, AT_CALLER);
  }

  /** The FUSE thread is not at its caller, and wants nothing. */
  left(): void {
    Atomics.store(this.words, PLACE, ANYWHERE);
    Atomics.store(this.words, CALLER, NOBODY);
    Atomics.store(this.words, PROCESSOR, UNKNOWN);
  }

  /** The FUSE thread is brought back by the main thread; false where it has left by itself. */
  recall(): boolean {
    return Atomics.compareExchange(this.words, PLACE, AT_CALLER, BROUGHT_BACK) === AT_CALLER;
  }

  ask(caller: number): void {
    Atomics.store(this.words, CALLER, caller);
  }

  answer(processor: number): void {
    Atomics.store(this.words, CALLER, NOBODY);
    Atomics.store(this.words, PROCESSOR, processor);
  }

  /** The answer, once. */
  takeAnswer(): number | undefined {
    const processor = Atomics.exchange(this.words, PROCESSOR, UNKNOWN);
    return processor === UNKNOWN ? undefined : processor;
  }
}

/** Made by the main thread for both; undefined where the FUSE thread has to stay as it is. */
export function sharedPlace(): SharedPlace | undefined {
  return mayLeaveIdle() ? new SharedPlace() : undefined;
}

/** Has a thread of this process, 0 the calling one, run as its main thread does. */
export function bringBack(tid: number): void {
  setIdle(tid, false);
  const everywhere = affinityOf(process.pid);
  if (everywhere !== undefined) setAffinity(tid, everywhere);
}
