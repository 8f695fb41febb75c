/** Where a travel goes: a generation, by its number or by the name of a snapshot; pure. */
import type { Gen } from '../../sys/bytes.ts';
import { epochOf, parseGeneration } from '../ranges.ts';
import { currentEpoch, type Epoch, type Timeline } from '../segments.ts';

export interface Destination {
  /** The epoch that has the generation; of the base, the present one. */
  readonly epoch: Epoch;
  readonly generation: Gen;
  /** The name of the marker there (bytes), if there is one. */
  readonly name: string;
}

/** The hint for who wants to go to what is not kept, or never was. */
export const WHERE_TO_GO = "'yolofs log' lists where you can go";

export interface NoDestination {
  readonly error: string;
}

/** Finds what a person wrote. 0 is the base as it is now; every other number is that of a marker. */
export function findDestination(text: string, timeline: Timeline): Destination | NoDestination {
  const generation = parseGeneration(text, timeline);
  if (typeof generation === 'object') return generation;
  const present = currentEpoch(timeline);
  const epoch = epochOf(generation, timeline);
  if (epoch === undefined) return { epoch: present, generation: present.base, name: '' };
  if (epoch.ended === 'abort') return { error: `generation ${generation} was thrown away by an abort` };
  // Also where the number stands for the base of the present epoch: it was that marker's first.
  if (epoch.dropped.has(generation)) return { error: `generation ${generation} is no longer kept (gc)` };
  const marker = epoch.markers.find((candidate) => candidate.generation === generation);
  return { epoch, generation, name: marker?.name ?? '' };
}
