/** What a session must remember besides its tree; it follows from the journal, record by record. */
import type { Gen, Ino, ObjectId } from '../../sys/bytes.ts';
import { Journal } from './journal.ts';
import type { PlainLine } from './plain-line.ts';
import type { JournalRecord } from './record.ts';

/** Inode numbers of the view's own files start here, above those of common file systems. */
export const FIRST_INO = 2 ** 48;
/** Those of files that came back from what commits had replaced start here. */
const FIRST_RESTORED_INO = 2 ** 50;

export interface SessionState {
  /** End of the last record that went into this state. */
  journalOffset: number;
  generation: Gen;
  /** Above every object the journal names, in dead segments and past epochs too: none is ever used twice. */
  nextObject: ObjectId;
  nextIno: Ino;
  /** Where the record of the last marker or reset starts; the journal's first record when there is none. */
  lastMarkerOffset: number;
  /** Something was changed after it. */
  changedSinceMarker: boolean;
  /** The highest number of a run that the journal names. */
  lastRun: number;
  /** How many commits the journal tells of: the next one's number is one more. */
  commits: number;
  /** Numbers of the commits that were not undone, the latest last; of older ones than that nothing is kept. */
  applied: readonly number[];
  /** A record was announced to bring others along: where it starts, and how many of them are missing yet. */
  groupStart: number;
  groupMissing: number;
}

/** Of how many commits the backups are kept. */
export const COMMITS_KEPT = 10;

export function initialState(): SessionState {
  return {
    journalOffset: Journal.start,
    generation: 0 as Gen,
    nextObject: 1 as ObjectId,
    nextIno: FIRST_INO as Ino,
    lastMarkerOffset: Journal.start,
    changedSinceMarker: false,
    lastRun: 0,
    commits: 0,
    applied: [],
    groupStart: Journal.start,
    groupMissing: 0,
  };
}

/** Takes one record, bytes [offset, next) of the journal, into account. */
export function advance(state: SessionState, record: JournalRecord, at: { offset: number; next: number }): void {
  const { body } = record;
  pass(state, record.who.run, at.next);
  switch (body.tag) {
    case 'P':
    case 'T':
      state.generation = record.generation;
      noteMarker(state, at.offset);
      if (body.tag === 'T') group(state, body.carried, at.offset);
      return;
    case 'K':
      state.commits += 1;
      state.applied = [...state.applied, state.commits].slice(-COMMITS_KEPT);
      noteMarkerOfGroup(state, body.carried, at.offset);
      return;
    case 'U':
      state.applied = state.applied.filter((number) => number !== body.commit);
      noteMarkerOfGroup(state, body.carried, at.offset);
      return;
    case 'A':
      noteMarker(state, at.offset);
      return;
    case 'X':
      state.applied = state.applied.filter((number) => number > body.commit);
      return;
    case 'G':
    case 'C':
    case 'N':
      return;
    case 'S':
    case 'D':
    case 'R':
    case 'L':
    case 'M':
      if (body.tag === 'S') takeNumbers(state, body.object, body.how === 'content' ? 0 : body.ino);
      state.changedSinceMarker = true;
      return;
  }
}

/** The same for one that was read as a plain line. */
export function advanceByPlain(state: SessionState, plain: PlainLine, at: { next: number }): void {
  pass(state, plain.run, at.next);
  if (plain.kind !== 'change') takeNumbers(state, plain.object, plain.kind === 'content' ? 0 : plain.ino);
  state.changedSinceMarker = true;
}

function pass(state: SessionState, run: number, next: number): void {
  state.journalOffset = next;
  if (run > state.lastRun) state.lastRun = run;
  if (state.groupMissing > 0) state.groupMissing -= 1;
}

/**
 * The number in the view of a file that is restored from a backup, the same each time. The backup's own goes to another
 * file of the base when gc gives the backup up.
 */
export function restoredIno(original: number): Ino {
  return (FIRST_RESTORED_INO + original) as Ino;
}

/** What is made next gets a number of its own. */
function takeNumbers(state: SessionState, object: number, ino: number): void {
  if (object >= state.nextObject) state.nextObject = (object + 1) as ObjectId;
  if (ino >= state.nextIno && ino < FIRST_RESTORED_INO) state.nextIno = (ino + 1) as Ino;
}

/** A marker that may bring records along. */
function noteMarkerOfGroup(state: SessionState, carried: number | undefined, offset: number): void {
  noteMarker(state, offset);
  group(state, carried, offset);
}

function group(state: SessionState, carried = 0, offset: number): void {
  // What a commit gives up at once is a part of what it brings along.
  if (carried > 0 && carried <= state.groupMissing) return;
  state.groupStart = offset;
  state.groupMissing = carried;
}

function noteMarker(state: SessionState, offset: number): void {
  state.lastMarkerOffset = offset;
  state.changedSinceMarker = false;
}
