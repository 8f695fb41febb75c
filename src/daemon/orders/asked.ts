/** What a client asks for, as the orders take it. */
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import type { Request } from '../protocol.ts';
import type { CommitAsk } from './answers.ts';

/** Of a commit. */
export function askOf(request: Partial<Extract<Request, { op: 'commit' }>>): CommitAsk {
  const { paths = [], ours = [], theirs = [], merge = false, reviewed, hunks = [] } = request;
  // A key says what was seen: what else was staged since does not matter.
  return { paths, wishes: { ours, theirs, merge }, reviewed: hunks.length > 0 ? undefined : reviewed, hunks };
}

/** Of an undo. */
export function wishesOf({ ours = [], theirs = [], merge = false }: Extract<Request, { op: 'undo' }>): Wishes {
  return { ours, theirs, merge };
}

/** Whether anything but the commit itself is asked for. */
export function hasWishes({ ours, theirs, merge }: Wishes): boolean {
  return ours.length > 0 || theirs.length > 0 || merge;
}
