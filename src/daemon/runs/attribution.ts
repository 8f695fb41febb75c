/**
 * Which run did it: from the pid in a request to the run among whose descendants that process is. The answer is
 * recorded, not trusted: a process may leave its run's tree, and the kernel writes back pages in nobody's name.
 *
 * The FUSE thread asks, so the asking must not wait for the process: one that has a file of the view mapped and calls
 * execve(2) after fork(2) holds the lock of its /proc/PID/stat while the kernel writes its pages back, through us.
 */
import { type ProcessOrigin, processOrigin } from '../../sys/process/process-origin.ts';
import type { ActiveRun } from '../orders/orders.ts';

export interface Attribution {
  /** 0 = none that is known. */
  readonly run: number;
  /** Bytes; undefined: gone already, or the kernel. */
  readonly name: string | undefined;
}

interface Known extends Attribution {
  /** Until when the answer may be repeated, in milliseconds of performance.now(). */
  readonly until: number;
}

/** A pid is not used again, and a process does not change its parent, so soon that it would matter. */
const KEEP_MS = 100;
const MOST_KEPT = 4096;
const DEEPEST = 64;

export class Attributions {
  readonly #origin: (pid: number) => ProcessOrigin | undefined;
  #runs = new Map<number, number>();
  #commands = new Map<number, string>();
  #holder = 0;
  /** Of whoever cannot be told: the only active run, if there is just one. */
  #likely = 0;
  #known = new Map<number, Known>();
  /** Whether who asks now is no process of the view. */
  #isOutside = false;

  constructor(origin: (pid: number) => ProcessOrigin | undefined = processOrigin) {
    this.#origin = origin;
  }

  /** Replaces what is known about the active runs. */
  update(active: readonly ActiveRun[], holder: number): void {
    this.#runs = new Map(active.map(({ pid, run }) => [pid, run]));
    this.#commands = new Map(active.map(({ run, command }) => [run, command]));
    this.#holder = holder;
    this.#likely = active.length === 1 ? (active[0]?.run ?? 0) : 0;
    this.#known.clear();
  }

  get isAnyActive(): boolean {
    return this.#commands.size > 0;
  }

  /** The command line of an active run. */
  commandOf(run: number): string | undefined {
    return this.#commands.get(run);
  }

  /** What `work` does is done by a program outside of the view: of no run, whichever is the only one. */
  outside<T>(work: () => T): T {
    this.#isOutside = true;
    try {
      return work();
    } finally {
      this.#isOutside = false;
    }
  }

  /** The run and the name of process `pid`; 0 is the kernel. */
  of(pid: number): Attribution {
    if (this.#isOutside) return { run: 0, name: pid === 0 ? undefined : this.#origin(pid)?.name };
    if (pid === 0) return { run: this.#likely, name: undefined };
    return this.#find(pid, performance.now(), 0);
  }

  #find(pid: number, now: number, depth: number): Known {
    const known = this.#known.get(pid);
    if (known !== undefined && known.until > now) return known;
    const found = { ...this.#ask(pid, now, depth), until: now + KEEP_MS };
    if (this.#known.size >= MOST_KEPT) this.#known.clear();
    this.#known.set(pid, found);
    return found;
  }

  #ask(pid: number, now: number, depth: number): Attribution {
    const origin = this.#origin(pid);
    if (origin === undefined) return { run: this.#likely, name: undefined };
    const own = this.#runs.get(pid);
    if (own !== undefined) return { run: own, name: origin.name };
    // A child of the holder has outlived its parents: it may be an earlier run's.
    if (origin.parent === this.#holder) return { run: 0, name: origin.name };
    // Above the session there is nothing to find: a run that has not told its process yet.
    if (origin.parent <= 1 || depth === DEEPEST) return { run: this.#likely, name: origin.name };
    return { run: this.#find(origin.parent, now, depth + 1).run, name: origin.name };
  }
}
