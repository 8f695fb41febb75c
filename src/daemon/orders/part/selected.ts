/** Commits and aborts of a part of what is staged, as the FUSE thread does them between two requests. */

import { namesTaken } from '../../../history/commit/conflict/names-taken.ts';
import type { Original } from '../../../history/commit/conflict/own-changes.ts';
import type { Plan } from '../../../history/commit/plan.ts';
import type { CommitSelection } from '../../../history/commit/select/selection.ts';
import { selectForAbort, selectForCommit } from '../../../history/commit/select/selection.ts';
import { countChanges } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { checkpointOf, dateContent } from '../../../history/timeline/checkpoint/checkpoint.ts';
import type { Checkpoint } from '../../../history/timeline/checkpoint/records.ts';
import { currentEpoch } from '../../../history/timeline/segments.ts';
import type { SessionHistory } from '../../../history/timeline/session-history.ts';
import { ABORT_OF } from '../../../history/timeline/turns.ts';
import { basePath } from '../../../staging/inode.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath, Gen } from '../../../sys/bytes.ts';
import { OK, SystemError } from '../../../sys/errno.ts';
import type { LiveSession } from '../live-session.ts';
import type { Orders } from '../orders.ts';
import type { Following, Placement } from './part.ts';

/** Paths that the log names of an abort. */
const MOST_NAMED = 5;

/** A commit of a part: what to plan, and what to do when it is in its place. */
export class PartialCommit {
  readonly selection: CommitSelection;
  readonly #session: LiveSession;
  #gen = 0 as Gen;
  /** Files with several names that are still staged, as they are recorded. */
  #shared: readonly Original[] = [];

  /** Throws a UserError for a path at which nothing is staged. */
  constructor(session: LiveSession, paths: readonly BytePath[]) {
    // What is kept open may have been moved meanwhile.
    session.base.shed();
    const { tree, base, store, ownChanges } = session;
    this.selection = selectForCommit({ tree, facts: new Facts(base, store), paths, ownChanges });
    this.#session = session;
  }

  /** Records durably that the part is the base's, and what stays. Throws a SystemError; it must not happen then. */
  record(changes: number, then?: Following): void {
    const { history, base, ownChanges } = this.#session;
    base.shed();
    const commit = history.nextCommit;
    this.#gen = history.generation;
    const rest = this.selection.rest();
    const told = { mutations: [...checkpointOf(rest)], name: `after commit ${commit}` };
    const following = then?.checkpointOf(rest);
    this.#shared = hardLinkedFiles(rest);
    ownChanges.begin(this.#shared);
    recordCarried(history, { head: { tag: 'K', changes, commit }, ...told }, following);
  }

  /**
   * The live tree becomes what was recorded. Since then, names of files that have more were put away, which has changed
   * these files. Returns what the kernel must forget.
   */
  rebase({ plan }: Placement): Invalidation[] {
    const { overlay, tree } = this.#session;
    const forget = overlay.treeSwitch.rebasePart(
      this.selection.committed,
      new Map(this.#shared.map(({ print }) => [`${print.dev}:${print.ino}`, print])),
    );
    noteLinked(this.#session, plan, this.#shared);
    dateContent(tree, this.#gen);
    return forget;
  }
}

/** Gives up all that is staged; it can be traveled to. Throws as `abortPart`. */
export function abortAll({ tree, base, store, history, overlay }: LiveSession): Orders['abort']['answer'] {
  const changes = countChanges({ tree, base, store });
  const taken = history.snapshot('before abort', { ifChanged: true });
  const errno = typeof taken === 'number' ? taken : history.recordReset('A', changes);
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
  const shown = overlay.treeSwitch.discard();
  // A number for what is there now. Where it cannot be written there is no other state to go to it from.
  history.snapshot('after abort');
  history.emptied(tree);
  return { changes, along: [], generation: history.generation, ...shown };
}

/**
 * Gives up what is staged at paths: what is left is as if one had gone back to the base and done the rest again, and
 * what was there before can be traveled to. Throws a UserError for a path at which nothing is staged, a SystemError when
 * the journal cannot be written; nothing but a snapshot has happened then.
 */
export function abortPart(session: LiveSession, paths: readonly BytePath[]): Orders['abort']['answer'] {
  const { tree, base, store } = session;
  const selection = selectForAbort({ tree, facts: new Facts(base, store), paths });
  return goBackTo(session, selection, paths);
}

/** Has the view show `left`, a part of what is staged, after a snapshot; `paths` are what it is about. Throws a SystemError. */
export function goBackTo(
  session: LiveSession,
  left: { readonly tree: OverrideTree; readonly along: readonly BytePath[] },
  paths: readonly BytePath[],
): Orders['abort']['answer'] {
  const { history, markers, overlay } = session;
  // Afterwards is too late to fail.
  const changes = countGivenUp(session, left.tree);
  const taken = history.snapshot('before abort', { ifChanged: true });
  if (typeof taken === 'number') throw new SystemError('cannot write the journal', taken);
  const target = currentEpoch(markers.timeline()).base;
  const gen = (history.generation + 1) as Gen;
  recordCarried(history, abortCheckpoint(left.tree, paths, target));
  dateContent(left.tree, gen);
  const shown = overlay.treeSwitch.show(left.tree);
  return { changes, along: left.along, generation: history.generation, ...shown };
}

export function countGivenUp({ tree, base, store }: LiveSession, left: OverrideTree): number {
  return countChanges({ tree, base, store }) - countChanges({ tree: left, base, store });
}

/** The travel to the base of an epoch, `target`, that brings along what is left of what is staged. */
export function abortCheckpoint(left: OverrideTree, paths: readonly BytePath[], target: Gen): Checkpoint {
  return { head: { tag: 'T', target, name: '' }, mutations: [...checkpointOf(left)], name: nameOf(paths) };
}

function nameOf(paths: readonly BytePath[]): string {
  const [more, shown] = [paths.length - MOST_NAMED, paths.slice(0, MOST_NAMED).join(', ')];
  return `${ABORT_OF}${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Files with several names in the base that are staged, as they are recorded. */
export function hardLinkedFiles(tree: OverrideTree): Original[] {
  return [...tree.linked.values()].flatMap((inode) => {
    const [path, print] = [basePath(inode), inode.staged?.fingerprint];
    return path === undefined || print === undefined ? [] : [{ path, print }];
  });
}

/**
 * After a commit of a part: base files with several names have another ctime by it, which must not pass for changed outside. Those
 * of which a name went are found in the backups, whatever is left staged of their other names; those that stay staged (`shared`), by theirs.
 */
export function noteLinked({ base, store, ownChanges }: LiveSession, plan: Plan, shared: readonly Original[]): void {
  ownChanges.donePart(base, namesTaken(plan, new Facts(base, store)), shared);
}

/** As `SessionHistory.recordCheckpoint`. Throws a SystemError when the journal cannot be written. */
export function recordCarried(history: SessionHistory, first: Checkpoint, then?: Checkpoint): void {
  const errno = history.recordCheckpoint(first, then);
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
}
