/** What stays staged after a commit of a part that is no selection of paths: a tree made anew over the base that the commit leaves. */

import { checkpointOf, dateContent } from '../../../history/timeline/checkpoint/checkpoint.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { LiveSession } from '../live-session.ts';
import type { Following, Placement } from './part.ts';
import { hardLinkedFiles, noteLinked, recordCarried } from './selected.ts';

interface Recorded {
  readonly changes: number;
  readonly then: Following | undefined;
}

/** Records durably that the part is the base's, and that `rest` stays. Throws a SystemError or UserError; it must not happen then. */
export function recordRest(session: LiveSession, rest: OverrideTree, { changes, then }: Recorded): void {
  const { history, ownChanges } = session;
  const commit = history.nextCommit;
  const mutations = [...checkpointOf(rest)];
  const following = then?.checkpointOf(rest);
  dateContent(rest, history.generation);
  ownChanges.begin(hardLinkedFiles(rest));
  const name = `after commit ${commit}`;
  recordCarried(history, { head: { tag: 'K', changes, commit }, mutations, name }, following);
}

/** The live tree becomes what was recorded; nothing looks different. Returns what the kernel must forget. */
export function showRest(session: LiveSession, rest: OverrideTree, { plan, placed }: Placement): Invalidation[] {
  const { overlay } = session;
  const shared = hardLinkedFiles(rest);
  const forget = overlay.treeSwitch.rebase(placed, rest);
  const { invalidations } = overlay.treeSwitch.show(rest, 'other base');
  noteLinked(session, plan, shared);
  return [...forget, ...invalidations];
}
