/** A session whose files are open, by whoever has its lock. */
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Layout } from '../layout.ts';
import type { SessionHistory } from '../timeline/session-history.ts';
import type { OwnChanges } from './conflict/own-changes.ts';

/** What is staged and over what, where it is kept, and what has happened. */
export interface OpenSession {
  readonly layout: Layout;
  /** What is staged. */
  readonly tree: OverrideTree;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  readonly history: SessionHistory;
  /** What commits have changed of the base, which is not to pass for changed outside. */
  readonly ownChanges: OwnChanges;
}
