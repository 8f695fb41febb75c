/**
 * An undo, as the FUSE thread does it: the base is what it was, the view stays as it is. Nothing is served meanwhile, but while a source
 * is asked, which comes first.
 */

import { checkBase } from '../../../history/commit/conflict/check.ts';
import type { Original } from '../../../history/commit/conflict/own-changes.ts';
import type { Wishes } from '../../../history/commit/conflict/resolve.ts';
import type { CommitLog } from '../../../history/commit/runner/commit-log.ts';
import { unfinishedCommits } from '../../../history/commit/runner/places.ts';
import { checkUndoable, undoableLog, undoCommit } from '../../../history/commit/runner/undo.ts';
import { netChanges } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { LendingStore } from '../../../history/past/lending-store.ts';
import { standingTurns } from '../../../history/timeline/turns.ts';
import { fingerprintOf } from '../../../staging/inode.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import type { BytePath } from '../../../sys/bytes.ts';
import { isRegular } from '../../../sys/stat.ts';
import type { Progress } from '../../protocol.ts';
import type { Undone } from '../answers.ts';
import type { LiveSession } from '../live-session.ts';
import { travel } from '../travel.ts';
import { recordReverted } from './reverted.ts';
import { treeBefore } from './undo-tree.ts';

interface Hooks {
  readonly onProgress: (progress: Progress) => void;
  readonly theirs: readonly BytePath[];
}

/** Takes the last commit or abort back, whichever came later. Rejects as `undoCommit`, throws as `travel`. */
export async function undoLast(
  session: LiveSession,
  onProgress: (progress: Progress) => void,
  wishes?: Wishes,
): Promise<Undone> {
  const last = standingTurns(session.markers.timeline()).at(-1);
  if (last?.kind !== 'abort') return undo(session, onProgress, wishes?.theirs);
  // What it gave up is a state that can be gone to.
  const { snapshot: _, target: _target, name: _name, ...undone } = travel(session, String(last.generation));
  return undone;
}

/**
 * As `undoLast`, while content that the commit gave to the base is still being copied into the store: step by step it goes
 * back there itself. Null, with nothing done, where more is needed: content of states before it, or what a source is given.
 */
export async function undoAtOnce(
  session: LiveSession,
  onProgress: (progress: Progress) => void,
  theirs: readonly BytePath[],
): Promise<Undone | null> {
  const { layout, history, markers, sources } = session;
  if (standingTurns(markers.timeline()).at(-1)?.kind === 'abort') return null;
  const log = undoableLog(layout, history.applied);
  if (sources.haveOneOf(log.recorded.steps.map(({ path }) => path))) return null;
  return undoOf(log, session, { onProgress, theirs });
}

/** Takes the last commit back. Rejects with a ChangedSinceError, UserError or SystemError; then base and view are as they were. */
async function undo(
  session: LiveSession,
  onProgress: (progress: Progress) => void,
  theirs: readonly BytePath[] = [],
): Promise<Undone> {
  const log = undoableLog(session.layout, session.history.applied);
  const { sources, base, store } = session;
  const { number, steps } = log.recorded;
  const carryOut = (): Promise<Undone> => undoOf(log, session, { onProgress, theirs });
  if (!sources.haveOneOf(steps.map(({ path }) => path))) return carryOut();
  const lending = new LendingStore(session.layout.files, base);
  try {
    return await sources.during({
      facts: new Facts(base, lending),
      isUndo: true,
      changes: () => netChanges({ tree: treeBefore(session, number, lending), base, store: lending, expand: true }),
      check: () => {
        base.catchUp();
        checkUndoable({ log, store, theirs });
        return true;
      },
      carryOut,
    });
  } finally {
    lending.close();
  }
}

async function undoOf(log: CommitLog, session: LiveSession, { onProgress, theirs }: Hooks): Promise<Undone> {
  const { history, markers, overlay, base, store, ownChanges, tree: live } = session;
  base.shed();
  const { number: commit, changes } = log.recorded;
  const timeline = markers.timeline();
  const { conflicts } = checkBase({ tree: live, facts: new Facts(base, store), ownChanges });
  let tree = new OverrideTree();
  overlay.treeSwitch.holdUnnamed();
  ownChanges.begin(filesAt(log, new Facts(base, store)));
  const onReverted = (): void => {
    base.shed();
    tree = recordReverted(session, log, { timeline, conflicts });
  };
  try {
    const told = (done: number, total: number, what: string): void => onProgress({ done, total, what });
    await undoCommit({ log, store, theirs, onProgress: told, onReverted });
    base.shed();
    ownChanges.donePart(base);
  } catch (error) {
    // What was looked at in between is elsewhere, now that it was taken back after all.
    base.shed();
    if (unfinishedCommits(session.layout).length === 0) ownChanges.finalise(base);
    throw error;
  }
  return { commit, changes, generation: history.generation, ...overlay.treeSwitch.show(tree, 'other base') };
}

/** The files of the base that a commit has placed or touched, as they are now: an undo that is taken back places them again. */
function filesAt({ recorded }: CommitLog, facts: Facts): Original[] {
  const paths = new Set(recorded.steps.map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const stat = facts.of(path);
    return stat === undefined || !isRegular(stat.mode) ? [] : [{ path, print: fingerprintOf(stat) }];
  });
}
