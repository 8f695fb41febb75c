/** RANGE of the command line (cli.md): `N`, `A..B`, `A..`, `..B`, `all`; pure. Errors are values: text for people. */
import type { Gen } from '../sys/bytes.ts';
import { currentEpoch, currentGeneration, type Epoch, liveSegments, type Segment, type Timeline } from './segments.ts';

/** Two states of the current epoch to compare. */
export interface Range {
  readonly from: Gen;
  /** undefined: the present state, what was written after the last marker included. */
  readonly to: Gen | undefined;
  /** Replayed over the base these give the two states. */
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
  /** What leads from `from` to `to`; undefined when a travel lies between, so that only the states compare. */
  readonly between: readonly Segment[] | undefined;
}

export interface BadRange {
  readonly error: string;
}

/** Reads a range as a person wrote it. */
export function parseRange(text: string, timeline: Timeline): Range | BadRange {
  const epoch = currentEpoch(timeline);
  if (text === 'all') return makeRange(epoch, epoch.base, undefined);
  const dots = text.indexOf('..');
  if (dots < 0) return parseSingle(text, timeline);
  const from = dots === 0 ? epoch.base : parseGeneration(text.slice(0, dots), timeline);
  const to = dots + 2 === text.length ? undefined : parseGeneration(text.slice(dots + 2), timeline);
  if (typeof from === 'object') return from;
  if (typeof to === 'object') return to;
  if (to !== undefined && from > to) return { error: `generation ${from} comes after ${to}` };
  return makeRange(epoch, from, to);
}

/** `N`: what snapshot N captured, that is from the marker before it. */
function parseSingle(text: string, timeline: Timeline): Range | BadRange {
  const epoch = currentEpoch(timeline);
  const generation = parseGeneration(text, timeline);
  if (typeof generation === 'object') return generation;
  if (generation === epoch.base) return { error: `generation ${text} is the base: it captured nothing` };
  return makeRange(epoch, (generation - 1) as Gen, generation);
}

/** A generation of the current epoch; its base may also be called 0. */
export function parseGeneration(text: string, timeline: Timeline): Gen | BadRange {
  if (!/^\d{1,15}$/.test(text)) return { error: `\`${text}\` is not a generation` };
  const generation = Number(text) as Gen;
  const epoch = currentEpoch(timeline);
  if (generation === 0) return epoch.base;
  if (generation !== epoch.base && epoch.dropped.has(generation))
    return { error: `generation ${text} is no longer kept (gc)` };
  if (generation > currentGeneration(epoch)) return { error: `generation ${text} does not exist` };
  if (generation >= epoch.base) return generation;
  const past = timeline.find((candidate) => generation <= currentGeneration(candidate));
  const fate = past?.ended === 'abort' ? 'was aborted' : 'was committed: it is part of the base now';
  return { error: `generation ${text} ${fate}` };
}

function makeRange(epoch: Epoch, from: Gen, to: Gen | undefined): Range {
  const before = liveSegments(epoch, from);
  const after = liveSegments(epoch, to);
  const forward = before.every((segment, i) => segment.start === after[i]?.start);
  return { from, to, before, after, between: forward ? after.slice(before.length) : undefined };
}
