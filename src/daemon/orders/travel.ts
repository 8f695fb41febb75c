/** A travel, as the FUSE thread does it between two requests: the view is at rest before and after. */
import { carry, dateContent } from '../../history/carry/carry.ts';
import { countChanges } from '../../history/changes.ts';
import { Facts } from '../../history/compare/facts.ts';
import { checkBase } from '../../history/conflict/check.ts';
import { keepConflicts } from '../../history/conflict/keep-conflicts.ts';
import type { OwnTouches } from '../../history/conflict/own-touches.ts';
import type { Layout } from '../../history/layout.ts';
import { treeOfPast } from '../../history/past/past.ts';
import { currentEpoch, type Timeline } from '../../history/segments.ts';
import type { SessionHistory } from '../../history/session-history.ts';
import { type Destination, findDestination, WHERE_TO_GO } from '../../history/travel/destination.ts';
import type { Markers } from '../../history/travel/markers.ts';
import { treeAt } from '../../history/travel/state-at.ts';
import type { BaseTree } from '../../staging/base-tree.ts';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Overlay } from '../../staging/overlay.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import { type Errno, OK, SystemError } from '../../sys/errno.ts';
import { UserError } from '../../sys/user-error.ts';
import { COUNTED_CHANGES } from '../protocol.ts';
import type { Orders } from './orders.ts';

export interface TravelParts {
  readonly history: SessionHistory;
  readonly markers: Markers;
  readonly overlay: Overlay;
  readonly layout: Layout;
  readonly base: BaseTree;
  readonly store: ObjectStore;
  readonly touches: OwnTouches;
  /** What is staged. */
  readonly tree: OverrideTree;
}

/**
 * Shows the state of what `to` names, after a snapshot if anything changed. Throws a UserError when there is no
 * such state, a SystemError when the journal cannot be written; nothing but that snapshot has happened then.
 */
export function travel(parts: TravelParts, to: string): Orders['travel']['answer'] {
  const { history, markers, overlay } = parts;
  const timeline = markers.timeline();
  const destination = findDestination(to, timeline);
  if ('error' in destination) throw new UserError(destination.error, WHERE_TO_GO);
  const { epoch, generation: target, name } = destination;
  const isPast = epoch !== currentEpoch(timeline);
  const tree = isPast ? pastTree(parts, destination, timeline) : treeAt(history.journal, epoch, target);
  // Afterwards is too late to fail.
  const changes = countChanges({ tree, base: parts.base, store: parts.store }, COUNTED_CHANGES);
  // What follows a commit at once is the base, which has no number yet.
  const ifChanged = !history.isUnmarked || currentEpoch(timeline).base === 0;
  const { taken, generation: from } = written(history.snapshot(`before travel to ${target}`, { ifChanged }));
  const generation = isPast ? carryOver(destination, tree, history) : written(history.travel(target, name)).generation;
  return { snapshot: taken, from, generation, target, name, changes, ...overlay.show(tree) };
}

/** A state of another epoch, over the base of today; what is in conflict now stays so. */
function pastTree(parts: TravelParts, destination: Destination, timeline: Timeline): OverrideTree {
  const { history, base, store, touches } = parts;
  // What is kept open by path may have been moved by a commit since.
  base.shed();
  const facts = new Facts(base, store);
  const tree = treeOfPast(destination, { ...parts, journal: history.journal, timeline, facts, numbers: history });
  keepConflicts(tree, checkBase({ tree: parts.tree, facts, touches }).conflicts);
  return tree;
}

/** A state of another epoch is told anew in this one. */
function carryOver({ generation: target, name }: Destination, tree: OverrideTree, history: SessionHistory): Gen {
  const errno = history.recordCarried({ tag: 'T', target, name }, [...carry(tree)], `state of ${target}`);
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
  dateContent(tree, (history.generation - 1) as Gen);
  return history.generation;
}

function written<T extends object>(result: T | Errno): T {
  if (typeof result === 'number') throw new SystemError('cannot write the journal', result);
  return result;
}
