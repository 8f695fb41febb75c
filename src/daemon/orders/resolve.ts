/** Conflicts of a commit, resolved as a person wishes before it: in the FUSE thread, between two requests. */

import { checkBase } from '../../history/commit/conflict/check.ts';
import { ConflictError } from '../../history/commit/conflict/conflict.ts';
import { type Outcome, resolveConflicts, type Wishes } from '../../history/commit/conflict/resolve.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import { type Gen, isWithin } from '../../sys/bytes.ts';
import { SystemError } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';
import type { CommitAsk, Resolved } from './answers.ts';
import type { LiveSession } from './live-session.ts';
import { hunksLeft } from './part/hunks-left.ts';
import { pathsPartOf } from './part/part-of.ts';
import { abortPart } from './part/selected.ts';
import { writeMerged } from './write-merged.ts';

/** Throws a UserError when a person agreed to something else than what is staged now. */
function checkReviewed({ reviewed }: CommitAsk, history: SessionHistory): void {
  if (reviewed === undefined || history.isAt(reviewed)) return;
  throw new UserError('what is staged has changed since it was shown: nothing was written', 'look at it again', {
    code: 'conflict',
  });
}

/** What is to be done about the conflicts of `tree`. Throws a ConflictError when that is not clear of each of them. */
export function decide(session: LiveSession, wishes: Wishes, tree: OverrideTree): Outcome {
  const outcome = outcomeOf(session, wishes, tree);
  if (outcome.left.length > 0) throw new ConflictError(outcome.left);
  return outcome;
}

/** The same, with those that are left to a person. */
export function outcomeOf(session: LiveSession, wishes: Wishes, tree: OverrideTree): Outcome {
  const { base, store, mergeBases, ownChanges, project } = session;
  base.shed();
  const facts = new Facts(base, store);
  const { conflicts } = checkBase({ tree, facts, ownChanges });
  return resolveConflicts(conflicts, wishes, { tree, facts, mergeBases, project });
}

/**
 * Resolves the conflicts that a commit would have, in the view. Throws a ConflictError when wishes leave one of them open,
 * otherwise as `abortPart`; nothing has changed then.
 */
export function resolve(session: LiveSession, ask: CommitAsk): Resolved {
  checkReviewed(ask, session.history);
  const tree = pathsPartOf(session, ask)?.selection.tree ?? session.tree;
  return carryOutDecided(session, decide(session, ask.wishes, tree), ask);
}

/** Changes the view as decided: gives up what the base's version wins over, writes what was merged. Throws as `hunksLeft`, before that. */
function carryOutDecided(session: LiveSession, outcome: Outcome, ask: CommitAsk): Resolved {
  const { accepted, dropped, merged, yielded } = outcome;
  const { paths, reviewed, hunks = [], discard = [] } = ask;
  const leftOf = hunksLeft(session, ask, outcome);
  const shown: Shown[] = [];
  if (dropped.length > 0) shown.push(abortPart(session, dropped));
  if (merged.length > 0) shown.push(writeMerged(session, merged));
  const now = reviewed === undefined ? undefined : snapshotNow(session.history);
  const left = paths.filter((path) => !dropped.some((gone) => isWithin(path, gone)));
  const hunksNow = leftOf();
  return {
    invalidations: shown.flatMap(({ invalidations }) => invalidations),
    moved: shown.flatMap(({ moved }) => moved),
    // What was shown said how they would be resolved, too; what is staged now is this.
    next: {
      paths: left,
      wishes: { ours: accepted, theirs: [], merge: false },
      reviewed: now,
      hunks: hunksNow,
      discard,
    },
    nothingLeft: paths.length + hunks.length > 0 && left.length + hunksNow.length === 0,
    merged: merged.map(({ path }) => path),
    yielded,
    generation: session.history.generation,
  };
}

function snapshotNow(history: SessionHistory): Gen {
  const taken = history.snapshot('', { ifChanged: true });
  if (typeof taken === 'number') throw new SystemError('cannot write the journal', taken);
  return taken.generation;
}
