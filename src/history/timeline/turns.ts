/**
 * Commits and aborts that stand, from the markers alone; pure. An abort leaves what it gave up as a state that can be gone to: it
 * is taken back by going there, whoever asks for that.
 */
import type { Gen } from '../../sys/bytes.ts';
import { currentGeneration, type Epoch, type Marker, type Timeline } from './segments.ts';

/** What `undo` can take back. */
export type Turn =
  | { readonly kind: 'commit'; readonly commit: number }
  /** `generation`: the state that it gave up. */
  | { readonly kind: 'abort'; readonly generation: Gen };

/** How the marker after an abort of paths is called: their names follow. */
export const ABORT_OF = 'abort of ';

/** All that stand, the latest last. */
export function standingTurns(timeline: Timeline): readonly Turn[] {
  let turns: Turn[] = [];
  for (const epoch of timeline) {
    for (const [index, marker] of epoch.markers.entries()) {
      const { target, generation } = marker;
      if (isPartialAbort(epoch, index)) turns.push({ kind: 'abort', generation: (generation - 1) as Gen });
      // By its number alone, the base of the epoch is the state before it.
      else if (target !== undefined && (target !== epoch.base || marker.carried))
        turns = turns.filter((turn) => turn.kind === 'commit' || turn.generation !== target);
    }
    turns = [...withoutUndone(turns, epoch), ...turnOf(epoch)];
  }
  // What gc has given up must not be in the way of what was done before.
  const { dropped } = timeline[0];
  return turns.filter((turn) => turn.kind === 'commit' || !dropped.has(turn.generation));
}

/** Whether the marker is the travel by which paths were aborted; the snapshot after it has their names. */
export function isPartialAbort({ markers }: Epoch, index: number): boolean {
  const [travel, snapshot]: readonly (Marker | undefined)[] = markers.slice(index, index + 2);
  return travel?.carried === true && snapshot?.kind === 'snapshot' && snapshot.name.startsWith(ABORT_OF);
}

function withoutUndone(turns: readonly Turn[], { ended, commit }: Epoch): Turn[] {
  return turns.filter((turn) => ended !== 'undo' || turn.kind === 'abort' || turn.commit !== commit);
}

function turnOf(epoch: Epoch): Turn[] {
  if (epoch.ended === 'commit' && epoch.commit !== undefined) return [{ kind: 'commit', commit: epoch.commit }];
  // Without a marker nothing was given up.
  const isAbort = epoch.ended === 'abort' && epoch.markers.length > 0;
  return isAbort ? [{ kind: 'abort', generation: currentGeneration(epoch) }] : [];
}
