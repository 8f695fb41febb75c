/** What stays staged after a commit of a part that is no selection of paths: a tree made anew over the base that the commit leaves. */
import { carry, dateContent } from '../../../history/carry/carry.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import { noteLinked, type Placement, recordCarried, type SelectedParts, sharedOriginals } from '../selected.ts';

/** Records durably that the part is the base's, and that `rest` stays. Throws a SystemError; it must not happen then. */
export function recordRest({ history, touches }: SelectedParts, rest: OverrideTree, changes: number): void {
  const commit = history.nextCommit;
  const mutations = [...carry(rest)];
  dateContent(rest, history.generation);
  touches.begin(sharedOriginals(rest));
  recordCarried(history, { tag: 'K', changes, commit }, { mutations, name: `after commit ${commit}` });
}

/** The live tree becomes what was recorded; nothing looks different. Returns what the kernel must forget. */
export function showRest(
  parts: SelectedParts,
  rest: OverrideTree,
  { plan, touches, placed }: Placement,
): Invalidation[] {
  const { overlay } = parts;
  const shared = sharedOriginals(rest);
  const forget = overlay.rebase(placed, rest);
  const { invalidations } = overlay.show(rest, 'other base');
  noteLinked(parts, { plan, touches }, shared);
  return [...forget, ...invalidations];
}
