/** Where a travel goes: a generation, by its number or by the name of a snapshot; pure. */
import type { Gen } from '../../sys/bytes.ts';
import { epochOf, parseGeneration } from './ranges.ts';
import type { Epoch, Timeline } from './segments.ts';

export interface Destination {
  /** The epoch that has the generation. */
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

/** Finds what a person wrote. */
export function findDestination(text: string, timeline: Timeline): Destination | NoDestination {
  const generation = parseGeneration(text, timeline);
  if (typeof generation === 'object') return generation;
  const [first] = timeline;
  const at = epochOf(generation, timeline) ?? first;
  const name = at.markers.find((marker) => marker.generation === generation)?.name ?? '';
  return { epoch: at, generation, name };
}
