/**
 * Generations, pure: which records make up which state. Markers (snapshot P, travel T) are numbered through the
 * whole journal; a commit or abort ends an epoch, and the next one starts from the base again.
 *
 *     epoch 0: base | seg 0 | P1 | seg 1 | P2 | seg 2 | T3->1 | seg 3 | K    epoch 1: base (3) | seg 3' | P4 | ...
 *
 * A segment is the records between a marker and the next; it is dead when a later travel went back before it.
 * Every journal generation has one state: the live segments before its marker (yolofs.md 3.4).
 */

import type { Time } from '../../staging/inode.ts';
import type { Gen } from '../../sys/bytes.ts';
import { Generations } from '../log/generations.ts';
import type { Scanned } from '../log/journal.ts';
import type { Tag, Who } from '../log/record.ts';

/** The tags that `buildTimeline` wants to see. */
export const MARKER_TAGS: ReadonlySet<Tag> = new Set<Tag>(['P', 'T', 'K', 'A', 'U', 'X']);

export interface Marker {
  readonly generation: Gen;
  readonly kind: 'snapshot' | 'travel';
  readonly name: string;
  /** Travel: the generation it went to. */
  readonly target: Gen | undefined;
  /** Travel across a commit: what it led to is told anew in the segment that it opens. */
  readonly carried: boolean;
  /** Snapshot after a run: the command line. */
  readonly command: string | undefined;
  readonly time: Time;
  readonly who: Who;
  /** Bytes [offset, next) of the journal. */
  readonly offset: number;
  readonly next: number;
}

export type Ending = 'commit' | 'abort' | 'undo';

const ENDINGS: Readonly<Partial<Record<Tag, Ending>>> = { K: 'commit', A: 'abort', U: 'undo' };

export interface Epoch {
  /** The generation in force when it began: its base. 0 for the first. */
  readonly base: Gen;
  /** Its records are bytes [start, end) of the journal. */
  readonly start: number;
  readonly end: number;
  readonly ended: Ending | undefined;
  /** The number of the commit that ended it, or that was undone then. */
  readonly commit?: number;
  readonly markers: readonly Marker[];
  /** What gc no longer keeps, of all epochs: their contents may be gone. */
  readonly dropped: Generations;
}

/** All epochs, oldest first; the last is the current one. */
export type Timeline = readonly [Epoch, ...Epoch[]];

/** A stretch of records: bytes [start, end) of the journal. */
export interface Run {
  readonly start: number;
  readonly end: number;
}

/** The one that follows the marker of `generation`. */
export interface Segment extends Run {
  readonly generation: Gen;
}

/** Puts the markers of a scan in order; `extent` are the offsets where the scan's records begin and end. */
export function buildTimeline(
  records: Iterable<Scanned>,
  extent: { readonly start: number; readonly end: number; readonly base?: Gen },
): Timeline {
  const done: Epoch[] = [];
  const dropped = new Generations();
  let commits = 0;
  let base = extent.base ?? (0 as Gen);
  let start = extent.start;
  let markers: Marker[] = [];
  for (const scanned of records) {
    const { body, generation } = scanned.record;
    if (body.tag === 'P' || body.tag === 'T') markers.push(toMarker(scanned));
    if (body.tag === 'X') dropped.addAll(body.generations);
    const ended = ENDINGS[body.tag];
    if (ended === undefined) continue;
    if (body.tag === 'K') commits = body.commit ?? commits + 1;
    const commit = body.tag === 'K' ? { commit: commits } : body.tag === 'U' ? { commit: body.commit } : {};
    done.push({ base, start, end: scanned.offset, ended, ...commit, markers, dropped });
    base = generation;
    start = scanned.next;
    markers = [];
  }
  const current: Epoch = { base, start, end: extent.end, ended: undefined, markers, dropped };
  const [first, ...rest] = [...done, current];
  return [first ?? current, ...rest];
}

function toMarker({ offset, next, record }: Scanned): Marker {
  const { generation, time, who, body } = record;
  const travel = body.tag === 'T';
  return {
    generation,
    kind: travel ? 'travel' : 'snapshot',
    name: body.tag === 'P' || travel ? body.name : '',
    target: travel ? body.target : undefined,
    carried: body.tag === 'T' && (body.carried ?? 0) > 0,
    command: body.tag === 'P' ? body.command : undefined,
    time,
    who,
    offset,
    next,
  };
}

export function currentEpoch(timeline: Timeline): Epoch {
  return timeline.at(-1) ?? timeline[0];
}

/** The generation that is being written: that of the last marker. */
export function currentGeneration(epoch: Epoch): Gen {
  return epoch.markers.at(-1)?.generation ?? epoch.base;
}

/** All segments of an epoch, dead ones too, in order; the last is the unsealed tip. */
export function segmentsOf(epoch: Epoch): Segment[] {
  const opener = { generation: epoch.base, next: epoch.start };
  const openers = [opener, ...epoch.markers];
  return openers.map(({ generation, next }, i) => ({
    generation,
    start: next,
    end: epoch.markers[i]?.offset ?? epoch.end,
  }));
}

/**
 * The segments whose records, replayed in order over the base, give the state at a generation of the epoch (for
 * a travel: the state it led to); without `at`, the present state. Also right for generations that later
 * travels have left behind.
 */
export function liveSegments(epoch: Epoch, at?: Gen): Segment[] {
  const all = segmentsOf(epoch);
  const index = at === undefined ? all.length : stateIndex(epoch, at);
  const dead = deadSegments(epoch, Math.min(index, epoch.markers.length));
  return all.slice(0, index).filter((_segment, i) => !dead.has(i));
}

/**
 * As `liveSegments`, with those that follow each other as one: for whoever reads past markers. A thousand short reads
 * take longer than a long one.
 */
export function liveRuns(epoch: Epoch, at?: Gen): Run[] {
  return joined(epoch, liveSegments(epoch, at));
}

function joined(epoch: Epoch, segments: readonly Segment[]): Run[] {
  const afterMarker = new Map(epoch.markers.map(({ offset, next }) => [offset, next]));
  const runs: { start: number; end: number }[] = [];
  for (const { start, end } of segments) {
    const last = runs.at(-1);
    if (last !== undefined && afterMarker.get(last.end) === start) last.end = end;
    else runs.push({ start, end });
  }
  return runs;
}

/** The segments whose records lead from the state at one generation to that at another; undefined where it is not on the way. */
export function segmentsBetween(epoch: Epoch, from: Gen, to: Gen): Segment[] | undefined {
  const [before, all] = [liveSegments(epoch, from), liveSegments(epoch, to)];
  const isPart = before.every(({ start }, i) => all[i]?.start === start);
  return isPart ? all.slice(before.length) : undefined;
}

/** The markers that the state at a generation was made by way of, its own with them. */
export function generationsBehind(epoch: Epoch, at: Gen): Set<Gen> {
  const behind = new Set<Gen>();
  for (let index = stateIndex(epoch, at); index > 0; index = parentIndex(epoch, index)) {
    const marker = epoch.markers[index - 1];
    if (marker !== undefined) behind.add(marker.generation);
  }
  return behind;
}

/** As `segmentsBetween`, with those that follow each other as one. */
export function runsBetween(epoch: Epoch, from: Gen, to: Gen): Run[] | undefined {
  const segments = segmentsBetween(epoch, from, to);
  return segments && joined(epoch, segments);
}

/** The records that have led from the state at a generation to the present one; undefined when that was left behind, or is of another epoch. */
export function runsSince(epoch: Epoch, at: Gen): readonly Run[] | undefined {
  if (at < epoch.base || at > currentGeneration(epoch)) return undefined;
  const [before, now] = [liveSegments(epoch, at), liveSegments(epoch)];
  const isPart = before.every(({ start }, i) => now[i]?.start === start);
  return isPart ? now.slice(before.length) : undefined;
}

/** Markers on the way to the last state of the epoch, which is the present one. All others were abandoned. */
export function liveMarkers(epoch: Epoch): Set<Gen> {
  const live = new Set<Gen>();
  for (let index = epoch.markers.length; index > 0; index = parentIndex(epoch, index)) {
    const marker = epoch.markers[index - 1];
    if (marker !== undefined) live.add(marker.generation);
  }
  return live;
}

/**
 * What the state of marker number `index` (from 1) was made from: the one before it, or for a travel the one it went
 * to; 0 is the base.
 */
export function parentIndex(epoch: Epoch, index: number): number {
  const target = epoch.markers[index - 1]?.target;
  const to = target === undefined ? index : stateIndex(epoch, target);
  return Math.min(to, index - 1);
}

/**
 * Position of a generation in its epoch, as marker and as state: 0 is the base. Every marker counts one. What a travel
 * has carried along belongs to its state, so that is the one of the snapshot which follows at once.
 */
export function stateIndex(epoch: Epoch, generation: Gen): number {
  const index = Math.max(0, generation - epoch.base);
  return epoch.markers[index - 1]?.carried ? index + 1 : index;
}

/** Segments that the first `count` markers, read from the last to the first, travelled away from. */
function deadSegments(epoch: Epoch, count: number): Set<number> {
  const dead = new Set<number>();
  let aliveEnd = count + 1;
  for (let m = count; m > 0; m--) {
    const target = epoch.markers[m - 1]?.target;
    if (target === undefined || m > aliveEnd) continue;
    const to = stateIndex(epoch, target);
    if (to >= m) continue;
    for (let i = to; i < m; i++) dead.add(i);
    aliveEnd = to;
  }
  return dead;
}
