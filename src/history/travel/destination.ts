/** Where a travel goes: a generation, by its number or by the name of a snapshot; pure. */
import { type Gen, label } from '../../sys/bytes.ts';
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

/** Finds what a person wrote (bytes): digits are a number, anything else is the name of the latest snapshot called so. */
export function findDestination(words: string, timeline: Timeline): Destination | NoDestination {
  const number = /^\d+$/.test(words) ? words : numberOf(words, timeline);
  if (number === undefined) return { error: `no snapshot is called "${label(words)}"` };
  const generation = parseGeneration(number, timeline);
  if (typeof generation === 'object') return generation;
  const epoch = currentEpoch(timeline);
  const past = generation < epoch.base ? epochOf(generation, timeline) : undefined;
  if (past !== undefined) return { error: `generation ${generation} ${whyPast(past)}` };
  const marker = epoch.markers.find((candidate) => candidate.generation === generation);
  return { epoch, generation, name: marker?.name ?? '' };
}

function numberOf(name: string, timeline: Timeline): string | undefined {
  const markers = timeline.flatMap((epoch) => epoch.markers);
  const latest = markers.findLast((marker) => marker.kind === 'snapshot' && marker.name === name && name !== '');
  return latest === undefined ? undefined : String(latest.generation);
}
