/** What a person says of it, and what then becomes of it. */

import type { Failure } from './failure.ts';
import type { Choice, Counts, Decision, GroupName, ShownNotices, ShownPath } from './review.ts';

/** What a decision is about: a group, an entry, sections and hunks of it, changed lines of one hunk. */
export type Target =
  | { readonly group: GroupName }
  | { readonly id: string }
  | { readonly id: string; readonly keys: readonly string[] }
  | { readonly id: string; readonly key: string; readonly lines: readonly number[] };

/** POST /api/decide. `version`: the one that the person looks at; of an entry that has changed since, nothing is decided. */
export interface DecideRequest {
  readonly version: number;
  readonly targets: readonly Target[];
  readonly decision: Decision;
}

export interface DecideReply {
  readonly counts: Counts;
  readonly groups: Readonly<Partial<Record<GroupName, Choice>>>;
  /** Of the entries that were named, what they are now. */
  readonly entries: Readonly<Record<string, Choice>>;
  /** Entries and keys that are not, or no more, what was shown: nothing was decided of them. */
  readonly outdated: readonly string[];
}

/** POST /api/note: to the agent, with its next call. `line`: of the new side, or of the old one where it was deleted. */
export interface NoteRequest {
  readonly id: string;
  readonly text: string;
  readonly line?: number;
}

/** POST /api/plan. What conflicts are to become, by entries: as `commit --ours`, `--theirs` and `--merge`. */
export interface PlanRequest {
  /** What is staged is written over what is there. */
  readonly ours?: readonly string[];
  /** What is there stays, and all that is staged of it is thrown away. */
  readonly theirs?: readonly string[];
  /** The others, line by line. */
  readonly merge?: boolean;
}

/** What `POST /api/commit` with this hash would do. Nothing is done yet. */
export interface PlanReply {
  readonly hash: string;
  readonly version: number;
  readonly counts: Counts;
  /** Steps as `commit --dry-run` tells them, at most 1000. */
  readonly steps: readonly string[];
  readonly stepCount: number;
  readonly notices: readonly ShownNotices[];
  /** What nobody chose, and what was chosen cannot do without. */
  readonly along: readonly ShownPath[];
  /** Files of which what was rejected can only stay staged for now. */
  readonly inseparable: readonly ShownPath[];
  /** Why it cannot be committed as it is: a conflict. */
  readonly problem?: Failure;
  /** Of what was taken: each needs a word in the next `PlanRequest`, unless it can be merged. At most 1000. */
  readonly conflicts: readonly PlanConflict[];
}

/** Somebody has changed it outside since it was staged. */
export interface PlanConflict extends ShownPath {
  readonly id: string;
  /** What was done outside: `modified` */
  readonly outside: string;
}

/**
 * POST /api/commit: what was taken goes to the real files, what was rejected is thrown away, both or neither. POST /api/abort: only the
 * latter.
 * 409 with code `outdated`, and nothing was done, where the hash is not that of the plan as it is now.
 */
export interface CommitRequest {
  readonly hash: string;
}

export interface CommitReply {
  /** The commit's, where there was one. */
  readonly number?: number;
  readonly committed: number;
  readonly discarded: number;
  readonly merged: readonly ShownPath[];
}

/** POST /api/undo (an empty object) */
export interface UndoReply {
  /** `commit 3`, `the abort` */
  readonly what: string;
  readonly changes: number;
}
