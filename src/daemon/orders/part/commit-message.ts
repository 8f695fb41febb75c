/** What clients ask of a commit. */
import type { BytePath } from '../../../sys/bytes.ts';
import type { HunkWish } from './chosen.ts';

/** Without paths all that is staged; `ours`, `theirs` and `merge` say what to do about conflicts. */
export interface CommitMessage {
  readonly op: 'commit';
  readonly dryRun: boolean;
  readonly paths?: readonly BytePath[];
  readonly ours?: readonly BytePath[];
  readonly theirs?: readonly BytePath[];
  readonly merge?: boolean;
  /** The generation that a person was shown: refused when anything was staged since. */
  readonly reviewed?: number;
  /** Hunks and sections by their keys, instead of paths. */
  readonly hunks?: readonly HunkWish[];
  /** What of that which stays staged is thrown away with it, by its keys then: both happen, or neither. */
  readonly discard?: readonly HunkWish[];
}
