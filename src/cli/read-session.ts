/**
 * The session as the commands that only look see it: the durable tree and the journal, read without the daemon.
 * A live daemon is asked to write down what it knows first.
 */
import type { ChangeLine } from '../daemon/protocol.ts';
import { type ChangesOptions, netChanges } from '../history/changes.ts';
import { Journal } from '../history/journal.ts';
import type { Layout } from '../history/layout.ts';
import { type LoadedSession, loadSession } from '../history/load.ts';
import { buildTimeline, MARKER_TAGS, type Timeline } from '../history/segments.ts';
import { HostTree } from '../staging/host-tree.ts';
import { ObjectStore } from '../staging/object-store.ts';
import { toBytePath } from '../sys/bytes.ts';
import { withLiveDaemon } from './connection.ts';

/** A loaded session with what it takes to compare it with the base. */
export interface Reading extends ChangesOptions {
  readonly session: LoadedSession;
}

/** Loads the session and works with it. `undefined` is what `work` gets when nothing was ever staged. */
export async function readSession<T>(layout: Layout, work: (reading: Reading | undefined) => Promise<T>): Promise<T> {
  await withLiveDaemon(layout, (daemon) => daemon.request({ op: 'flush' }));
  const session = loadSession(layout, { readOnly: true });
  if (session === undefined) return work(undefined);
  const base = new HostTree({ hidden: [toBytePath(layout.dir)], empty: [] });
  const store = new ObjectStore(layout.files);
  try {
    return await work({ session, tree: session.tree, base, store });
  } finally {
    store.close();
    await session.close();
  }
}

/** The session's snapshots and travels. */
export function timelineOf({ session: { journal } }: Reading): Timeline {
  return buildTimeline(journal.scan({ only: MARKER_TAGS }), { start: Journal.start, end: journal.size });
}

/** The net changes as `status` shows them, sorted by path. */
export function* changeLines(reading: Reading | undefined): Generator<ChangeLine, void, undefined> {
  if (reading === undefined) return;
  for (const { path, change, type, from } of netChanges(reading)) {
    yield from === undefined ? { path, change, type } : { path, change, type, from };
  }
}
