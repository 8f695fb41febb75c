/** The plan of a commit, or why there is none. */

import { ConflictError } from '../../history/commit/conflict/conflict.ts';
import type { Outcome, Wishes } from '../../history/commit/conflict/resolve.ts';
import { factsOfNow, type Plan, planCommit, reviewOf } from '../../history/commit/plan.ts';
import { logOf } from '../../history/commit/runner/places.ts';
import { selectForAbort } from '../../history/commit/select/selection.ts';
import type { Facts } from '../../history/diff/facts.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import type { CommitAsk } from './answers.ts';
import { refusal } from './carry-out.ts';
import type { LiveSession } from './live-session.ts';
import type { Orders } from './orders.ts';
import { hunksLeft } from './part/hunks-left.ts';
import { pathsPartOf } from './part/part-of.ts';
import { decide } from './resolve.ts';

/** A session, perhaps with what an order has found out of it already. */
type Looking = LiveSession & { readonly facts?: Facts };

const NO_CONFLICT: Outcome = { accepted: [], dropped: [], yielded: 0, merged: [], left: [] };

/** What a commit, of everything or of paths, would do. Throws a UserError when it could not be carried out. */
export function plan(session: LiveSession, ask: CommitAsk): Orders['plan']['answer'] {
  const part = pathsPartOf(session, ask);
  const selected = part?.selection.tree ?? session.tree;
  const facts = factsOfNow(session);
  const looking = { ...session, facts };
  // A conflict that there is not cannot be given up, which `decide` says.
  const isPlain = ask.wishes.theirs.length === 0;
  const found = isPlain ? planOrOutcome(looking, selected, ask.wishes) : decide(session, ask.wishes, selected);
  const { accepted, dropped, merged, yielded } = 'steps' in found ? NO_CONFLICT : found;
  hunksLeft(session, ask, { dropped, merged });
  const tree = dropped.length === 0 ? selected : selectForAbort({ tree: selected, facts, paths: dropped }).tree;
  const mergedPaths = merged.map(({ path }) => path);
  const planned = 'steps' in found ? found : planOf(looking, tree, [...accepted, ...mergedPaths]);
  const review = reviewOf(planned, { ...looking, tree });
  return { ...review, along: part?.selection.along ?? [], merged: mergedPaths, yielded, discarded: 0 };
}

/** What a commit of `tree` would do; `ours` are paths of which the view's version is wanted anyway. Throws a UserError. */
export function planOf(session: Looking, tree: OverrideTree, ours: readonly BytePath[]): Plan {
  const { layout, project, base, store, ownChanges, history, facts } = session;
  const log = logOf(layout, history.nextCommit);
  const known = facts === undefined ? {} : { facts };
  const planned = planCommit({ ours, tree, base, store, project, log, ownChanges, ...known });
  if ('steps' in planned) return planned;
  if ('conflicts' in planned) throw new ConflictError(planned.conflicts);
  throw refusal(
    'cannot commit',
    planned.problems.map(({ path, reason }) => `${label(path)}: ${reason}`),
  );
}

/** The same, or that conflicts resolve themselves, in the view. Throws a ConflictError with those that a person has to look at. */
export function planUnlessResolvable(session: LiveSession, tree: OverrideTree, wishes: Wishes): Plan | 'resolves' {
  const found = planOrOutcome(session, tree, wishes);
  if ('steps' in found) return found;
  // Where the view's version wins nothing has to be changed in the view before.
  return found.dropped.length + found.merged.length > 0 ? 'resolves' : planOf(session, tree, found.accepted);
}

/** The plan where there is no conflict, or what becomes of those that there are. Throws as `decide`. */
function planOrOutcome(session: Looking, tree: OverrideTree, wishes: Wishes): Plan | Outcome {
  try {
    return planOf(session, tree, wishes.ours);
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return decide(session, wishes, tree);
  }
}
