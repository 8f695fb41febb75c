/** What stays staged after a commit of a part that is no selection of paths: a tree made anew over the base that the commit leaves. */

import { checkpointOf, dateContent } from '../../../history/timeline/checkpoint.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { LiveSession } from '../live-session.ts';
import { hardLinkedFiles, noteLinked, recordCarried } from '../selected.ts';
import type { Placement } from './part.ts';

/** Records durably that the part is the base's, and that `rest` stays. Throws a SystemError; it must not happen then. */
export function recordRest({ history, ownChanges }: LiveSession, rest: OverrideTree, changes: number): void {
  const commit = history.nextCommit;
  const mutations = [...checkpointOf(rest)];
  dateContent(rest, history.generation);
  ownChanges.begin(hardLinkedFiles(rest));
  recordCarried(history, { tag: 'K', changes, commit }, { mutations, name: `after commit ${commit}` });
}

/** The live tree becomes what was recorded; nothing looks different. Returns what the kernel must forget. */
export function showRest(session: LiveSession, rest: OverrideTree, { plan, placed }: Placement): Invalidation[] {
  const { overlay } = session;
  const shared = hardLinkedFiles(rest);
  const forget = overlay.rebase(placed, rest);
  const { invalidations } = overlay.show(rest, 'other base');
  noteLinked(session, plan, shared);
  return [...forget, ...invalidations];
}
