/** Aborts of what is staged or of a part of it, as the FUSE thread does them between two requests. */

import { selectForAbort } from '../../history/commit/select/selection.ts';
import { countChanges } from '../../history/diff/changes.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { Checkpoint } from '../../history/timeline/checkpoint/records.ts';
import { currentEpoch } from '../../history/timeline/segments.ts';
import { ABORT_OF } from '../../history/timeline/turns.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { BytePath, Gen } from '../../sys/bytes.ts';
import { OK, SystemError } from '../../sys/errno.ts';
import type { LiveSession } from './live-session.ts';
import type { Orders } from './orders.ts';

/** Paths that the log names of an abort. */
const MOST_NAMED = 5;

/** Gives up all that is staged; it can be traveled to. Throws as `abortPart`. */
export function abortAll({ tree, base, store, history, overlay }: LiveSession): Orders['abort']['answer'] {
  const changes = countChanges({ tree, base, store });
  const taken = history.snapshot('before abort', { ifChanged: true });
  const errno = typeof taken === 'number' ? taken : history.recordReset('A', changes);
  if (errno !== OK) throw new SystemError('cannot write the journal', errno);
  const shown = overlay.discard();
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
  history.recordCheckpoint(abortCheckpoint(left.tree, paths, target));
  const shown = overlay.show(left.tree);
  return { changes, along: left.along, generation: history.generation, ...shown };
}

export function countGivenUp({ tree, base, store }: LiveSession, left: OverrideTree): number {
  return countChanges({ tree, base, store }) - countChanges({ tree: left, base, store });
}

/** The travel to the base of an epoch, `target`, that brings along what is left of what is staged. */
export function abortCheckpoint(left: OverrideTree, paths: readonly BytePath[], target: Gen): Checkpoint {
  return { head: { tag: 'T', target, name: '' }, tree: left, name: nameOf(paths) };
}

function nameOf(paths: readonly BytePath[]): string {
  const [more, shown] = [paths.length - MOST_NAMED, paths.slice(0, MOST_NAMED).join(', ')];
  return `${ABORT_OF}${shown}${more > 0 ? ` and ${more} more` : ''}`;
}
