/**
 * States of earlier epochs, over the base of today. Every commit since has changed the base; its steps, which are kept,
 * say what was there before:
 *
 *     base then ──epoch──▶ commit 1 ──epoch──▶ commit 2 ──▶ base now
 *         ▲                  taken back  ◀────── taken back ◀──┘
 *         └── then the records of that epoch are replayed, and what the tree takes to be in the base is seen afresh
 */
import { sharedTime, withAttributes } from '../../staging/compact.ts';
import { stagedPaths } from '../../staging/names/staged-names.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { type Gen, label } from '../../sys/bytes.ts';
import { coarseTime } from '../../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../../sys/stat.ts';
import { UserError } from '../../sys/user-error.ts';
import type { OwnChanges } from '../commit/conflict/own-changes.ts';
import type { Step } from '../commit/plan/steps.ts';
import type { Facts } from '../diff/facts.ts';
import type { Journal } from '../log/journal.ts';
import { WHERE_TO_GO } from '../timeline/destination.ts';
import { readRecords } from '../timeline/replay.ts';
import { Replayer } from '../timeline/replayer.ts';
import { currentEpoch, type Epoch, liveRuns, type Run, type Timeline } from '../timeline/segments.ts';
import { BaseReconstruction } from './base-reconstruction.ts';
import { type CrossingOptions, crossBack, turnsOf } from './crossing.ts';
import { Ours } from './edits.ts';
import { refreshFromBase } from './refresh.ts';
import { doAgain } from './rewind.ts';

export interface PastOptions extends CrossingOptions {
  readonly journal: Journal;
  readonly timeline: Timeline;
  readonly ownChanges?: OwnChanges;
}

/**
 * The tree that shows the state at a generation of an epoch that has ended. Originals that commits have replaced are
 * copied into the store on the way, unless they are lent. Throws a UserError when something of it is not kept any more, SystemError.
 */
export function treeOfPast(at: { epoch: Epoch; generation: Gen }, options: PastOptions): OverrideTree {
  const { timeline, facts, ownChanges } = options;
  const rebuilt = new BaseReconstruction(facts);
  const ended = timeline.slice(timeline.indexOf(at.epoch));
  for (const epoch of turnsOf(ended).reverse()) crossBack(epoch, rebuilt, options);
  const ours = new Ours(rebuilt.tree);
  replay(rebuilt, liveRuns(at.epoch, at.generation), options);
  // What a commit had moved before it was taken back has another ctime, which is in the stamps.
  const areStampsSafe = ownChanges?.isEmpty !== false && ended.every((one) => one.ended !== 'undo');
  const compare = rebuilt.edits.recorded(rebuilt.tree, { ours, areStampsSafe });
  refreshFromBase(rebuilt.tree, facts);
  compare();
  rebuilt.edits.keep(rebuilt.tree);
  finaliseContent(rebuilt.tree, facts);
  return rebuilt.tree;
}

/**
 * What is staged after a commit was taken back and the base is what it was before: the steps of the commit, and what the
 * present epoch, the last of the timeline, has staged since. So the view is what it was. Throws as `treeOfPast`.
 */
export function treeAfterUndo(steps: readonly Step[], options: Omit<PastOptions, 'layout'>): OverrideTree {
  const { facts, numbers, timeline } = options;
  const rebuilt = new BaseReconstruction(facts);
  doAgain(steps, rebuilt, () => numbers.nextIno());
  replay(rebuilt, liveRuns(currentEpoch(timeline)), options);
  refreshFromBase(rebuilt.tree, facts);
  return rebuilt.tree;
}

/**
 * What is staged after a commit of an earlier state of the present epoch: what of that was left out, `tree`, and what the
 * records since then do to a base that has the rest.
 */
export function treeSince(
  runs: readonly Run[],
  { journal, facts, tree }: Pick<PastOptions, 'journal' | 'facts'> & { readonly tree: OverrideTree },
): OverrideTree {
  const rebuilt = new BaseReconstruction(facts, tree);
  replay(rebuilt, runs, { journal });
  refreshFromBase(rebuilt.tree, facts);
  return rebuilt.tree;
}

/** Records of another time, over a base that is not the one they were made over. */
function replay(rebuilt: BaseReconstruction, runs: readonly Run[], { journal }: Pick<PastOptions, 'journal'>): void {
  const replayer = new Replayer(rebuilt.tree, { otherBase: (at) => rebuilt.linkedAt(at) });
  for (const run of runs) readRecords(journal, run, { replayer });
  replayer.finish(coarseTime());
}

/**
 * What a commit gave to the base is copied back into the store, unless there was no room for that. A file that goes by the
 * time of its content is told that time: it may have been born in the view now, and such files have times of their own.
 */
function finaliseContent(tree: OverrideTree, { store }: Facts): void {
  const statx = Buffer.alloc(STATX_SIZE);
  for (const { child, path } of stagedPaths(tree.root)) {
    const { staged } = child;
    if (staged === undefined || staged.object === 0) continue;
    if (store.statInto(staged.object, statx) < 0)
      throw new UserError(`the content that ${label(path)} had then is no longer kept`, WHERE_TO_GO);
    if (staged.attributes.mtime !== undefined) continue;
    const { mtimeSec, mtimeNsec } = decodeStatx(statx);
    staged.attributes = withAttributes(staged.attributes, { mtime: sharedTime(mtimeSec, mtimeNsec) });
  }
}
