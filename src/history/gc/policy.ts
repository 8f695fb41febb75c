/** Which generations and which commits' backups go; pure. What is not named here stays. */
import type { Gen } from '../../sys/bytes.ts';
import { Generations, type GenRange, rangesOf } from '../log/generations.ts';
import { COMMITS_KEPT } from '../log/session-state.ts';
import { liveMarkers, type Timeline } from '../timeline/segments.ts';
import type { KeptStates } from './weights.ts';

/** What to give up besides what nothing needs anyway. */
export interface Policy {
  /** States that no travel since has come back to. */
  readonly dropAbandoned: boolean;
  /** All generations but the last so many. */
  readonly keepLast?: number | undefined;
  /** Bytes that contents and backups may occupy: the oldest generations go until they fit. */
  readonly maxSize?: number | undefined;
}

export const KEEP_ALL: Policy = { dropAbandoned: false };

/** A commit of the journal. */
export interface PastCommit {
  readonly number: number;
  /** Position in the timeline of the epoch it ended. */
  readonly epoch: number;
  readonly isUndone: boolean;
}

/** What is, or is to be, no longer kept. */
export interface Dropped {
  readonly generations: Generations;
  /** The backups of this commit and of all before it; 0 = none. */
  readonly commit: number;
}

/** The commits of a journal, oldest first. */
export function commitsOf(timeline: Timeline): PastCommit[] {
  const commits: { number: number; epoch: number; isUndone: boolean }[] = [];
  for (const [epoch, { ended }] of timeline.entries()) {
    if (ended === 'commit') commits.push({ number: commits.length + 1, epoch, isUndone: false });
    const last = ended === 'undo' ? commits.findLast(({ isUndone }) => !isUndone) : undefined;
    if (last !== undefined) last.isUndone = true;
  }
  return commits;
}

/** All generations that can be gone to, ascending: those dropped before cannot. */
export function keptGenerations(timeline: Timeline): Gen[] {
  return timeline.flatMap(({ markers, dropped }) =>
    markers.map((marker) => marker.generation).filter((gen) => !dropped.has(gen)),
  );
}

/** What goes by number, whatever it occupies; `before` is what went already. */
export function chooseDropped(timeline: Timeline, policy: Policy, before: Dropped): Dropped {
  const kept = keptGenerations(timeline);
  const goes = new Set<Gen>(abortedLongAgo(timeline));
  if (policy.dropAbandoned) for (const generation of abandoned(timeline)) goes.add(generation);
  if (policy.keepLast !== undefined) {
    for (const generation of kept.slice(0, Math.max(0, kept.length - policy.keepLast))) goes.add(generation);
  }
  return withCommits(timeline, { before, goes: rangesOf(goes), isThorough: policy.keepLast !== undefined });
}

/** As chosen, and of the generations that are left the oldest `count` as well. */
export function dropOldest(timeline: Timeline, chosen: Dropped, count: number): Dropped {
  const left = keptGenerations(timeline).filter((generation) => !chosen.generations.has(generation));
  return withCommits(timeline, { before: chosen, goes: rangesOf(left.slice(0, count)), isThorough: true });
}

/**
 * The states that are kept when this is dropped. What a commit applied is one of them also when it was undone: what the
 * view showed between the two is shown over it.
 */
export function statesWithout(dropped: Dropped): KeptStates {
  return {
    generation: (generation) => !dropped.generations.has(generation),
    committed: (commit) => commit > dropped.commit,
  };
}

interface Choice {
  readonly before: Dropped;
  readonly goes: readonly GenRange[];
  /** Also backups that only dropped generations and earlier undos need; else only by their number. */
  readonly isThorough: boolean;
}

/**
 * Generations before a commit are shown by taking its effect back, so they go with its backups; and backups
 * that no generation left is shown with may go, but for those of the commit that can be taken back next.
 */
function withCommits(timeline: Timeline, { before, goes, isThorough }: Choice): Dropped {
  const generations = new Generations([...before.generations.ranges, ...goes]);
  const commits = commitsOf(timeline).filter(({ isUndone }) => !isUndone);
  let commit = Math.max(before.commit, commits.at(-1 - COMMITS_KEPT)?.number ?? 0);
  const oldest = timeline.findIndex(({ markers }) => {
    return markers.some(({ generation }) => !generations.has(generation));
  });
  for (const { number, epoch } of isThorough ? commits.slice(0, -1) : []) {
    if (oldest >= 0 && oldest <= epoch) break;
    commit = Math.max(commit, number);
  }
  const last = commits.findLast(({ number }) => number <= commit)?.epoch ?? -1;
  const unshown = timeline.slice(0, last + 1).flatMap(({ markers }) => markers.map(({ generation }) => generation));
  generations.addAll(rangesOf(unshown));
  return { generations, commit };
}

/** What was given up by aborts before the last ten, as many as commits are kept. */
function abortedLongAgo(timeline: Timeline): Gen[] {
  const aborted = timeline.filter(({ ended }) => ended === 'abort').slice(0, -COMMITS_KEPT);
  return aborted.flatMap(({ markers }) => markers.map(({ generation }) => generation));
}

/** Generations that the present, and what was committed, did not come from. */
function* abandoned(timeline: Timeline): Generator<Gen> {
  for (const epoch of timeline) {
    const live = epoch.ended === 'abort' ? new Set() : liveMarkers(epoch);
    for (const { generation } of epoch.markers) if (!live.has(generation)) yield generation;
  }
}
