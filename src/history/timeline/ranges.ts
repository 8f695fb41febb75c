/**
 * RANGE of the command line (cli.md): `N`, `A..B`, `A..`, `..B`, `all`; pure. A generation is a number or the name of a
 * snapshot. Errors are values: text for people.
 *
 * Generations count through the whole journal, and a number is one state for ever: that at its marker. 0 is what the files were
 * before anything was committed.
 */
import { type Gen, label, toBytes } from '../../sys/bytes.ts';
import { currentEpoch, currentGeneration, type Epoch, type Timeline } from './segments.ts';

/** A state: what the view showed at a generation of an epoch. */
export interface StatePoint {
  readonly epoch: Epoch;
  /** undefined: the present state, what was written after the last marker included. */
  readonly generation: Gen | undefined;
}

/** Two states to compare. `from` may be the later one, or lie on another branch. */
export interface Range {
  readonly from: StatePoint;
  readonly to: StatePoint;
  /** What their epochs are of. */
  readonly timeline: Timeline;
}

export interface BadRange {
  readonly error: string;
}

/** Reads a range as a person wrote it. */
export function parseRange(text: string, timeline: Timeline): Range | BadRange {
  if (text === 'all') return rangeOf(undefined, undefined, timeline);
  const parts = splitRange(text, timeline);
  if (parts === undefined) return parseSingle(text, timeline);
  const [from, to] = parts.map((part) => (part === '' ? undefined : findGeneration(part, timeline)));
  if (typeof from === 'object') return from;
  if (typeof to === 'object') return to;
  return rangeOf(from, to, timeline);
}

/** Whether a word can only be meant as a range, not as a path. */
export function looksLikeRange(text: string): boolean {
  return /^(?:all|\d+|\d*\.\.\d*)$/.test(text);
}

/**
 * A generation to go to, by its number or by the name of a snapshot: of several the latest. A name that looks like a
 * number is a number. One that gc dropped is an error.
 */
export function parseGeneration(text: string, timeline: Timeline): Gen | BadRange {
  const generation = findGeneration(text, timeline);
  if (typeof generation === 'object' || !currentEpoch(timeline).dropped.has(generation)) return generation;
  return { error: `generation ${text} is no longer kept (gc)` };
}

/** A generation that there is or was. */
function findGeneration(text: string, timeline: Timeline): Gen | BadRange {
  if (/^\d{1,15}$/.test(text)) {
    const generation = Number(text) as Gen;
    if (generation <= currentGeneration(currentEpoch(timeline))) return generation;
    return { error: `generation ${text} does not exist` };
  }
  return namedGeneration(text, timeline) ?? { error: `'${text}' is neither a generation nor the name of a snapshot` };
}

/** The epoch in which a generation has its marker; undefined for 0. */
export function epochOf(generation: Gen, timeline: Timeline): Epoch | undefined {
  return timeline.find((epoch) => epoch.base < generation && generation <= currentGeneration(epoch));
}

/** Names are bytes; one that cannot be typed may be given as it is printed. */
function namedGeneration(text: string, timeline: Timeline): Gen | undefined {
  const bytes = toBytes(text);
  for (const { markers } of [...timeline].reverse()) {
    const marker = markers.findLast(
      ({ kind, name }) => kind === 'snapshot' && name !== '' && (name === bytes || label(name) === text),
    );
    if (marker !== undefined) return marker.generation;
  }
  return undefined;
}

/** The two sides of `A..B`, either may be empty; undefined when it is no such thing. Names may have dots in them. */
function splitRange(text: string, timeline: Timeline): [string, string] | undefined {
  if (namedGeneration(text, timeline) !== undefined) return undefined;
  const isKnown = (part: string): boolean => part === '' || typeof findGeneration(part, timeline) === 'number';
  const first = text.indexOf('..');
  for (let at = first; at >= 0; at = text.indexOf('..', at + 1)) {
    const parts: [string, string] = [text.slice(0, at), text.slice(at + 2)];
    if (parts.every(isKnown)) return parts;
  }
  return first < 0 ? undefined : [text.slice(0, first), text.slice(first + 2)];
}

/** `N`: what snapshot N captured, that is from the marker before it. */
function parseSingle(text: string, timeline: Timeline): Range | BadRange {
  const generation = findGeneration(text, timeline);
  if (typeof generation === 'object') return generation;
  const epoch = epochOf(generation, timeline);
  if (epoch === undefined) return { error: `generation ${text} is the base: it captured nothing` };
  return { from: { epoch, generation: (generation - 1) as Gen }, to: { epoch, generation }, timeline };
}

/** Without `from`: the real files under the state at the other end. Without `to`: the present. */
function rangeOf(from: Gen | undefined, to: Gen | undefined, timeline: Timeline): Range {
  const present = { epoch: currentEpoch(timeline), generation: undefined };
  const end = to === undefined ? present : pointOf(to, timeline);
  const base = { epoch: end.epoch, generation: end.epoch.base };
  return { from: from === undefined ? base : pointOf(from, timeline), to: end, timeline };
}

/** A state by its number. */
function pointOf(generation: Gen, timeline: Timeline): StatePoint {
  return { epoch: epochOf(generation, timeline) ?? timeline[0], generation };
}
