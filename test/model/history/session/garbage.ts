/** gc as the daemon runs it, in this thread. */

import type { LiveView } from '../../../../src/daemon/live-view.ts';
import { Keeper } from '../../../../src/daemon/store/committed/keeper.ts';
import { collect, type GcSession, sweep } from '../../../../src/history/gc/collect.ts';
import type { Policy } from '../../../../src/history/gc/policy.ts';
import type { Layout } from '../../../../src/history/layout.ts';
import type { GenRange } from '../../../../src/history/log/generations.ts';
import { Journal } from '../../../../src/history/log/journal.ts';
import { ObjectStore } from '../../../../src/staging/object-store.ts';

export interface Garbage {
  readonly live: LiveView;
  readonly layout: Layout;
}

/** Returns the generations that were given up. */
export function collectGarbage(policy: Policy, garbage: Garbage): Promise<readonly GenRange[]> {
  return withSession(garbage, async (session) => (await collect(session, policy)).generations);
}

/** Sees to it that committed content is in the store, too. */
export async function keepContents({ layout }: Pick<Garbage, 'layout'>): Promise<void> {
  const store = new ObjectStore(layout.files);
  const keeper = new Keeper(layout, store);
  keeper.start();
  await keeper.idle();
  store.close();
}

/** Removes what nothing needs. */
export function sweepGarbage(garbage: Garbage): Promise<void> {
  return withSession(garbage, sweep);
}

async function withSession<T>({ live, layout }: Garbage, act: (session: GcSession) => Promise<T>): Promise<T> {
  const store = new ObjectStore(layout.files);
  const journal = Journal.open(layout.journal, { readOnly: true });
  try {
    return await act({
      ...{ journal, store, commits: layout.commits, basis: live.upkeep.basis() },
      going: {
        begin: async (prints) => live.upkeep.names.begin(prints),
        done: async (touched) => live.upkeep.names.done(touched),
      },
      drop: async (record) => void live.upkeep.drop(record),
      remove: (object) => store.remove(object),
    });
  } finally {
    journal.close();
    store.close();
  }
}
