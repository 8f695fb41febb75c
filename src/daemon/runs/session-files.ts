/** The session's files, as the daemon's main thread reads them beside the FUSE thread: with descriptors of its own. */
import type { Layout } from '../../history/layout.ts';
import { Journal } from '../../history/log/journal.ts';
import { openBase } from '../../history/registry/mounts.ts';
import type { HostTree } from '../../staging/host-tree.ts';
import { ObjectStore } from '../../staging/object-store.ts';
import { type BytePath, toBytePath } from '../../sys/bytes.ts';

export interface SessionFiles {
  readonly layout: Layout;
  readonly project: BytePath;
  readonly journal: Journal;
  readonly base: HostTree;
  readonly store: ObjectStore;
}

export function openSessionFiles(layout: Layout): SessionFiles {
  return {
    layout,
    project: toBytePath(layout.project),
    journal: Journal.open(layout.journal, { readOnly: true }),
    base: openBase(layout),
    store: new ObjectStore(layout.files),
  };
}
