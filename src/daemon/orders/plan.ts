/** The plan of a commit, or why there is none. */

import { ConflictError } from '../../history/commit/conflict/conflict.ts';
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import { type Plan, planCommit } from '../../history/commit/plan.ts';
import { logOf } from '../../history/commit/runner/places.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { refusal } from './carry-out.ts';
import type { LiveSession } from './live-session.ts';
import { decide } from './resolve.ts';

/** What a commit of `tree` would do; `ours` are paths of which the view's version is wanted anyway. Throws a UserError. */
export function planOf(session: LiveSession, tree: OverrideTree, ours: readonly BytePath[]): Plan {
  const { layout, project, base, store, ownChanges, history } = session;
  const log = logOf(layout, history.nextCommit);
  const plan = planCommit({ ours, tree, base, store, project, log, ownChanges });
  if ('steps' in plan) return plan;
  if ('conflicts' in plan) throw new ConflictError(plan.conflicts);
  throw refusal(
    'cannot commit',
    plan.problems.map(({ path, reason }) => `${label(path)}: ${reason}`),
  );
}

/** The same, or that conflicts resolve themselves, in the view. Throws a ConflictError with those that a person has to look at. */
export function planUnlessResolvable(session: LiveSession, tree: OverrideTree, wishes: Wishes): Plan | 'resolves' {
  try {
    return planOf(session, tree, wishes.ours);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const { accepted, dropped, merged } = decide(session, wishes, tree);
    // Where the view's version wins nothing has to be changed in the view before.
    return dropped.length + merged.length > 0 ? 'resolves' : planOf(session, tree, accepted);
  }
}
