/** What was staged as a series: one step a snapshot on the way to the present state, with what it changed in the project. */
import { Facts } from '../../history/diff/facts.ts';
import type { PathChange } from '../../history/diff/path-change.ts';
import { parseRange, type Range } from '../../history/timeline/ranges.ts';
import {
  currentEpoch,
  currentGeneration,
  liveMarkers,
  type Marker,
  type Timeline,
} from '../../history/timeline/segments.ts';
import { components, type Gen, isWithin, label } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import { Ignored } from '../git/ignored.ts';
import type { ReviewOptions } from '../review.ts';
import { kindOf } from '../review.ts';

/** One of the series. */
export interface Step {
  /** Undefined: what was written after the last snapshot. */
  readonly marker: Marker | undefined;
  readonly range: Range;
}

/** The steps of a range, or of all that is staged. Throws a UserError for what is not on the way to the present state. */
export function stepsOf(timeline: Timeline, asked: Range | undefined): Step[] {
  const epoch = currentEpoch(timeline);
  const live = liveMarkers(epoch);
  const markers = epoch.markers.filter(({ generation }) => live.has(generation));
  const from = asked?.from.generation ?? epoch.base;
  const to = asked === undefined ? undefined : asked.to.generation;
  const isKnown = (generation: Gen | undefined): boolean =>
    generation === undefined || generation === epoch.base || live.has(generation);
  if (!isKnown(from) || !isKnown(to) || (to !== undefined && to < from))
    throw new UserError(
      'only what led to the present state can be exported',
      "'yolofs travel' goes to another one first",
    );
  // By its number alone the base of an epoch is the state before it, which a commit or its undo has left staged in part.
  const isFromBase = asked === undefined || (asked.from.epoch === epoch && from === epoch.base);
  const between = (start: Gen, end: Gen | undefined): Range =>
    rangeBetween(isFromBase && start === epoch.base ? undefined : start, end, timeline);
  const within = markers.filter(({ generation }) => generation > from && (to === undefined || generation <= to));
  const points = [from, ...within.map(({ generation }) => generation)];
  const steps = within.map((marker, index) => ({
    marker,
    range: between(points[index] ?? from, marker.generation),
  }));
  const last = currentGeneration(epoch);
  return to === undefined ? [...steps, { marker: undefined, range: between(last, undefined) }] : steps;
}

/** `from`: undefined for the real files. */
function rangeBetween(from: Gen | undefined, to: Gen | undefined, timeline: Timeline): Range {
  const range = parseRange(`${from ?? ''}..${to ?? ''}`, timeline);
  if ('error' in range) throw new UserError(range.error);
  return range;
}

/** The files of a step that belong to the project's work: neither git's own, nor what it ignores, nor caches. */
export class Belonging {
  readonly #options: ReviewOptions;
  readonly #ignored: Ignored;

  constructor(options: ReviewOptions) {
    this.#options = options;
    this.#ignored = new Ignored(new Facts(options.base, options.store), options.project);
  }

  *of(changes: Iterable<PathChange>): Generator<PathChange, void, undefined> {
    for (const change of changes)
      if (change.type === 'file' || change.type === 'symlink') yield* this.#sideHere(change);
  }

  /** What is moved into the project's work is one file more there, what is moved out of it one less. */
  *#sideHere(change: PathChange): Generator<PathChange, void, undefined> {
    const { from, path, type, oldSide, newSide, replaced } = change;
    if (from === undefined || oldSide === undefined || newSide === undefined) {
      if (this.#has(change)) yield change;
      return;
    }
    const gone: PathChange = { path: from, change: 'deleted', type, oldSide };
    const come: PathChange = { path, change: 'added', type, newSide };
    const [wasHere, isHere] = [this.#has(gone), this.#has(come)];
    if (wasHere && isHere) yield change;
    else if (wasHere) yield gone;
    else if (isHere) yield replaced === undefined ? come : { ...come, change: 'modified', oldSide: replaced };
  }

  #has(change: PathChange): boolean {
    const { path } = change;
    if (!isWithin(path, this.#options.project) || components(path).some((name) => name.toLowerCase() === '.git'))
      return false;
    return kindOf(change, this.#options, this.#ignored) === undefined;
  }
}

/** The first line and the rest of a message: the agent's command, or the name of the snapshot. A byte a code unit. */
export function messageOf(marker: Marker | undefined): { readonly subject: string; readonly body: string } {
  if (marker === undefined) return { subject: 'Since the last snapshot', body: '' };
  const { command = '', name, generation } = marker;
  const text = command !== '' ? command : name !== '' ? name : `Snapshot ${generation}`;
  const subject = label(text.split('\n', 1)[0] ?? '').trim() || `Snapshot ${generation}`;
  const more = text.includes('\n') ? `${text.split('\n').map(label).join('\n')}\n\n` : '';
  return { subject, body: `${more}yolofs snapshot ${generation}` };
}
