/**
 * Moves the FUSE thread to the processor of its caller, under SCHED_IDLE (fuse/receive/following.ts), where this process may
 * come back from that: an ordinary user may not. While others compute on that processor the thread itself finds out nothing,
 * so the main thread looks every few milliseconds, and brings it back (watchdog.ts).
 */
import type { Affinity } from '../../fuse/receive/following.ts';
import { affinity, mayLeaveIdle, onlyProcessor, setAffinity, setIdle, threadId } from '../../sys/kernel/scheduling.ts';
import { isCrowded, ProcFile } from './load.ts';

/** Where the FUSE thread is, one word that it shares with the main thread. */
export type SharedAffinity = Int32Array;
const ANYWHERE = 0;
export const AT_CALLER = 1;
/** The main thread has brought it back; the FUSE thread does not know yet. */
export const BROUGHT_BACK = 2;

/** Made by the main thread for both; undefined where the FUSE thread has to stay as it is. */
export function sharedAffinity(): SharedAffinity | undefined {
  return mayLeaveIdle() ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
}

/** The FUSE thread's side. */
export class CallerProcessor implements Affinity {
  readonly #shared: SharedAffinity;
  readonly #onFollow: (tid: number) => void;
  readonly #tid = threadId();
  readonly #load = new ProcFile('/proc/loadavg');
  /** Where it may run when it is let go. */
  #everywhere: Buffer | undefined;
  #caller: ProcFile | undefined;
  #callerTid = 0;
  /** The processor to which this thread is held. */
  #at: number | undefined;

  /** To be made on the FUSE thread; `onFollow` has the main thread look after it from now on. */
  constructor(shared: SharedAffinity, onFollow: (tid: number) => void) {
    this.#shared = shared;
    this.#onFollow = onFollow;
  }

  follow(tid: number): boolean {
    const isFree = Atomics.load(this.#shared, 0) !== BROUGHT_BACK && !isCrowded(this.#load, 0);
    const processor = isFree ? this.#processorOf(tid) : undefined;
    if (processor !== undefined && (processor === this.#at || this.#moveTo(processor))) return true;
    this.letGo();
    return false;
  }

  letGo(): void {
    if (this.#everywhere === undefined) return;
    setIdle(0, false);
    setAffinity(0, this.#everywhere);
    this.#everywhere = undefined;
    this.#at = undefined;
    Atomics.store(this.#shared, 0, ANYWHERE);
  }

  #moveTo(processor: number): boolean {
    const isFirst = this.#everywhere === undefined;
    // Whoever runs the daemon may have confined it since.
    this.#everywhere ??= affinity();
    const mask = this.#everywhere && onlyProcessor(this.#everywhere, processor);
    if (mask === undefined || setAffinity(0, mask) < 0) return false;
    if (isFirst) {
      if (setIdle(0, true) < 0) return false;
      Atomics.store(this.#shared, 0, AT_CALLER);
      this.#onFollow(this.#tid);
    }
    this.#at = processor;
    return true;
  }

  #processorOf(tid: number): number | undefined {
    if (tid !== this.#callerTid) {
      this.#caller?.close();
      this.#caller = new ProcFile(`/proc/${tid}/stat`);
      this.#callerTid = tid;
    }
    const text = this.#caller?.read();
    // Field 39 of proc_pid_stat(5); the second one, a name in brackets, may hold anything.
    const field = text?.slice(text.lastIndexOf(')') + 2).split(' ')[39 - 3];
    return field === undefined ? undefined : Number(field);
  }
}
