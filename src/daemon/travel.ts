/** A travel, as the FUSE thread does it between two requests: the view is at rest before and after. */
import type { SessionHistory } from '../history/session-history.ts';
import { findDestination } from '../history/travel/destination.ts';
import type { Markers } from '../history/travel/markers.ts';
import { treeAt } from '../history/travel/state-at.ts';
import type { Overlay } from '../staging/overlay.ts';
import { type Errno, SystemError } from '../sys/errno.ts';
import { UserError } from '../sys/user-error.ts';
import type { Orders } from './orders.ts';

export interface TravelParts {
  readonly history: SessionHistory;
  readonly markers: Markers;
  readonly overlay: Overlay;
}

type Travelled = Omit<Orders['travel']['answer'], 'changes'>;

/**
 * Shows the state of what `to` names, after a snapshot if anything changed. Throws a UserError when there is no
 * such state, a SystemError when the journal cannot be written; nothing but that snapshot has happened then.
 */
export function travel({ history, markers, overlay }: TravelParts, to: string): Travelled {
  const destination = findDestination(to, markers.timeline());
  if ('error' in destination) throw new UserError(destination.error, "'yolofs log' lists where you can go");
  const { epoch, generation: target, name } = destination;
  const tree = treeAt(history.journal, epoch, target);
  const { taken, generation: from } = written(history.snapshot(`before travel to ${target}`, { ifChanged: true }));
  const { generation } = written(history.travel(target, name));
  return { snapshot: taken, from, generation, target, name, ...overlay.show(tree) };
}

function written<T extends object>(result: T | Errno): T {
  if (typeof result === 'number') throw new SystemError('cannot write the journal', result);
  return result;
}
