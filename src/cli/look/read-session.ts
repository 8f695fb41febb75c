/**
 * The session as the commands that only look see it: the durable tree and the journal, read without the daemon.
 * A live daemon is asked to write down what it knows first.
 */
import { setFlagsFromString } from 'node:v8';
import { OwnChanges } from '../../history/commit/conflict/own-changes.ts';
import { type Notice, stagedNotices } from '../../history/commit/notices/notices.ts';
import { unfinishedCommits } from '../../history/commit/runner/places.ts';
import { type ChangesOptions, netChanges, type PathChange, stateChanges } from '../../history/diff/changes.ts';
import { Facts, KnownFacts } from '../../history/diff/facts.ts';
import type { Layout } from '../../history/layout.ts';
import { Journal } from '../../history/log/journal.ts';
import { statesOf } from '../../history/past/between.ts';
import { LendingStore } from '../../history/past/lending-store.ts';
import { openBase } from '../../history/registry/mounts.ts';
import { type LoadedSession, loadSession } from '../../history/timeline/load.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import { buildTimeline, MARKER_TAGS, type Timeline } from '../../history/timeline/segments.ts';
import { type BytePath, toBytePath } from '../../sys/bytes.ts';
import { grouped } from '../../sys/grouped.ts';
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
  try {
    return await readStaged(
      layout,
      { unwatched: flushed?.unwatched === true, sharesProc: flushed?.sharesProc === true },
      work,
    );
  } finally {
    expectFew();
  }
}

async function readStaged<T>(
  layout: Layout,
  view: Pick<Reading, 'unwatched' | 'sharesProc'>,
  work: (reading: Reading | undefined) => Promise<T>,
): Promise<T> {
  const session = loadSession(layout, { readOnly: true });
  if (session === undefined) return work(undefined);
  const base = openBase(layout);
  const store = new LendingStore(layout.files, base);
  try {
    const ownChanges = new OwnChanges(layout.ownChanges);
    return await work({ session, layout, tree: session.tree, base, store, ownChanges, ...view });
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

/** As V8 has it by itself: with other options it takes nothing that is kept of this run's code (sys/process/code-cache.ts). */
function expectFew(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--parallel-scavenge');
}

/** The session's snapshots and travels; none when nothing was ever staged. */
export function timelineOf(reading: Reading | undefined): Timeline {
  if (reading === undefined) return buildTimeline([], { start: 0, end: 0 });
  const { journal } = reading.session;
  return buildTimeline(journal.scan({ only: MARKER_TAGS }), { start: Journal.start, end: journal.size });
}

/** The same for one look at it: what several listings ask for is asked for once. */
export function atOnce(reading: Reading): Reading {
  return { ...reading, facts: new Facts(reading.base, reading.store, new KnownFacts()) };
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

/** The same by paths, that of the most telling one first. */
export function noticesByPath(reading: Reading): ReadonlyMap<BytePath, readonly Notice[]> {
  return grouped(noticesIn(reading), ({ path }) => path);
}
