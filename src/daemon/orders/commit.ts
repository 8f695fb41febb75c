/**
 * A commit, as the FUSE thread does it: what is staged, all of it or a part, becomes the base's. Nothing is served meanwhile, but while
 * a source is asked (`SourceCommits`), which comes before all else.
 */

import { netChanges, type PathChange } from '../../history/diff/changes.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';
import type { Progress } from '../protocol.ts';
import type { CommitAsk } from './answers.ts';
import { carryOut, takeBackEarlier } from './carry-out.ts';
import type { LiveSession } from './live-session.ts';
import type { Committed } from './orders.ts';
import { Discard } from './part/discard.ts';
import { abortHunks } from './part/hunk-commit.ts';
import { partOf } from './part/part-of.ts';
import { planUnlessResolvable } from './plan.ts';

export interface CommitHow {
  readonly onProgress: (progress: Progress) => void;
}

/** Rejects with a UserError when that is not possible: base and sources are as they were then, and everything still staged. */
export async function commit(session: LiveSession, ask: CommitAsk, how: CommitHow): Promise<Committed> {
  const { base, store, sources, history } = session;
  await takeBackEarlier(session, history.nextCommit);
  if (sources.isNone || !sources.areTouched(changesOf(session, ask))) return commitStaged(session, ask, how);
  // Whatever is staged while a source is asked is no part of it.
  const taken = history.snapshot('before commit', { ifChanged: true });
  if (typeof taken === 'number') throw new SystemError('cannot write the journal', taken);
  const pinned = { ...ask, reviewed: ask.reviewed ?? taken.generation };
  return sources.during({
    facts: new Facts(base, store),
    isUndo: false,
    changes: () => changesOf(session, pinned),
    check: () => {
      base.catchUp();
      const plan = planUnlessResolvable(session, treeOf(session, pinned), ask.wishes);
      return plan !== 'resolves' && plan.steps.length > 0;
    },
    carryOut: (verify) => commitStaged(session, pinned, { ...how, verify }),
  });
}

/** Every file that a commit would change. */
function changesOf(session: LiveSession, ask: CommitAsk): Iterable<PathChange> {
  const { base, store } = session;
  return netChanges({ tree: treeOf(session, ask), base, store, expand: true });
}

function treeOf(session: LiveSession, ask: CommitAsk): OverrideTree {
  return partOf(session, ask)?.selection.tree ?? session.tree;
}

interface Carrying extends CommitHow {
  /** Throws when it is not any more what the sources were given. */
  readonly verify?: () => void;
}

/** The same, once the sources have what is theirs. */
export async function commitStaged(
  session: LiveSession,
  ask: CommitAsk,
  { onProgress, verify = () => undefined }: Carrying,
): Promise<Committed> {
  const { history, overlay, ownChanges } = session;
  const number = history.nextCommit;
  const part = partOf(session, ask);
  const along = part?.selection.along ?? [];
  const discard = ask.discard?.length ? new Discard(session, ask.discard) : undefined;
  const same = { invalidations: [], moved: [] };
  const nothing = { changes: 0, leftover: [], along, generation: history.generation, discarded: 0, ...same };
  const plan = planUnlessResolvable(session, part?.selection.tree ?? session.tree, ask.wishes);
  if (plan === 'resolves') return { ...nothing, resolves: true };
  if (plan.steps.length === 0) return discard === undefined ? nothing : justDiscard(session, ask);
  if (part === undefined && discard !== undefined)
    throw new UserError('all of it is taken: nothing is left to throw away');
  verify();
  // What is committed has a number: the base changes with what somebody does outside.
  history.snapshot('before commit', { ifChanged: true });
  overlay.treeSwitch.holdUnnamed();
  const { changes, leftover, placed } = await carryOut(plan, session, {
    onProgress: (done, total, what) => onProgress({ done, total, what }),
    onPlaced: () => (part === undefined ? record(history, plan.changes) : part.record(plan.changes, discard)),
  });
  if (part === undefined) ownChanges.done();
  const invalidations = part === undefined ? overlay.treeSwitch.rebase(placed) : part.rebase({ plan, placed });
  if (part === undefined) history.emptied(session.tree);
  const { invalidations: forget, moved } = discard?.show() ?? same;
  const done = { changes, leftover, along, generation: history.generation, number, moved };
  return { ...done, discarded: discard?.changes ?? 0, invalidations: [...invalidations, ...forget] };
}

/** Nothing differs of what was taken, so what stays is what there is. */
function justDiscard(session: LiveSession, { discard = [] }: CommitAsk): Committed {
  const { changes, ...done } = abortHunks(session, discard);
  return { ...done, changes: 0, leftover: [], discarded: changes };
}

function record(history: SessionHistory, changes: number): void {
  const errno = history.recordReset('K', changes);
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
}
