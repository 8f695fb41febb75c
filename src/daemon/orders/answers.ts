/** What orders of some length ask for, and what they answer. */
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import type { BytePath, Gen } from '../../sys/bytes.ts';
import type { Replies } from '../protocol.ts';
import type { HunkWish } from './part/chosen.ts';

/** What a person asks of a commit. */
export interface CommitAsk {
  /** None: all that is staged. */
  readonly paths: readonly BytePath[];
  readonly wishes: Wishes;
  /** The generation that a person has agreed to; undefined: whatever is staged. */
  readonly reviewed?: number | undefined;
  /** Hunks and sections, instead of paths. */
  readonly hunks?: readonly HunkWish[];
  /** What of that which stays is thrown away with it, by its keys then. */
  readonly discard?: readonly HunkWish[];
}

/** What is left to do once conflicts are resolved. */
export interface Resolved extends Shown {
  /** The commit that is to follow. */
  readonly next: CommitAsk;
  /** Whether nothing of what was asked for is left to commit. */
  readonly nothingLeft: boolean;
  /** Files of which both changes were put together. */
  readonly merged: readonly BytePath[];
  /** How many files are left as they are outside, because a tool has written the view's by itself. */
  readonly yielded: number;
  readonly generation: Gen;
}

export type Undone = Replies['undo'] & Shown;

/** What the thread knows as soon as the session is loaded. */
export interface Loaded {
  readonly generation: Gen;
  /** The highest number a run has had. */
  readonly lastRun: number;
  /** What had to be mended before. */
  readonly notes: readonly string[];
}
