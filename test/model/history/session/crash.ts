/** The death of the process at a chosen moment, without a process of its own. */
import type { LiveView } from '../../../../src/daemon/live-view.ts';
import { Journal } from '../../../../src/history/log/journal.ts';
import { SessionHistory } from '../../../../src/history/timeline/session-history.ts';

/** Thrown where the process would have died. */
export class Crash extends Error {}

/**
 * Runs `act` until it has appended `append` records and is about to append another one, which is still `written` or
 * not; from there on nothing reaches the journal any more. Throws Crash then.
 */
export async function withCrash(
  { append, written }: { readonly append: number; readonly written: boolean },
  act: () => unknown,
): Promise<void> {
  const original = Journal.prototype.append;
  let left = append;
  Journal.prototype.append = function (this: Journal, ...args) {
    if (left < 0) throw new Crash();
    if (left-- > 0) return original.apply(this, args);
    if (written) original.apply(this, args);
    throw new Crash();
  };
  try {
    await act();
  } finally {
    Journal.prototype.append = original;
  }
}

/** What a kill leaves: the durable tree as the last write-behind left it. */
export async function closeUnflushed(live: LiveView): Promise<void> {
  const { flush } = SessionHistory.prototype;
  SessionHistory.prototype.flush = () => true;
  try {
    await live.close();
  } finally {
    SessionHistory.prototype.flush = flush;
  }
}
