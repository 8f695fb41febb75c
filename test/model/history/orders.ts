/** What each order of a session does, in the words of the model: which tree the view and the base are afterwards. */
import assert from 'node:assert/strict';
import type { LiveView } from '../../../src/daemon/live-view.ts';
import { type Conflict, ConflictError } from '../../../src/history/commit/conflict/conflict.ts';
import { commitsIn } from '../../../src/history/commit/runner/places.ts';
import type { Layout } from '../../../src/history/layout.ts';
import type { GenRange } from '../../../src/history/log/generations.ts';
import type { Invalidation } from '../../../src/staging/invalidation.ts';
import { type BytePath, toBytes } from '../../../src/sys/bytes.ts';
import { UserError } from '../../../src/sys/user-error.ts';
import type { Image } from './image.ts';
import { afterUndo, type Committed, checkUndone } from './outside/undone.ts';
import { differing } from './part.ts';
import { collectGarbage, keepContents, sweepGarbage } from './session/garbage.ts';
import type { OrderStep } from './steps.ts';

export interface Effect {
  /** What the view shows before. */
  readonly before: Image;
  /** Paths that are selected: view and base are what `checkMerge` allows, and the model takes over what they are. */
  readonly selected?: readonly string[];
  /** What it may show afterwards, in nearly all cases just one; the object `before` where nothing changes. */
  readonly views: readonly Image[];
  /** Whether names of one file may be files of their own in it. */
  readonly mayPart?: boolean;
  readonly base: Image;
  /** Where that is not the only thing it may be: fails when it is something else. */
  readonly checkBase?: (real: Image) => void;
  /** Gives the order. */
  readonly act: () => Promise<Outcome>;
}

export interface Outcome {
  /** What the kernel must forget. */
  readonly forget?: readonly Invalidation[];
  /** Generations that cannot be gone to any more. */
  readonly dropped?: readonly GenRange[];
  /** The generation in force when the epoch ended, if it did, and how. */
  readonly ended?: { readonly at: number; readonly by: 'commit' | 'part' | 'abort' | 'undo' };
  /** The generation that an abort gave up, or that was gone to. */
  readonly gaveUp?: number;
  readonly wentTo?: number;
  /** For which it was refused. */
  readonly conflicts?: readonly Conflict[];
}

/** What is there when an order is given. */
export interface Situation {
  readonly live: LiveView;
  readonly layout: Layout;
  readonly before: Image;
  readonly base: Image;
  /** Those that are not there have been dropped. */
  readonly generations: ReadonlyMap<number, readonly Image[]>;
  /** Those that a gc was about to drop, or did, when it died. */
  readonly doubtful: ReadonlySet<number>;
  /** What the base was before each commit that can be taken back, and whether it still has to be possible. */
  readonly commits: readonly PastCommit[];
  /** Aborts that stand. */
  readonly aborts: readonly PastAbort[];
  /** Whether the last of both is that of the product: an order that died may have been one. */
  readonly knowsLastTurn: boolean;
  /** The generation in force at the last commit or abort. */
  readonly epoch: number;
  /** Up to this generation names of one file may come back as files of their own. */
  readonly parted: number;
  /** Up to this one it may be refused, as somebody has changed outside what commits had left. */
  readonly changed: number;
}

export interface PastCommit extends Committed {
  readonly isCertain: boolean;
}

export interface PastAbort {
  /** What it gave up. */
  readonly generation: number;
  /** How many commits stood. */
  readonly commits: number;
}

/** A commit of everything. */
const ALL = { paths: [], wishes: { ours: [], theirs: [], merge: false } };

/** All but those that settle conflicts. */
export type Order = Exclude<OrderStep, { order: 'settle' }>;

export function orderEffect(step: Order, situation: Situation): Effect {
  const { live, before, base } = situation;
  const unchanged = { before, views: [before], base };
  switch (step.order) {
    case 'snapshot': {
      const order = { name: 's\n', ifChanged: step.ifChanged, run: 0, command: undefined };
      return { ...unchanged, act: quietly(() => live.snapshot(order)) };
    }
    case 'flush':
      return { ...unchanged, act: quietly(() => live.flush()) };
    case 'commit':
      return { ...unchanged, base: before, act: unlessConflicts(() => commit(situation)) };
    case 'commitPath':
    case 'abortPath':
      return partEffect(step, situation);
    case 'commitReviewed':
      return reviewedEffect(step.n, situation);
    case 'travel':
      return travelEffect(step.to, situation);
    case 'gc':
      return { ...unchanged, act: async () => ({ dropped: await collectGarbage(step, situation) }) };
    case 'undo':
      return undoEffect(situation);
    case 'keep':
      return { ...unchanged, act: quietly(() => keepContents(situation)) };
    case 'abort':
      return { ...unchanged, views: [base], act: () => abort(situation) };
  }
}

function travelEffect(to: number, situation: Situation): Effect {
  const { live } = situation;
  const target = to % (live.generation + 1);
  return goingTo(target, situation, async () => {
    await keepContents(situation);
    return { forget: live.orders.travel(String(target)).invalidations, wentTo: target };
  });
}

function goingTo(target: number, situation: Situation, act: Effect['act']): Effect {
  const { before, base, generations, doubtful } = situation;
  const images = generations.get(target);
  // Nothing but others has changed it.
  if (target === 0 && situation.epoch === 0) return { before, views: [base], base, act };
  // What the files were before all, with what somebody has done outside since: the model does not know which that is.
  if (target === 0 && situation.changed > 0) return { before, views: [before], base, act: quietly(() => undefined) };
  if (images === undefined) return { before, views: [before], base, act: refused(act) };
  const mayPart = target <= situation.parted;
  if (doubtful.has(target) || target <= situation.changed)
    return { before, views: [...images, before], mayPart, base, act: tolerantly(act) };
  return { before, views: images, mayPart, base, act };
}

/** The view stays: what the commit had applied is staged again. */
function undoEffect(situation: Situation): Effect {
  const { live, before, base, commits, aborts } = situation;
  if (!situation.knowsLastTurn) return { before, views: [before], base, act: quietly(() => undefined) };
  const last = commits.at(-1);
  const aborted = aborts.at(-1);
  if (aborted?.commits === commits.length) {
    return goingTo(aborted.generation, situation, async () => {
      const { invalidations } = await live.orders.undo(() => undefined);
      return { forget: invalidations, wentTo: aborted.generation };
    });
  }
  const act: Effect['act'] = async () => {
    const { invalidations, generation } = await live.orders.undo(() => undefined);
    return { forget: invalidations, ended: { at: generation - 1, by: 'undo' } };
  };
  if (last === undefined) return { before, views: [before], base, act: refused(act) };
  const { verdict, base: goal } = afterUndo(last, base);
  if (verdict === 'refused') return { before, views: [before], base, act: refused(act) };
  if (verdict === 'either') {
    const checkBase = (real: Image): void => checkUndone(last, base, real);
    return { before, views: [before], base: goal, act: tolerantly(act), checkBase };
  }
  return { before, views: [before], base: goal, act: last.isCertain ? act : tolerantly(act) };
}

function partEffect({ order, n }: OrderStep & { n: number }, situation: Situation): Effect {
  const { live, layout, before, base } = situation;
  const paths = differing(base, before);
  const selected = [...new Set([paths[n % paths.length] ?? '', paths[(n * 7) % paths.length] ?? ''])].slice(
    0,
    1 + (n % 2),
  );
  if (paths.length === 0) return { before, views: [before], base, act: quietly(() => undefined) };
  const words = selected.map((path) => `${toBytes(layout.project)}/${path}` as BytePath);
  const act = async (): Promise<Outcome> => {
    await keepContents(situation);
    if (order === 'abortPath') {
      const { invalidations } = live.orders.abort(words);
      return { forget: invalidations, gaveUp: live.generation - 2 };
    }
    const isCommitted = await committed(situation, words);
    // What is left is recorded after the commit, under a marker of its own.
    return isCommitted ? { ended: { at: live.generation - 1, by: 'part' } } : {};
  };
  return { before, views: [before], base, selected, act: unlessConflicts(act) };
}

/** The base becomes what the view was then, and the view stays. Refused where somebody has travelled since, or a deleted file is still open. */
function reviewedEffect(n: number, situation: Situation): Effect {
  const { live, before, base, generations, doubtful, epoch } = situation;
  const reviewed = epoch + 1 + (n % Math.max(1, live.generation - epoch));
  const [image, ...others] = generations.get(reviewed) ?? [];
  const unchanged = { before, views: [before], base };
  if (image === undefined || others.length > 0 || doubtful.has(reviewed))
    return { ...unchanged, act: quietly(() => undefined) };
  const act = async (): Promise<Outcome> => {
    await keepContents(situation);
    const at = live.generation;
    if (!(await committed(situation, [], reviewed))) return {};
    return { ended: { at, by: live.generation === at ? 'commit' : 'part' } };
  };
  return { ...unchanged, base: image, act: tolerantly(unlessConflicts(act)) };
}

async function commit(situation: Situation): Promise<Outcome> {
  const { live } = situation;
  await keepContents(situation);
  return (await committed(situation, [])) ? { ended: { at: live.generation, by: 'commit' } } : {};
}

/** Whether there was anything to do: a file that was only touched is none of the changes, and its time is committed. */
async function committed({ live, layout }: Situation, paths: readonly BytePath[], reviewed?: number): Promise<boolean> {
  const last = commitsIn(layout.commits).at(-1);
  await live.orders.commit({ ...ALL, paths, reviewed }, () => undefined);
  return commitsIn(layout.commits).at(-1) !== last;
}

/** As the daemon does it: what nothing needs goes afterwards, and what was aborted stays. */
async function abort(situation: Situation): Promise<Outcome> {
  const { live, epoch } = situation;
  const { invalidations } = live.orders.abort();
  await sweepGarbage(situation);
  // What is there now has a marker of its own.
  const at = live.generation - 1;
  return { forget: invalidations, ended: { at, by: 'abort' }, ...(at > epoch && { gaveUp: at }) };
}

/** What gc has given up cannot be gone to, what somebody changed since not be taken back: nothing happens. */
function refused(act: Effect['act']): Effect['act'] {
  return async () => {
    await assert.rejects(act, UserError, 'it was to be refused');
    return {};
  };
}

/** What somebody changed outside may be in the way of a commit. */
function unlessConflicts(act: Effect['act']): Effect['act'] {
  return async () => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ConflictError) return { conflicts: error.conflicts };
      throw error;
    }
  };
}

/** What only many commits, or a gc that died, may have given up. */
function tolerantly(act: Effect['act']): Effect['act'] {
  return async () => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof UserError) return {};
      throw error;
    }
  };
}

/** An order after which the kernel may go on believing all it knows. */
function quietly(order: () => unknown): Effect['act'] {
  return async () => {
    await order();
    return {};
  };
}
