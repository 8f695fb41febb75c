/** What was there before a commit, as a tree over the base of now. */

import type { LendingStore } from '../../../history/past/lending-store.ts';
import type { Destination } from '../../../history/timeline/destination.ts';
import type { Epoch, Timeline } from '../../../history/timeline/segments.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { LiveSession } from '../live-session.ts';
import { pastTree } from '../travel.ts';

/** The state before a commit: nothing is staged in it. */
export function stateBefore(commit: number, timeline: Timeline): Pick<Destination, 'epoch' | 'generation'> {
  const epoch = timeline.findLast((one) => one.ended === 'commit' && one.commit === commit) as Epoch;
  return { epoch, generation: epoch.base };
}

/** That state, to be looked at: what the commit has replaced is read where it lies. Throws as `pastTree`. */
export function treeBefore(session: LiveSession, commit: number, lending: LendingStore): OverrideTree {
  const timeline = session.markers.timeline();
  return pastTree({ ...session, store: lending }, stateBefore(commit, timeline), timeline, (path) =>
    lending.lend(path),
  );
}
