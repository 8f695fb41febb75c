/** Which part of what is staged a commit is of. */

import type { Gen } from '../../../sys/bytes.ts';
import type { CommitAsk } from '../answers.ts';
import type { LiveSession } from '../live-session.ts';
import { HunkCommit, pathsOfHunks } from './hunk-commit.ts';
import type { CommitPart } from './part.ts';
import { ReviewedCommit } from './reviewed.ts';
import { PartialCommit } from './selected.ts';

/** Undefined: all that is staged. Throws a UserError when the part cannot be told from the rest. */
export function partOf(session: LiveSession, { paths, reviewed, hunks = [] }: CommitAsk): CommitPart | undefined {
  if (hunks.length > 0) return new HunkCommit(session, hunks);
  if (reviewed !== undefined && !session.history.isAt(reviewed))
    return new ReviewedCommit(session, paths, reviewed as Gen);
  return paths.length === 0 ? undefined : new PartialCommit(session, paths);
}

/** The same for a plan: of files that hunks are chosen of, all that is staged. */
export function pathsPartOf(session: LiveSession, { paths, hunks = [] }: CommitAsk): PartialCommit | undefined {
  const chosen = hunks.length === 0 ? paths : pathsOfHunks(session, hunks);
  return chosen.length === 0 ? undefined : new PartialCommit(session, chosen);
}
