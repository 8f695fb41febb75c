/**
 * gc of a session that no daemon serves: this process takes its lock for the rest of its life. A commit that was cut short
 * is finished or rolled back first, as a daemon would.
 */

import { NamesGone } from '../../history/commit/conflict/names-gone.ts';
import { finaliseLeft } from '../../history/commit/conflict/names-taken.ts';
import { OwnChanges } from '../../history/commit/conflict/own-changes.ts';
import { recoverCommits } from '../../history/commit/runner/recover.ts';
import { collect, type Freed, type GcSession } from '../../history/gc/collect.ts';
import type { Policy } from '../../history/gc/policy.ts';
import type { Layout } from '../../history/layout.ts';
import { openBase } from '../../history/registry/mounts.ts';
import { SessionHistory } from '../../history/timeline/session-history.ts';
import { ObjectStore } from '../../staging/object-store.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { takeLock } from '../life/lock.ts';

const NOTHING: Freed = { generations: [], commits: [], objects: 0, bytes: 0, left: 0 };

/** Undefined when another process has the lock. Rejects as `collect` and `SessionHistory.open`. */
export async function collectAlone(layout: Layout, policy: Policy, dryRun: boolean): Promise<Freed | undefined> {
  if (lookAt(layout.journal) === undefined) return NOTHING;
  if (!takeLock(layout.lock)) return undefined;
  const base = openBase(layout);
  await recoverCommits(layout);
  const { history, tree } = SessionHistory.open(layout, { whoIs: () => ({ run: 0, name: undefined }) });
  const store = new ObjectStore(layout.files);
  const ownChanges = new OwnChanges(layout.ownChanges);
  finaliseLeft({ layout, base, store, history, ownChanges });
  const names = new NamesGone({ tree, base, ownChanges, history });
  try {
    const session: GcSession = {
      ...{ journal: history.journal, store, commits: layout.commits },
      basis: { offset: history.journal.size, end: history.nextObject(), held: [] },
      drop: async (record) => {
        const errno = history.recordDrop(record);
        if (errno !== OK) throw new SystemError('cannot write the journal', errno);
      },
      going: { begin: async (prints) => names.begin(prints), done: async (touched) => names.done(touched) },
      remove: store.remove.bind(store),
    };
    return await collect(session, policy, dryRun);
  } finally {
    base.close();
    store.close();
    await history.close();
  }
}
