/** Which part of what is staged a commit is of. */

import { type CommitSelection, selectForCommit } from '../../../history/commit/select/selection.ts';
import { Facts } from '../../../history/diff/facts.ts';
import type { BytePath, Gen } from '../../../sys/bytes.ts';
import type { CommitAsk } from '../answers.ts';
import type { LiveSession } from '../live-session.ts';
import { HunkCommit, pathsOfHunks } from './hunk-commit.ts';
import type { CommitPart } from './part.ts';
import { ReviewedCommit } from './reviewed.ts';

/** Undefined: all that is staged. Throws a UserError when the part cannot be told from the rest. */
export function partOf(session: LiveSession, { paths, reviewed, hunks = [] }: CommitAsk): CommitPart | undefined {
  if (hunks.length > 0) return new HunkCommit(session, hunks);
  if (reviewed !== undefined && !session.history.isAt(reviewed))
    return new ReviewedCommit(session, paths, reviewed as Gen);
  return paths.length === 0 ? undefined : commitOf(session, paths);
}

/** What is to be planned of a part, for a plan alone: of files that hunks are chosen of, all that is staged. Throws as `partOf`. */
export function pathsPartOf(session: LiveSession, { paths, hunks = [] }: CommitAsk): CommitSelection | undefined {
  const chosen = hunks.length === 0 ? paths : pathsOfHunks(session, hunks);
  return chosen.length === 0 ? undefined : selected(session, chosen);
}

/** Throws a UserError for a path at which nothing is staged. */
function commitOf(session: LiveSession, paths: readonly BytePath[]): CommitPart {
  const selection = selected(session, paths);
  return { selection, rest: selection.rest };
}

function selected({ base, tree, store, ownChanges }: LiveSession, paths: readonly BytePath[]): CommitSelection {
  // What is kept open may have been moved meanwhile.
  base.shed();
  return selectForCommit({ tree, facts: new Facts(base, store), paths, ownChanges });
}
