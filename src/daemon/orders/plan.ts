/** The plan of a commit, or why there is none. */

import { ConflictError } from '../../history/commit/conflict/conflict.ts';
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import { type Plan, planCommit, reviewOf } from '../../history/commit/plan.ts';
import { logOf } from '../../history/commit/runner/places.ts';
import { selectForAbort } from '../../history/commit/select/selection.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import type { CommitAsk } from './answers.ts';
import { refusal } from './carry-out.ts';
import type { LiveSession } from './live-session.ts';
import type { Orders } from './orders.ts';
import { hunksLeft } from './part/hunks-left.ts';
import { pathsPartOf } from './part/part-of.ts';
import { decide } from './resolve.ts';

/** What a commit, of everything or of paths, would do. Throws a UserError when it could not be carried out. */
export function plan(session: LiveSession, ask: CommitAsk): Orders['plan']['answer'] {
  const part = pathsPartOf(session, ask);
  const selected = part?.selection.tree ?? session.tree;
  const { accepted, dropped, merged, yielded } = decide(session, ask.wishes, selected);
  hunksLeft(session, ask, { dropped, merged });
  const tree = dropped.length === 0 ? selected : without(dropped, selected, session);
  const mergedPaths = merged.map(({ path }) => path);
  const review = reviewOf(planOf(session, tree, [...accepted, ...mergedPaths]), { ...session, tree });
  return { ...review, along: part?.selection.along ?? [], merged: mergedPaths, yielded, discarded: 0 };
}

function without(paths: readonly BytePath[], tree: OverrideTree, { base, store }: LiveSession): OverrideTree {
  return selectForAbort({ tree, facts: new Facts(base, store), paths }).tree;
}

/** What a commit of `tree` would do; `ours` are paths of which the view's version is wanted anyway. Throws a UserError. */
export function planOf(session: LiveSession, tree: OverrideTree, ours: readonly BytePath[]): Plan {
  const { layout, project, base, store, ownChanges, history } = session;
  const log = logOf(layout, history.nextCommit);
  const planned = planCommit({ ours, tree, base, store, project, log, ownChanges });
  if ('steps' in planned) return planned;
  if ('conflicts' in planned) throw new ConflictError(planned.conflicts);
  throw refusal(
    'cannot commit',
    planned.problems.map(({ path, reason }) => `${label(path)}: ${reason}`),
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
