/** Carrying a commit's plan out, in the FUSE thread while nothing is served. */

import { type Applied, type ApplyOptions, applyPlan, CommitError } from '../../history/commit/commit.ts';
import type { Plan } from '../../history/commit/plan.ts';
import { CommitLog } from '../../history/commit/runner/commit-log.ts';
import { logOf, unfinishedCommits } from '../../history/commit/runner/places.ts';
import { readLog } from '../../history/commit/runner/read-log.ts';
import { recoverCommits } from '../../history/commit/runner/recover.ts';
import { label } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { LiveSession } from './live-session.ts';

const GIVE_UP =
  "once that is possible, commit again; if it never will be, 'yolofs stop', then 'yolofs doctor --repair' goes on without it";

/**
 * As `applyPlan`, but what fails, whatever it was, rejects: it was taken back, and that we were there does not look like
 * somebody's change.
 */
export async function carryOut(plan: Plan, session: LiveSession, options: ApplyOptions): Promise<Applied> {
  const { layout, base, ownChanges } = session;
  ownChanges.begin(plan.originals);
  try {
    const applied = await applyPlan(plan, options);
    if (applied instanceof CommitError) throw failure(applied);
    return applied;
  } catch (error) {
    // What is kept open by path may have been moved, and moved back.
    base.shed();
    // What could not be taken back, the next start touches again.
    if (unfinishedCommits(layout).length === 0) ownChanges.finalise(base);
    throw error;
  }
}

/**
 * Before a commit of that number: one that failed, and that could not be taken back, is taken back now, if what was in the way has
 * passed. Rejects with a UserError when it has not. The base may be another afterwards.
 */
export async function takeBackEarlier({ layout, base, ownChanges }: LiveSession, number: number): Promise<void> {
  const isLeft = unfinishedCommits(layout).includes(number) && readLog(logOf(layout, number)) instanceof CommitLog;
  if (!isLeft) return;
  const recovered = await recoverCommits(layout);
  base.shed();
  const complaint = recovered.flatMap(({ complaints }) => complaints)[0];
  if (complaint !== undefined) throw new UserError(`an earlier commit could not be taken back: ${complaint}`, GIVE_UP);
  ownChanges.finalise(base);
}

function failure({ message, path, leftover }: CommitError): UserError {
  const [first, ...more] = leftover;
  if (first === undefined) {
    return new UserError(
      message,
      `nothing was committed; 'yolofs commit PATH…' commits others, 'yolofs abort ${label(path)}' gives this one up`,
    );
  }
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  return new UserError(`${message}; and what was done before could not be taken back: ${first}${rest}`, GIVE_UP);
}

/** One line with the first reason, and a hint with how many more there are. */
export function refusal(what: string, reasons: readonly string[]): UserError {
  const [first, ...more] = reasons;
  const hint = more.length === 0 ? undefined : `and ${more.length} more: ${more.slice(0, 3).join('; ')}`;
  return new UserError(first === undefined ? what : `${what}: ${first}`, hint);
}
