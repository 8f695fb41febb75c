/** What stays staged after a commit: a tree over the base that the commit leaves, recorded with it, and then what the view is made of. */
import { namesTaken } from '../../../history/commit/conflict/names-taken.ts';
import type { Original } from '../../../history/commit/conflict/own-changes.ts';
import type { Plan } from '../../../history/commit/plan.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { basePath } from '../../../staging/inode.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import type { PlacedObjects } from '../../../staging/rebase.ts';
import type { Shown } from '../../../staging/switch/switch-tree.ts';
import { OK, SystemError } from '../../../sys/errno.ts';
import type { LiveSession } from '../live-session.ts';
import type { Discard } from './discard.ts';
import type { CommitPart } from './part.ts';

/** A plan that was carried out, of a part or of everything. */
export interface Placement {
  readonly plan: Plan;
  readonly placed: PlacedObjects;
  readonly part: CommitPart | undefined;
}

/** What was planned, and what follows on it at once: both count, or neither. */
interface Planned extends Pick<Placement, 'plan' | 'part'> {
  readonly discard: Discard | undefined;
}

/** Records durably that the base has what was planned, and what stays, which it returns. Throws; then it must not count. */
export function recordCommit(session: LiveSession, { plan, part, discard }: Planned): OverrideTree {
  const { history, ownChanges, base } = session;
  const { changes } = plan;
  if (part === undefined) {
    const errno = history.recordReset('K', changes);
    if (errno !== OK) throw new SystemError('cannot write the journal', errno);
    return new OverrideTree();
  }
  base.shed();
  const rest = part.rest();
  const commit = history.nextCommit;
  const after = { head: { tag: 'K', changes, commit }, tree: rest, name: `after commit ${commit}` } as const;
  const following = discard === undefined ? [] : [discard.checkpointOf(rest)];
  ownChanges.begin(hardLinkedFiles(rest));
  history.recordCheckpoint(after, ...following);
  return rest;
}

/** The live tree becomes what was recorded; nothing looks different. */
export function showRest(session: LiveSession, rest: OverrideTree, { plan, placed, part }: Placement): Shown {
  const { overlay, history, ownChanges, tree } = session;
  const shared = hardLinkedFiles(rest);
  if (part === undefined) ownChanges.done();
  const shown = overlay.rebase(rest, placed);
  if (part === undefined) history.emptied(tree);
  else noteLinked(session, plan, shared);
  return shown;
}

/** Files with several names in the base that are staged, as they are recorded. */
function hardLinkedFiles(tree: OverrideTree): Original[] {
  return [...tree.linked.values()].flatMap((inode) => {
    const [path, print] = [basePath(inode), inode.staged?.fingerprint];
    return path === undefined || print === undefined ? [] : [{ path, print }];
  });
}

/**
 * Base files with several names have another ctime by a commit of a part, which must not pass for changed outside. Those of which a
 * name went are found in the backups, whatever is left staged of their other names; those that stay staged (`shared`), by theirs.
 */
function noteLinked({ base, store, ownChanges }: LiveSession, plan: Plan, shared: readonly Original[]): void {
  ownChanges.donePart(base, namesTaken(plan, new Facts(base, store)), shared);
}
