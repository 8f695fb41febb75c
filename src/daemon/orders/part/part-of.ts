/** Which part of what is staged a commit is of. */
import type { Gen } from '../../../sys/bytes.ts';
import type { CommitAsk } from '../answers.ts';
import { PartialCommit, type SelectedParts } from '../selected.ts';
import { HunkCommit, pathsOfHunks } from './hunk-commit.ts';
import type { CommitPart } from './part.ts';
import { ReviewedCommit } from './reviewed.ts';

/** Undefined: all that is staged. Throws a UserError when the part cannot be told from the rest. */
export function partOf(parts: SelectedParts, { paths, reviewed, hunks = [] }: CommitAsk): CommitPart | undefined {
  if (hunks.length > 0) return new HunkCommit(parts, hunks);
  if (reviewed !== undefined && !parts.history.isAt(reviewed)) return new ReviewedCommit(parts, paths, reviewed as Gen);
  return paths.length === 0 ? undefined : new PartialCommit(parts, paths);
}

/** The same for a plan: of files that hunks are chosen of, all that is staged. */
export function pathsPartOf(parts: SelectedParts, { paths, hunks = [] }: CommitAsk): PartialCommit | undefined {
  const chosen = hunks.length === 0 ? paths : pathsOfHunks(parts, hunks);
  return chosen.length === 0 ? undefined : new PartialCommit(parts, chosen);
}
