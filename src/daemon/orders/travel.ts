/** A travel, as the FUSE thread does it between two requests: the view is at rest before and after. */

import { checkBase } from '../../history/commit/conflict/check.ts';
import { keepConflicts } from '../../history/commit/conflict/keep-conflicts.ts';
import { countChanges } from '../../history/diff/changes.ts';
import { Facts } from '../../history/diff/facts.ts';
import { type PastOptions, treeOfPast } from '../../history/past/past.ts';
import { checkpointOf, dateContent } from '../../history/timeline/checkpoint/checkpoint.ts';
import { type Destination, findDestination, WHERE_TO_GO } from '../../history/timeline/destination.ts';
import { currentEpoch, type Timeline } from '../../history/timeline/segments.ts';
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import { treeAt } from '../../history/timeline/state-at.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import { type Errno, OK, SystemError } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';
import { COUNTED_CHANGES } from '../protocol.ts';
import type { LiveSession } from './live-session.ts';
import type { Orders } from './orders.ts';

/**
 * Shows the state of what `to` names, after a snapshot if anything changed. Throws a UserError when there is no
 * such state, a SystemError when the journal cannot be written; nothing but that snapshot has happened then.
 */
export function travel(session: LiveSession, to: string): Orders['travel']['answer'] {
  const state = stateOf(session, to);
  const { taken, generation: from } = numbered(session, `before travel to ${state.generation}`);
  return { snapshot: taken, from, ...goTo(session, state) };
}

/** Gives the present state a number. Throws a SystemError. */
export function numbered(
  { history, markers }: Pick<LiveSession, 'history' | 'markers'>,
  name: string,
): { readonly taken: boolean; readonly generation: Gen } {
  // What follows a commit at once is the base, which has no number yet.
  const ifChanged = !history.isUnmarked || currentEpoch(markers.timeline()).base === 0;
  return written(history.snapshot(name, { ifChanged }));
}

/** A state that can be shown. */
export interface State extends Pick<Destination, 'generation' | 'name'> {
  /** Whether it is of an epoch that has ended. */
  readonly isPast: boolean;
  readonly tree: OverrideTree;
  /** How many changes are staged in it; COUNTED_CHANGES: that many or more. */
  readonly changes: number;
}

/** The state of what `to` names. Throws a UserError when there is none. */
export function stateOf(session: LiveSession, to: string): State {
  const { history, markers } = session;
  const timeline = markers.timeline();
  const destination = findDestination(to, timeline);
  if ('error' in destination) throw new UserError(destination.error, WHERE_TO_GO);
  const { epoch, generation, name } = destination;
  const isPast = epoch !== currentEpoch(timeline);
  const tree = isPast
    ? pastTree(session, destination, timeline)
    : treeAt(history.journal, epoch, generation, session.layout.trees);
  return { generation, name, isPast, tree, changes: countIn(tree, session) };
}

/** What is staged in a tree, as far as a travel counts. */
export function countIn(tree: OverrideTree, { base, store }: Pick<LiveSession, 'base' | 'store'>): number {
  return countChanges({ tree, base, store }, COUNTED_CHANGES);
}

/** Shows a state, and takes no snapshot before. Throws a SystemError, with nothing changed. */
export function goTo(session: LiveSession, state: State): Omit<Orders['travel']['answer'], 'from' | 'snapshot'> {
  const { history, overlay } = session;
  const { generation: target, name, isPast, tree, changes } = state;
  const generation = isPast ? carryOver(state, history) : written(history.travel(target, name)).generation;
  return { generation, target, name, changes, ...overlay.treeSwitch.show(tree) };
}

/**
 * A state of another epoch of that timeline, over the base of today; what is in conflict now stays so. `lend`: as in `PastOptions`.
 * Throws as `treeOfPast`.
 */
export function pastTree(
  session: LiveSession,
  at: Pick<Destination, 'epoch' | 'generation'>,
  timeline: Timeline,
  lend?: PastOptions['lend'],
): OverrideTree {
  const { history, base, store, ownChanges } = session;
  // What is kept open by path may have been moved by a commit since.
  base.shed();
  const facts = new Facts(base, store);
  const tree = treeOfPast(at, { ...session, journal: history.journal, timeline, facts, numbers: history, lend });
  keepConflicts(tree, checkBase({ tree: session.tree, facts, ownChanges }).conflicts);
  return tree;
}

/** A state of another epoch is told anew in this one. */
function carryOver({ generation: target, name, tree }: State, history: SessionHistory): Gen {
  const told = { mutations: [...checkpointOf(tree)], name: `state of ${target}` };
  const errno = history.recordCheckpoint({ head: { tag: 'T', target, name }, ...told });
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
  dateContent(tree, (history.generation - 1) as Gen);
  return history.generation;
}

function written<T extends object>(result: T | Errno): T {
  if (typeof result === 'number') throw new SystemError('cannot write the journal', result);
  return result;
}
