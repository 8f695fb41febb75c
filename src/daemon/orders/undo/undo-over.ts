/**
 * An undo where somebody has changed the real files since the commit. Step by step it cannot be taken back then, so what was there
 * before it is committed, over conflicts as any other commit; and the view goes back to what it showed, with all that is in the real
 * files no longer staged. So nothing is lost, and the next undo takes this one back.
 * Sources are given what is theirs before, while the view is served as always.
 *
 *     view ──travel──▶ what was before the commit ──commit──▶ the real files
 *       ▲────────────────────travel────────────────────────────────┘
 */

import { undoableLog } from '../../../history/commit/runner/undo.ts';
import { netChanges } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import type { PathChange } from '../../../history/diff/path-change.ts';
import { JournalInDoubt } from '../../../history/log/lines.ts';
import { LendingStore } from '../../../history/past/lending-store.ts';
import type { Shown } from '../../../staging/switch/switch-tree.ts';
import type { Undone } from '../answers.ts';
import { takeBackEarlier } from '../carry-out.ts';
import { commitStaged } from '../commit.ts';
import type { LiveSession } from '../live-session.ts';
import { countIn, goTo, numbered, pastTree, stateOf } from '../travel.ts';
import { writeMerged } from '../write-merged.ts';
import { MergedObjects, type Target, targetOf, type UndoOver } from './undo-target.ts';
import { stateBefore, treeBefore } from './undo-tree.ts';

/** Rejects with a UserError or SystemError; base, sources and view are as they were then. */
export async function undoOver(session: LiveSession, over: UndoOver): Promise<Undone> {
  const { layout, history, base, sources } = session;
  await takeBackEarlier(session, history.nextCommit);
  const { number, steps } = undoableLog(layout, history.applied).recorded;
  const carryOut = (verify?: () => void): Promise<Undone> => commitBefore(number, session, over, verify);
  if (!sources.haveOneOf(steps.map(({ path }) => path))) return carryOut();
  const lending = new LendingStore(layout.files, base);
  const looking = { ...session, store: lending };
  const merged = new MergedObjects(session);
  const target = (): Target => targetOf(looking, treeBefore(session, number, lending), over);
  const changes = (): Iterable<PathChange> =>
    netChanges({ tree: merged.put(target(), looking), base, store: lending, expand: true });
  try {
    if (!sources.areTouched(changes())) return await carryOut();
    return await sources.during({
      facts: new Facts(base, lending),
      isUndo: true,
      changes,
      check: () => {
        base.catchUp();
        target();
        return true;
      },
      carryOut,
    });
  } finally {
    merged.remove();
    lending.close();
  }
}

/** Shows what was before the commit of that number, commits it, and shows what was shown again; nothing is served meanwhile. */
async function commitBefore(commit: number, session: LiveSession, over: UndoOver, verify = () => {}): Promise<Undone> {
  const { history, markers, overlay } = session;
  verify();
  const timeline = markers.timeline();
  const state = stateBefore(commit, timeline);
  // Whether it can be committed at all is known before the view shows it.
  const { tree, ours, outcome } = targetOf(session, pastTree(session, state, timeline), over);
  const { merged, yielded } = outcome;
  const { generation: from } = numbered(session, `before undo of commit ${commit}`);
  const { generation } = state;
  const there = { generation, name: `before commit ${commit}`, isPast: true, tree, changes: countIn(tree, session) };
  const shown: Shown[] = [goTo(session, there)];
  try {
    if (merged.length > 0) shown.push(writeMerged(session, merged));
    const ask = { paths: [], wishes: { ours, theirs: [], merge: false }, reviewed: undefined };
    const by = await commitStaged(session, ask, { onProgress: over.onProgress });
    const back = goTo(session, stateOf(session, String(from)));
    return {
      ...{ commit, changes: by.changes, generation: history.generation, moved: back.moved },
      by: { number: by.number ?? 0, changes: by.changes, merged: merged.map(({ path }) => path), yielded },
      invalidations: [...shown, by, back].flatMap(({ invalidations }) => invalidations),
    };
  } catch (error) {
    if (error instanceof JournalInDoubt) throw error;
    shown.push(goTo(session, stateOf(session, String(from))));
    overlay.content.returns.add(shown.flatMap(({ invalidations }) => invalidations));
    throw error;
  }
}
