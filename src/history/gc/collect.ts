/**
 * gc: gives up what is no longer wanted and removes what nothing needs, a few at a time.
 *
 *     basis ── which generations go ── X record, durable ── commits' backups ── objects
 *
 * A crash after the record leaves objects and backups over, for the next one; before it, nothing has happened.
 */
import { setImmediate as pause } from 'node:timers/promises';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { ObjectId } from '../../sys/bytes.ts';
import { type Errno, OK, SystemError } from '../../sys/errno.ts';
import { type Generations, type GenRange, rangesOf } from '../log/generations.ts';
import { Journal, type Scanned } from '../log/journal.ts';
import type { DropRecord } from '../log/record.ts';
import { buildTimeline, MARKER_TAGS, type Timeline } from '../timeline/segments.ts';
import { removeCommits } from './backups.ts';
import { neededObjects } from './needed.ts';
import type { ObjectSet } from './object-set.ts';
import { chooseDropped, type Dropped, dropOldest, keptGenerations, type Policy, statesWithout } from './policy.ts';
import type { NamesGoing } from './shared-names.ts';
import { occupiedBy, storedObjects } from './store-walk.ts';
import { weighSegments } from './weights.ts';

/** One moment of the session, between two operations of the view. */
export interface Basis {
  /** End of the journal. */
  readonly offset: number;
  /** Objects from here on are made later. */
  readonly end: ObjectId;
  /** Objects that processes may have open; also some that have no name, or none yet. */
  readonly held: readonly ObjectId[];
}

/** What gc works on. */
/** A session as gc sees it, and what only those may do who serve it. */
export interface GcSession {
  readonly journal: Journal;
  readonly store: ObjectStore;
  /** Directory of what commits replaced (text path), see Layout. */
  readonly commits: string;
  readonly basis: Basis;
  /** Who compares files of the base with what they were. */
  readonly going: NamesGoing;
  /** Appends the record and makes it durable. Rejects when that fails; then nothing may be removed. */
  drop(record: DropRecord): Promise<void>;
  /** Removes one object. */
  remove(object: ObjectId): Errno;
}

export interface Freed {
  /** Generations that are no longer kept since now. */
  readonly generations: readonly GenRange[];
  /** Commits whose backups went. */
  readonly commits: readonly number[];
  readonly objects: number;
  /** Bytes on the disk, of objects and backups. */
  readonly bytes: number;
  /** What is left of them. */
  readonly left: number;
}

/** Objects looked at, or removed, in a row. */
const BURST = 64;
const ABSENT = -1;

/** What was in the store. */
interface Stored {
  /** Bytes on the disk by object, or ABSENT; those that are newer than the basis are not among them. */
  readonly bytes: Float64Array;
  /** Bytes of those. */
  readonly newer: number;
}

/**
 * Collects by a policy; with `dryRun` only says what would go. Throws JournalDamaged; SystemError when the journal
 * cannot be written (nothing is removed then) or an object not be removed (the others still are).
 */
export async function collect(session: GcSession, policy: Policy, dryRun = false): Promise<Freed> {
  const { journal, basis } = session;
  const { timeline, before } = readTimeline(journal, basis.offset);
  const chosen = chooseDropped(timeline, policy, before);
  const collector = new Collector(session, timeline);
  const dropped = policy.maxSize === undefined ? chosen : await collector.fit(chosen, policy.maxSize);
  const generations = newIn(dropped.generations, before.generations, timeline);
  const isNews = generations.length > 0 || dropped.commit > before.commit;
  if (isNews && !dryRun) await session.drop({ tag: 'X', generations, commit: dropped.commit });
  return { generations, ...(await collector.remove(dropped, dryRun)) };
}

/**
 * Removes only what nothing needs and no commit has replaced: contents of aborted epochs, and leftovers of crashes. Takes
 * nothing away that anybody could still go to, so it needs no turn. Throws as `collect`.
 */
export async function sweep(session: GcSession): Promise<void> {
  const { timeline, before } = readTimeline(session.journal, session.basis.offset);
  const collector = new Collector(session, timeline);
  await collector.removeObjects(await collector.needed(before), false);
}

/** The epochs up to offset `end`, and what gc has dropped in them. */
function readTimeline(journal: Journal, end: number): { timeline: Timeline; before: Dropped } {
  let commit = 0;
  const noteCommit = ({ record }: Scanned): boolean => {
    if (record.body.tag === 'X') commit = Math.max(commit, record.body.commit);
    return true;
  };
  const markers = [...journal.scan({ to: end, only: MARKER_TAGS })].filter(noteCommit);
  const timeline = buildTimeline(markers, { start: Journal.start, end });
  return { timeline, before: { generations: timeline[0].dropped, commit } };
}

class Collector {
  readonly #session: GcSession;
  readonly #timeline: Timeline;
  readonly #held: ReadonlySet<ObjectId>;
  #stored: Stored | undefined;

  constructor(session: GcSession, timeline: Timeline) {
    this.#session = session;
    this.#timeline = timeline;
    this.#held = new Set(session.basis.held);
  }

  /** Drops the fewest of the oldest generations with which the rest fits into `size` bytes; all if none do. */
  async fit(chosen: Dropped, size: number): Promise<Dropped> {
    const count = keptGenerations(this.#timeline).length;
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { left } = await this.remove(dropOldest(this.#timeline, chosen, middle), true);
      if (left <= size) high = middle;
      else low = middle + 1;
    }
    return dropOldest(this.#timeline, chosen, low);
  }

  /** Removes what is not needed when this is dropped, or with `dryRun` only counts it. */
  async remove(dropped: Dropped, dryRun: boolean): Promise<Omit<Freed, 'generations'>> {
    const needed = await this.needed(dropped);
    const { commits, going } = this.#session;
    const removal = { through: dropped.commit, going: dryRun ? undefined : going };
    const { removed, bytes, left } = await removeCommits(commits, removal);
    const freed = await this.removeObjects(needed, dryRun);
    return { objects: freed.objects, bytes: freed.bytes + bytes, left: freed.left + left, commits: removed };
  }

  needed(dropped: Dropped): Promise<ObjectSet> {
    const { journal, basis } = this.#session;
    return neededObjects(journal, weighSegments(this.#timeline, statesWithout(dropped)), basis.end);
  }

  async removeObjects(needed: ObjectSet, dryRun: boolean): Promise<{ objects: number; bytes: number; left: number }> {
    const stored = await this.#look();
    const freed = { objects: 0, bytes: 0, left: stored.newer };
    let failure: Errno = OK;
    let removed = 0;
    for (const [id, bytes] of stored.bytes.entries()) {
      const object = id as ObjectId;
      if (bytes === ABSENT) continue;
      const errno = this.#isFree(object, needed) ? this.#remove(object, dryRun) : undefined;
      if (errno !== OK) freed.left += bytes;
      if (errno !== undefined && errno !== OK) failure = errno;
      if (errno !== OK) continue;
      freed.objects += 1;
      freed.bytes += bytes;
      if (!dryRun && ++removed % BURST === 0) await pause();
    }
    if (failure !== OK) throw new SystemError('cannot remove contents from the file store', failure);
    return freed;
  }

  /** What lies in the store, looked at once. */
  async #look(): Promise<Stored> {
    if (this.#stored !== undefined) return this.#stored;
    const { store, basis } = this.#session;
    const bytes = new Float64Array(basis.end).fill(ABSENT);
    let [newer, looked] = [0, 0];
    for (const object of storedObjects(store)) {
      if (++looked % BURST === 0) await pause();
      const size = occupiedBy(store, object)?.bytes;
      if (object >= basis.end) newer += size ?? 0;
      else if (size !== undefined) bytes[object] = size;
    }
    this.#stored = { bytes, newer };
    return this.#stored;
  }

  #isFree(object: ObjectId, needed: ObjectSet): boolean {
    return !needed.has(object) && !this.#held.has(object);
  }

  #remove(object: ObjectId, dryRun: boolean): Errno {
    return dryRun ? OK : this.#session.remove(object);
  }
}

/** Generations of the timeline that are in `now` but were not in `before`, as ranges. */
function newIn(now: Generations, before: Generations, timeline: Timeline): readonly GenRange[] {
  const all = timeline.flatMap(({ markers }) => markers.map(({ generation }) => generation));
  return rangesOf(all.filter((generation) => now.has(generation) && !before.has(generation)));
}
