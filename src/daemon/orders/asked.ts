/** What a client asks for, as the orders take it; and the orders that a commit takes. */
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import type { Request } from '../protocol.ts';
import type { CommitAsk, Resolved } from './answers.ts';
import type { Answer } from './orders.ts';

/** Of a commit. */
export function askOf(request: Partial<Extract<Request, { op: 'commit' }>>): CommitAsk {
  const { paths = [], ours = [], theirs = [], merge = false, reviewed, hunks = [], discard = [] } = request;
  // A key says what was seen: what else was staged since does not matter.
  const seen = hunks.length > 0 ? undefined : reviewed;
  return { paths, wishes: { ours, theirs, merge }, reviewed: seen, hunks, discard };
}

/** Of an undo. */
export function wishesOf({ ours = [], theirs = [], merge = false }: Extract<Request, { op: 'undo' }>): Wishes {
  return { ours, theirs, merge };
}

/** Whether anything but the commit itself is asked for. */
function hasWishes({ ours, theirs, merge }: Wishes): boolean {
  return ours.length > 0 || theirs.length > 0 || merge;
}

type Done = Answer<'commit'>;

/** What a client is told of one that was done. */
export function toldOf({ changes, along, discarded, generation, number }: Done): Pick<Done, Told> {
  return { changes, along, discarded, generation, ...(number === undefined ? {} : { number }) };
}

type Told = 'changes' | 'along' | 'discarded' | 'generation' | 'number';

interface Steps<R> {
  readonly resolve: (ask: CommitAsk) => Promise<R>;
  readonly commit: (ask: CommitAsk) => Promise<Done>;
}

/**
 * Conflicts that resolve themselves, or as was wished, are resolved in the view before. `done`: undefined where nothing of what was asked for is left to commit.
 */
export async function commitBy<R extends Pick<Resolved, 'next' | 'nothingLeft'>>(
  ask: CommitAsk,
  { resolve, commit }: Steps<R>,
): Promise<{ readonly resolved: R | undefined; readonly done: Done | undefined }> {
  const resolved = hasWishes(ask.wishes) ? await resolve(ask) : undefined;
  const done = resolved?.nothingLeft ? undefined : await commit(resolved?.next ?? ask);
  if (!done?.resolves) return { resolved, done };
  const again = await resolve(ask);
  const then = again.nothingLeft ? undefined : await commit(again.next);
  return { resolved: again, done: then?.resolves ? undefined : then };
}
