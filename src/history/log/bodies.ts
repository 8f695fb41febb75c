/** What records say, behind the frame of their lines (FORMAT.md). */
import type { Mutation } from '../../staging/recorder.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { GenRange } from './generations.ts';

/** A snapshot; it opens the generation that the record carries. */
export interface SnapshotRecord {
  readonly tag: 'P';
  readonly name: string;
  /** The command line after which it was taken, if a run was the reason. */
  readonly command: string | undefined;
}

/** A travel to the state of generation `target`; it opens the generation that the record carries. */
export interface TravelRecord {
  readonly tag: 'T';
  readonly target: Gen;
  readonly name: string;
  /** As `ResetRecord.carried`. */
  readonly carried?: number;
}

/** Commit (K) or abort (A): from here on the view shows the base alone. */
export interface ResetRecord {
  readonly tag: 'K' | 'A';
  /** How many changes were applied or thrown away. */
  readonly changes: number;
  /** K: its number, from 1; a journal of format 1 does not tell it. */
  readonly commit?: number;
  /** How many of the records that follow belong to this one: it counts only if all of them are there. None: 0. */
  readonly carried?: number;
}

/** A commit was taken back: the base is what it was before, and what it had applied is staged again (carried). */
export interface UndoRecord {
  readonly tag: 'U';
  readonly commit: number;
  readonly changes: number;
  readonly carried: number;
}

/**
 * What gc no longer keeps, written down before anything is removed: these generations, and of the backups that
 * commits have replaced those of commit `commit` and all before it (0 = of none).
 */
export interface DropRecord {
  readonly tag: 'X';
  readonly generations: readonly GenRange[];
  readonly commit: number;
}

/** Says something, changes nothing: G gate decision, C rule change, N any other. Later versions define the fields. */
export interface NoteRecord {
  readonly tag: 'G' | 'C' | 'N';
  readonly fields: readonly string[];
}

export type Body = Mutation | SnapshotRecord | TravelRecord | ResetRecord | UndoRecord | DropRecord | NoteRecord;
export type Tag = Body['tag'];
