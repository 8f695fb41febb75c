/**
 * The session as the commands that only look see it: the durable tree and the journal, read without the daemon.
 * A live daemon is asked to write down what it knows first.
 */
import { setFlagsFromString } from 'node:v8';
import type { ChangeLine } from '../../daemon/protocol.ts';
import { resolvedByItself } from '../../history/commit/conflict/by-itself.ts';
import { checkBase } from '../../history/commit/conflict/check.ts';
import type { Conflict } from '../../history/commit/conflict/conflict.ts';
import { Drift } from '../../history/commit/conflict/drift.ts';
import { MergeBases } from '../../history/commit/conflict/merge-bases.ts';
import { OwnChanges } from '../../history/commit/conflict/own-changes.ts';
import { type Notice, stagedNotices } from '../../history/commit/notices/notices.ts';
import { unfinishedCommits } from '../../history/commit/runner/places.ts';
import { type ChangesOptions, netChanges, type PathChange, stateChanges } from '../../history/diff/changes.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { Layout } from '../../history/layout.ts';
import { Journal } from '../../history/log/journal.ts';
import { statesOf } from '../../history/past/between.ts';
import { LendingStore } from '../../history/past/lending-store.ts';
import { openBase } from '../../history/registry/mounts.ts';
import { type LoadedSession, loadSession } from '../../history/timeline/load.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import { buildTimeline, MARKER_TAGS, type Timeline } from '../../history/timeline/segments.ts';
import type { Found } from '../../review/review.ts';
import { toBytePath } from '../../sys/bytes.ts';
import { withLiveDaemon } from '../connection.ts';

/** A loaded session with what it takes to compare it with the base. */
export interface Reading extends ChangesOptions {
  readonly session: LoadedSession;
  readonly ownChanges: OwnChanges;
  readonly layout: Layout;
  readonly store: LendingStore;
  /** The daemon could not watch all directories of the host that the view shows. */
  readonly unwatched: boolean;
  /** The view has the /proc of the container. */
  readonly sharesProc: boolean;
}

/** Loads the session and works with it. `undefined` is what `work` gets when nothing was ever staged. */
export async function readSession<T>(layout: Layout, work: (reading: Reading | undefined) => Promise<T>): Promise<T> {
  const flushed = await withLiveDaemon(layout, (daemon) => daemon.request({ op: 'flush' }));
  if (flushed?.notice !== undefined) process.stderr.write(`yolofs: ${flushed.notice}\n`);
  if (flushed === undefined) tellUnfinished(layout);
  expectMany();
  const session = loadSession(layout, { readOnly: true });
  if (session === undefined) return work(undefined);
  const base = openBase(layout);
  const store = new LendingStore(layout.files, base);
  try {
    const [unwatched, sharesProc] = [flushed?.unwatched === true, flushed?.sharesProc === true];
    const ownChanges = new OwnChanges(layout.ownChanges);
    return await work({ session, layout, tree: session.tree, base, store, ownChanges, unwatched, sharesProc });
  } finally {
    store.close();
    await session.close();
  }
}

/** Without a daemon, whose start would have mended it, the base may be half of a commit. */
function tellUnfinished(layout: Layout): void {
  const [commit] = unfinishedCommits(layout);
  if (commit === undefined) return;
  process.stderr.write(`yolofs: commit ${commit}, or its undo, was cut short: the real files may be half of it\n`);
  process.stderr.write("hint: 'yolofs doctor --repair' mends it, and so does the next 'yolofs run'\n");
}

/**
 * Tells V8 that what is loaded is many objects, and all to stay: the space of the fresh ones grows at once and not in
 * steps, each of which copies what is there; and one thread copies, as helpers cost more processor time than they save.
 */
function expectMany(): void {
  setFlagsFromString('--semi-space-growth-factor=16');
  setFlagsFromString('--no-parallel-scavenge');
}

/** The session's snapshots and travels; none when nothing was ever staged. */
export function timelineOf(reading: Reading | undefined): Timeline {
  if (reading === undefined) return buildTimeline([], { start: 0, end: 0 });
  const { journal } = reading.session;
  return buildTimeline(journal.scan({ only: MARKER_TAGS }), { start: Journal.start, end: journal.size });
}

/**
 * The net changes that are staged, or those of a range, sorted by path; every call of the result lists them anew. Throws
 * a UserError for a range that cannot be shown.
 */
export function changesIn(reading: Reading, range: Range | undefined): () => Generator<PathChange, void, undefined> {
  if (range === undefined) return () => netChanges(reading);
  const states = statesOf(range, { ...reading, journal: reading.session.journal });
  return () => stateChanges(states);
}

/** What a person should know first of all that is staged. */
export function noticesIn(reading: Reading | undefined): readonly Notice[] {
  return reading === undefined ? [] : stagedNotices(reading, toBytePath(reading.layout.project));
}

/** The changes as `status` shows them, sorted by path; those that are staged with what was changed outside. */
export interface Listing {
  readonly changes: Generator<ChangeLine, void, undefined>;
  /** What was changed outside of what is staged. Of those that no change was about, it knows when all were listed. */
  readonly drift: Drift;
}

/** What `status` lists, of what is staged or of a range. Throws as `changesIn`. */
export function listingOf(reading: Reading | undefined, range?: Range | undefined): Listing {
  if (reading === undefined) return { changes: nothing(), drift: new Drift([]) };
  const { found, drift } = foundIn(reading, range);
  return { changes: changeLines(found), drift };
}

function* nothing(): Generator<ChangeLine, void, undefined> {}

/** The same, each with its two sides. */
export function foundIn(
  reading: Reading,
  range: Range | undefined,
): { readonly found: Iterable<Found>; readonly drift: Drift } {
  const drift = new Drift(range === undefined ? conflictsOf(reading) : []);
  return { found: withConflicts(changesIn(reading, range)(), drift), drift };
}

function* withConflicts(changes: Iterable<PathChange>, drift: Drift): Generator<Found, void, undefined> {
  for (const change of changes) yield { change, conflict: drift.of(change)?.theirs };
}

function* changeLines(found: Iterable<Found>): Generator<ChangeLine, void, undefined> {
  for (const {
    change: { path, change, type, from },
    conflict,
  } of found) {
    const line = from === undefined ? { path, change, type } : { path, change, type, from };
    yield conflict === undefined ? line : { ...line, conflict };
  }
}

/** What a commit would stumble over. */
function conflictsOf({ tree, base, store, ownChanges, layout }: Reading): readonly Conflict[] {
  if (ownChanges.isPending) return [];
  const facts = new Facts(base, store);
  const options = { tree, facts, mergeBases: new MergeBases(layout.mergeBases) };
  return checkBase({ tree, facts, ownChanges }).conflicts.filter((one) => resolvedByItself(one, options) === undefined);
}
