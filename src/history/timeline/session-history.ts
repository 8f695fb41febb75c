/**
 * A session's history while it is live, as the FUSE thread uses it: records what staging tells, numbers what it
 * makes, takes snapshots, and keeps the durable tree following behind. One writer: whoever holds the lock.
 */

import type { Time } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Cause, Mutation, Recorder } from '../../staging/recorder.ts';
import type { Gen, Ino, ObjectId } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import { coarseTime } from '../../sys/libc.ts';
import type { Layout } from '../layout.ts';
import { type AuthorOptions, Authors } from '../log/authors.ts';
import type { Journal } from '../log/journal.ts';
import { JournalInDoubt } from '../log/lines.ts';
import type { Body, DropRecord, JournalRecord, ResetRecord, Who } from '../log/record.ts';
import { advance, type SessionState } from '../log/session-state.ts';
import { type Checkpoint, checkpointRecords } from './checkpoint/records.ts';
import { type LoadedSession, loadSession } from './load.ts';
import { MARKER_TAGS } from './segments.ts';
import type { TreeMeta } from './store/tree-store.ts';

export interface HistoryOptions extends AuthorOptions {
  /** Told, in a sentence, what could not be used and was done without. */
  readonly onNote?: (text: string) => void;
}

export interface SnapshotOptions {
  /** The run that ended, and its command line. */
  readonly run?: number;
  readonly command?: string;
  /** Take none when nothing was changed since the last marker. */
  readonly ifChanged?: boolean;
}

export class SessionHistory implements Recorder {
  /** For scans of what was recorded. */
  readonly journal: Journal;
  readonly #session: LoadedSession;
  readonly #state: SessionState;
  readonly #options: HistoryOptions;
  readonly #authors: Authors;
  /** Runs whose command line the journal has. */
  readonly #noted = new Set<number>();
  /** How much of the journal the store covers. */
  #stored: number;
  /** What the store holds is another tree than the session's: it is to be written anew. */
  #isReplaced = false;

  /** Opens the session, or begins one; the tree is the caller's from here on. Throws as `loadSession`. */
  static open(layout: Layout, options: HistoryOptions): { history: SessionHistory; tree: OverrideTree } {
    const notes = options.onNote === undefined ? {} : { onNote: options.onNote };
    const session = loadSession(layout, { readOnly: false, ...notes });
    return { history: new SessionHistory(session, options), tree: session.tree };
  }

  private constructor(session: LoadedSession, options: HistoryOptions) {
    this.journal = session.journal;
    this.#session = session;
    this.#state = session.state;
    this.#options = options;
    this.#authors = new Authors(options);
    this.#stored = 0;
  }

  get generation(): Gen {
    return this.#state.generation;
  }

  /** Whether anything was recorded after the last snapshot, travel, commit or abort. */
  get changedSinceMarker(): boolean {
    return this.#state.changedSinceMarker;
  }

  /** The highest number that a run has had so far; the next one's must be above it. */
  get lastRun(): number {
    return this.#state.lastRun;
  }

  /** Where that marker's record starts in the journal: a scan from here finds what came after. */
  get lastMarkerOffset(): number {
    return this.#state.lastMarkerOffset;
  }

  /** Whether no state of this epoch has a number: it began with that marker, or it is the first one. */
  get isUnmarked(): boolean {
    const [last] = this.journal.scan({ from: this.lastMarkerOffset, only: MARKER_TAGS });
    const tag = last?.record.body.tag;
    return tag !== 'P' && tag !== 'T';
  }

  /** A fresh object id. One that the store has a file for (left by a crash) must be skipped: ask again. */
  nextObject(): ObjectId {
    const object = this.#state.nextObject;
    this.#state.nextObject = (object + 1) as ObjectId;
    return object;
  }

  nextIno(): Ino {
    const ino = this.#state.nextIno;
    this.#state.nextIno = (ino + 1) as Ino;
    return ino;
  }

  record(mutation: Mutation, time: Time, cause: Cause): Errno {
    const who = this.#authors.of(mutation, cause);
    if (who.run !== 0 && !this.#noted.has(who.run)) this.#note(who.run, time);
    return this.#append(mutation, { time, who });
  }

  expect(ino: Ino, cause: Cause): void {
    this.#authors.expect(ino, cause);
  }

  /** Writes down something that changes nothing (see `NoteRecord`); without a process it is our own doing. */
  note(tag: 'G' | 'C', fields: readonly string[], pid?: number): Errno {
    if (pid === undefined) return this.#append({ tag, fields }, { who: ourselves() });
    const who = this.#authors.whoIs(pid);
    if (who.run !== 0 && !this.#noted.has(who.run)) this.#note(who.run, coarseTime());
    return this.#append({ tag, fields }, { who });
  }

  sync(): Errno {
    return this.journal.sync();
  }

  /** Whether the state is that of generation `gen`, and nothing has changed since. */
  isAt(gen: number): boolean {
    return this.#state.generation === gen && !this.#state.changedSinceMarker;
  }

  /** One record and one increment, whatever the size of the tree. On an errno there is no snapshot. */
  snapshot(name: string, options: SnapshotOptions = {}): { taken: boolean; generation: Gen } | Errno {
    const { generation, changedSinceMarker } = this.#state;
    if (options.ifChanged && !changedSinceMarker) return { taken: false, generation };
    const next = (generation + 1) as Gen;
    const body = { tag: 'P', name, command: options.command } as const;
    const errno = this.#append(body, { who: ourselves(options.run), generation: next });
    return errno === OK ? { taken: true, generation: next } : errno;
  }

  /**
   * Records that the view goes to the state of generation `target`, called `name` (bytes). The caller makes the tree
   * that state; the store is written anew with the next flush. On an errno there is no travel.
   */
  travel(target: Gen, name: string): { generation: Gen } | Errno {
    const generation = (this.#state.generation + 1) as Gen;
    const errno = this.#append({ tag: 'T', target, name }, { who: ourselves(), generation });
    if (errno !== OK) return errno;
    this.#isReplaced = true;
    return { generation };
  }

  /** The number that the next commit will have. */
  get nextCommit(): number {
    return this.#state.commits + 1;
  }

  /** Numbers of the commits that can be taken back, as far as the journal knows; the latest last. */
  get applied(): readonly number[] {
    return this.#state.applied;
  }

  /** Records durably that a commit (K) or abort (A) empties the tree. On an errno that must not happen. Throws JournalInDoubt. */
  recordReset(tag: ResetRecord['tag'], changes: number): Errno {
    const body = tag === 'K' ? ({ tag, changes, commit: this.nextCommit, carried: 0 } as const) : { tag, changes };
    return this.#appendDurably(body);
  }

  /**
   * Records durably the start of a new epoch (`head`), what is staged in it from the outset, and a snapshot with a
   * name of that; `then`: a travel that follows at once. They count all together, or, on an errno and after a crash, none of them. The
   * caller makes the tree that state; the store is written anew with the next flush. Throws JournalInDoubt.
   */
  recordCheckpoint(first: Checkpoint, then?: Checkpoint): Errno {
    const before = { ...this.#state };
    const state = this.#state;
    const all = then === undefined ? [first] : [first, then];
    const records = checkpointRecords(all, state, { who: ourselves(), time: coarseTime() });
    const written = this.journal.appendAll(records, (record, at) => advance(state, record, at));
    const errno = this.#finish(before, written);
    this.#isReplaced ||= errno === OK;
    return errno;
  }

  /** Records durably what gc no longer keeps. On an errno nothing of it may be removed. Throws JournalInDoubt. */
  recordDrop(record: DropRecord): Errno {
    return this.#appendDurably(record);
  }

  /** Empties the store as well, after a reset was recorded and `tree` was emptied. */
  emptied(tree: OverrideTree): void {
    this.#isReplaced = true;
    // It is the journal that counts: a store that cannot follow is done without.
    if (!this.#save(tree)) this.#session.store.discard();
    this.#isReplaced = false;
    this.#stored = this.#state.journalOffset;
  }

  /** Both at once, with `tree` emptied in between, for a tree nobody looks at. */
  reset(tag: ResetRecord['tag'], changes: number, tree: OverrideTree): Errno {
    const errno = this.recordReset(tag, changes);
    if (errno !== OK) return errno;
    tree.clear();
    this.emptied(tree);
    return OK;
  }

  /**
   * Brings the store up to date (write-behind), so that a reader has little to replay. Cheap when nothing changed;
   * false, after a note, when it failed: it is tried again with the next call, and nothing is lost.
   */
  flush(tree: OverrideTree): boolean {
    const dirty = tree.dirtyInodes.size + tree.dirtyDentries.size + tree.stamps.dirty.size;
    if (this.#stored === this.#state.journalOffset && dirty === 0) return true;
    if (!this.#save(tree)) return false;
    this.#isReplaced = false;
    this.#stored = this.#state.journalOffset;
    return true;
  }

  /** Closes the files; the caller flushes first. */
  close(): Promise<void> {
    return this.#session.close();
  }

  /** What runs change, they change for a reason that the journal should tell; where it cannot, the change still counts. */
  #note(run: number, time: Time): void {
    const command = this.#options.commandOf?.(run);
    if (command === undefined) return;
    const errno = this.#append({ tag: 'N', fields: ['run', command] }, { who: ourselves(run), time });
    if (errno === OK) this.#noted.add(run);
  }

  #appendDurably(body: Body): Errno {
    const before = { ...this.#state };
    return this.#finish(before, this.#append(body, { who: ourselves() }));
  }

  /** What was recorded since, if it was, becomes durable, or did not happen. Throws JournalInDoubt when it is neither. */
  #finish(before: SessionState, written: Errno): Errno {
    const errno = written || this.journal.sync();
    if (errno === OK) return OK;
    Object.assign(this.#state, before);
    const isGone = this.journal.cut(before.journalOffset) === OK;
    // A part of what belongs together counts as little as nothing of it.
    if (!isGone && written === OK) throw new JournalInDoubt(errno);
    return errno;
  }

  #append(body: Body, fields: { who: Who; time?: Time; generation?: Gen }): Errno {
    const { who, time = coarseTime(), generation = this.#state.generation } = fields;
    const record: JournalRecord = { generation, time, who, body };
    const offset = this.journal.size;
    const errno = this.journal.append(record);
    if (errno === OK) advance(this.#state, record, { offset, next: this.journal.size });
    return errno;
  }

  /** Never throws; false, after a note, when it failed. */
  #save(tree: OverrideTree): boolean {
    const { store } = this.#session;
    try {
      const meta = this.#meta();
      return this.#isReplaced ? store.replace(tree, meta) : store.save(tree, meta);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.#options.onNote?.(error.message);
      return false;
    }
  }

  #meta(): TreeMeta {
    const { journal } = this;
    const journalSum = journal.sumBefore(this.#state.journalOffset) ?? '';
    return { ...this.#state, journalSum, journalStamp: journal.stamp };
  }
}

function ourselves(run = 0): Who {
  return { run, pid: process.pid, process: 'yolofs' };
}
