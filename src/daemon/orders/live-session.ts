/** What orders work on. */
import type { MergeBases } from '../../history/commit/conflict/merge-bases.ts';
import type { OwnChanges } from '../../history/commit/conflict/own-changes.ts';
import type { Layout } from '../../history/layout.ts';
import type { Markers } from '../../history/timeline/markers.ts';
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import type { HostTree } from '../../staging/host-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Overlay } from '../../staging/overlay.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { SourceCommits } from '../sources/commit-sources.ts';

/** A session whose view is served: what is staged and over what, where it is kept, and what has happened. */
export interface LiveSession {
  readonly layout: Layout;
  /** The directory that holds the session's own. */
  readonly project: BytePath;
  /** What is staged. */
  readonly tree: OverrideTree;
  readonly base: HostTree;
  readonly store: ObjectStore;
  /** Shows the tree over the base. */
  readonly overlay: Overlay;
  readonly history: SessionHistory;
  readonly markers: Markers;
  /** What commits have changed of the base, which is not to pass for changed outside. */
  readonly ownChanges: OwnChanges;
  readonly mergeBases: Pick<MergeBases, 'find'>;
  readonly sources: SourceCommits;
}
