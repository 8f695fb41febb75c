/** What the FUSE thread does while nobody waits: first the durable tree follows, memory is given back, then what is staged is made ready for a commit and a travel. */
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { HeapTrim } from '../life/heap-trim.ts';
import type { LiveSession } from '../orders/live-session.ts';
import { Rehearsal } from '../orders/rehearsal.ts';
import { EarlyTimes } from './early-times.ts';

/** Milliseconds after a change until the durable tree follows. */
const WRITE_BEHIND_MS = 500;
/** Milliseconds between two parts of what would take long. */
const PAUSE_MS = 1;

export class IdleWork {
  readonly #history: SessionHistory;
  readonly #tree: OverrideTree;
  readonly #times: EarlyTimes;
  readonly #rehearsal: Rehearsal;
  readonly #heap: HeapTrim;
  #flushedAt = 0;

  /** `isAlone`: whether no command runs in the view. */
  constructor(session: LiveSession, isAlone: () => boolean) {
    this.#history = session.history;
    this.#tree = session.tree;
    this.#times = new EarlyTimes(session.store);
    this.#heap = new HeapTrim(isAlone);
    this.#rehearsal = new Rehearsal(session);
  }

  /** Does a part; returns the milliseconds after which it wants to be called again, -1 = when something happened. */
  step(): number {
    const now = performance.now();
    const wait = this.#flushedAt + WRITE_BEHIND_MS - now;
    if (wait > 0) return wait;
    const changed = this.#tree.dirtyInodes;
    // Files that are being written would get their times in vain.
    if (changed.size === 0 && this.#times.step()) return PAUSE_MS;
    this.#flushedAt = now;
    const isMore = changed.size > 0;
    this.#times.note(changed);
    const isSaved = this.#history.flush(this.#tree);
    if (isSaved && !isMore) this.#heap.step();
    // Also while more is being changed: whoever travels then has not waited before.
    const isReady = !this.#rehearsal.step();
    return isSaved && !isMore && isReady ? -1 : WRITE_BEHIND_MS;
  }
}

/** Of two times in milliseconds, of which -1 is none. */
export function soonest(a: number, b: number): number {
  return a < 0 || b < 0 ? Math.max(a, b) : Math.min(a, b);
}
