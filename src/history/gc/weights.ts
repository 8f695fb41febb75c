/**
 * How many of the states that are to be kept each stretch of the journal is a part of; pure.
 *
 * The segments of an epoch form a tree: one hangs below the segment whose end is the state it started from. A state is
 * the path from its segment up to the base, so a segment is part of all states in the subtree below it.
 *
 *     P1 [a] P2 [b] P3 T4->2 [c] P5        base - seg0 - a - b
 *                                                       `- c
 */
import type { Gen } from '../../sys/bytes.ts';
import { type Epoch, segmentsOf, stateIndex, type Timeline } from '../timeline/segments.ts';

/** Which states are to be kept; the present one always is. */
export interface KeptStates {
  generation(generation: Gen): boolean;
  /** The state that commit number `commit` applied, which may have had no snapshot. */
  committed(commit: number): boolean;
}

/** Bytes [start, end) of the journal, a part of `weight` kept states. */
export interface WeighedSegment {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  /** It begins an epoch, which knows nothing of those before. */
  readonly opensEpoch: boolean;
  /** It goes on from an earlier state than the end of the segment before. */
  readonly branches: boolean;
}

/** All segments, in the journal's order. */
export function weighSegments(timeline: Timeline, kept: KeptStates): WeighedSegment[] {
  let commit = 0;
  return timeline.flatMap((epoch) => {
    if (epoch.ended === 'commit') commit += 1;
    const isEndKept = epoch.ended === undefined || (epoch.ended === 'commit' && kept.committed(commit));
    return weighEpoch(epoch, kept, isEndKept);
  });
}

function weighEpoch(epoch: Epoch, kept: KeptStates, isEndKept: boolean): WeighedSegment[] {
  const parents = parentsOf(epoch);
  const weights = parents.map(() => 0);
  const add = (segment: number, weight: number): void => {
    if (segment >= 0) weights[segment] = (weights[segment] ?? 0) + weight;
  };
  for (const { generation } of epoch.markers) {
    if (kept.generation(generation)) add(parents[stateIndex(epoch, generation)] ?? -1, 1);
  }
  if (isEndKept) add(parents.length - 1, 1);
  for (let i = parents.length - 1; i > 0; i--) add(parents[i] ?? -1, weights[i] ?? 0);
  return segmentsOf(epoch).map(({ start, end }, i) => {
    return { start, end, weight: weights[i] ?? 0, opensEpoch: i === 0, branches: parents[i] !== i - 1 };
  });
}

/**
 * For each segment the one that it goes on from, -1 = the base. That of the segment a marker opens is also the last
 * segment of the state at the marker.
 */
function parentsOf(epoch: Epoch): number[] {
  const parents = [-1];
  for (const [i, { target }] of epoch.markers.entries()) {
    const to = target === undefined ? i + 1 : stateIndex(epoch, target);
    parents.push(to > i ? i : (parents[to] ?? -1));
  }
  return parents;
}
