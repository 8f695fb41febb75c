/** A place of the base that the view overrides and that somebody else has changed since. */

import type { BaseStamp } from '../../../staging/base-stamps.ts';
import type { Fingerprint } from '../../../staging/inode.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { isWithin, label } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';

/** What the view does to the place. `replaced`: something else has taken it. */
export type Ours = 'added' | 'modified' | 'metadata' | 'replaced' | 'renamed' | 'deleted';
/** What happened to it outside since it was first overridden. `replaced`: another type of file is there. */
export type Theirs = 'modified' | 'deleted' | 'appeared' | 'replaced';

export interface Conflict {
  /** In the view; where the thing was, if it was renamed. */
  readonly path: BytePath;
  /** In the base. */
  readonly original: BytePath;
  readonly ours: Ours;
  readonly theirs: Theirs;
  /** What the base had there when it was first overridden; undefined: nothing. */
  readonly was?: BaseStamp;
  /** The same of a file that is in its place. */
  readonly print?: Fingerprint;
  /** Where the view has it, if it was renamed. */
  readonly to?: BytePath;
  /** Why the two sides could not be merged. */
  readonly why?: string;
}

/** A commit that would take away what somebody else has done; nothing was written. */
export class ConflictError extends UserError {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(
      `${conflicts.length} ${conflicts.length === 1 ? 'conflict' : 'conflicts'}, nothing was written`,
      "'--ours PATH' takes the view's version, '--theirs PATH' the real file's, '--merge' puts text together line by line",
      { code: 'conflict', details: conflicts.map(describeConflict) },
    );
    this.name = 'ConflictError';
    this.conflicts = conflicts;
  }
}

const OURS: Readonly<Record<Ours, string>> = {
  added: 'made here',
  modified: 'modified here',
  metadata: 'attributes changed here',
  replaced: 'replaced here',
  renamed: 'renamed here',
  deleted: 'deleted here',
};

const THEIRS: Readonly<Record<Theirs, string>> = {
  modified: 'modified outside',
  deleted: 'deleted outside',
  appeared: 'appeared outside',
  replaced: 'replaced by something else outside',
};

/** A line that names both sides. */
export function describeConflict({ path, ours, theirs, to, why }: Conflict): string {
  const here = to === undefined ? OURS[ours] : `${OURS[ours]} to ${label(to)}`;
  return `${label(path)}: ${here}, ${THEIRS[theirs]}${why === undefined ? '' : ` (${why})`}`;
}

/** Whether one of the paths that a person named is about this conflict. */
export function concerns(conflict: Conflict, paths: readonly BytePath[]): boolean {
  const { path, to = path } = conflict;
  return paths.some((wanted) => isWithin(path, wanted) || isWithin(to, wanted));
}
