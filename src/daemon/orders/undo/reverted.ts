/** What is staged once a commit has been taken back, recorded: from then on the undo counts. */

import type { Conflict } from '../../../history/commit/conflict/conflict.ts';
import { keepConflicts } from '../../../history/commit/conflict/keep-conflicts.ts';
import type { CommitLog } from '../../../history/commit/runner/commit-log.ts';
import { Facts, KnownFacts } from '../../../history/diff/facts.ts';
import { treeAfterUndo } from '../../../history/past/past.ts';
import { checkpointOf, dateContent } from '../../../history/timeline/checkpoint/checkpoint.ts';
import type { Timeline } from '../../../history/timeline/segments.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import { OK, SystemError } from '../../../sys/errno.ts';
import type { LiveSession } from '../live-session.ts';

/** What there was before. */
interface Before {
  readonly timeline: Timeline;
  readonly conflicts: readonly Conflict[];
}

/** Returns what is staged, over a base that is what it was before the commit. Throws a SystemError when that cannot be recorded. */
export function recordReverted(
  { history, base, store }: Pick<LiveSession, 'history' | 'base' | 'store'>,
  { recorded }: CommitLog,
  { timeline, conflicts }: Before,
): OverrideTree {
  const { number: commit, changes, steps } = recorded;
  const facts = new Facts(base, store, new KnownFacts());
  const tree = treeAfterUndo(steps, { journal: history.journal, timeline, facts, numbers: history });
  keepConflicts(tree, conflicts);
  const mutations = [...checkpointOf(tree)];
  dateContent(tree, history.generation);
  const name = `after undo of commit ${commit}`;
  const errno = history.recordCheckpoint({ head: { tag: 'U', commit, changes }, mutations, name });
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
  return tree;
}
