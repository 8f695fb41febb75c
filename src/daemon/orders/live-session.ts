/** What orders work on. */
import { MergeBases } from '../../history/commit/conflict/merge-bases.ts';
import { OwnChanges } from '../../history/commit/conflict/own-changes.ts';
import type { OpenSession } from '../../history/commit/open-session.ts';
import type { Layout } from '../../history/layout.ts';
import { Markers } from '../../history/timeline/markers.ts';
import { type HistoryOptions, SessionHistory } from '../../history/timeline/session-history.ts';
import type { HostTree } from '../../staging/host-tree.ts';
import { ObjectStore } from '../../staging/object-store.ts';
import { Overlay } from '../../staging/overlay.ts';
import type { Owner } from '../../staging/owner.ts';
import { Quota } from '../../staging/store/quota.ts';
import { type BytePath, toBytePath } from '../../sys/bytes.ts';
import type { SourceCommits } from '../sources/commit-sources.ts';

/** A session whose view is served. */
export interface LiveSession extends OpenSession {
  /** The directory that holds the session's own. */
  readonly project: BytePath;
  readonly base: HostTree;
  /** Shows the tree over the base. */
  readonly overlay: Overlay;
  /** What the store may occupy, with the records of what is staged. */
  readonly quota: Quota;
  readonly markers: Markers;
  readonly mergeBases: Pick<MergeBases, 'find'>;
  readonly sources: SourceCommits;
}

export interface LiveSessionOptions {
  readonly layout: Layout;
  readonly base: HostTree;
  readonly owner: Owner;
  readonly maxFiles: number;
  readonly sources: SourceCommits;
  readonly history: HistoryOptions;
  /** Bytes of the journal that count for the quota. */
  readonly journalBytes: () => number;
}

/** Loads the session, or begins one. Throws as `SessionHistory.open`. */
export function openLiveSession(options: LiveSessionOptions): LiveSession {
  const { layout, base, owner, maxFiles, sources } = options;
  const { history, tree } = SessionHistory.open(layout, options.history);
  const store = new ObjectStore(layout.files);
  const quota = new Quota(store, options.journalBytes);
  return {
    ...{ layout, project: toBytePath(layout.project), sources },
    ...{ tree, base, store, history, quota },
    overlay: new Overlay({ tree, base, store, owner, maxFiles, quota, recorder: history, numbers: history }),
    ownChanges: new OwnChanges(layout.ownChanges),
    markers: new Markers(history.journal),
    mergeBases: new MergeBases(layout.mergeBases),
  };
}
