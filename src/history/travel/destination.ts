/** Where a travel goes: a generation, by its number or by the name of a snapshot; pure. */
import type { Gen } from '../../sys/bytes.ts';
import { epochOf, parseGeneration, whyPast } from '../ranges.ts';
import { currentEpoch, type Epoch, type Timeline } from '../segments.ts';

export interface Destination {
  readonly epoch: Epoch;
  readonly generation: Gen;
  /** The name of the marker there (bytes), if there is one. */
  readonly name: string;
}

export interface NoDestination {
  readonly error: string;
}

/** Finds what a person wrote: the number of a generation, or the name of the latest snapshot called so. */
export function findDestination(text: string, timeline: Timeline): Destination | NoDestination {
  const generation = parseGeneration(text, timeline);
  if (typeof generation === 'object') return generation;
  const epoch = currentEpoch(timeline);
  const past = generation < epoch.base ? epochOf(generation, timeline) : undefined;
  if (past !== undefined) return { error: `generation ${generation} ${whyPast(past)}` };
  const marker = epoch.markers.find((candidate) => candidate.generation === generation);
  return { epoch, generation, name: marker?.name ?? '' };
}
