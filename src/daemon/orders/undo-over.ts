/**
 * An undo where somebody has changed the real files since the commit. Step by step it cannot be taken back then, so what was there
 * before it is committed, over conflicts as any other commit; and the view goes back to what it showed, with all that is in the real
 * files no longer staged. So nothing is lost, and the next undo takes this one back.
 *
 *     view ──travel──▶ what was before the commit ──commit──▶ the real files
 *       ▲────────────────────travel────────────────────────────────┘
 */

import { ChangedSinceError, undoableLog } from '../../history/commits/undo.ts';
import type { UndoConflict } from '../../history/commits/undo-check.ts';
import { Facts } from '../../history/compare/facts.ts';
import type { Conflict } from '../../history/conflict/conflict.ts';
import { withLeft } from '../../history/conflict/left-contents.ts';
import type { Outcome, Wishes } from '../../history/conflict/resolve.ts';
import { JournalInDoubt } from '../../history/line/lines.ts';
import type { Epoch } from '../../history/segments.ts';
import { selectForAbort } from '../../history/select/selection.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import { type BytePath, isWithin } from '../../sys/bytes.ts';
import { UserError } from '../../sys/user-error.ts';
import type { CommitAsk, Undone } from './answers.ts';
import type { Committed } from './orders.ts';
import { type PlanParts, planOf } from './plan.ts';
import { outcomeOf, writeMerged } from './resolve.ts';
import { countIn, goTo, numbered, pastTree, stateOf, type TravelParts } from './travel.ts';

const WAYS_ON =
  "'--ours PATH' puts back what was there before the commit (what is there now stays in the view), '--theirs PATH' leaves what is there now, '--merge' puts text together line by line";

export interface UndoOverParts extends PlanParts, TravelParts {
  /** Commits what is staged. */
  readonly commit: (ask: CommitAsk) => Promise<Committed>;
}

/** `changed`: what is in the way. Rejects with a UserError or SystemError; base and view are as they were then. */
export async function undoOver(
  parts: UndoOverParts,
  changed: readonly UndoConflict[],
  wishes: Wishes,
): Promise<Undone> {
  const { layout, history, markers, overlay, base, store } = parts;
  const { number, steps } = undoableLog(layout, history.applied).recorded;
  const timeline = markers.timeline();
  const epoch = timeline.findLast(({ ended, commit }) => ended === 'commit' && commit === number) as Epoch;
  const before = pastTree(parts, { epoch, generation: epoch.base }, timeline);
  const facts = new Facts(base, store);
  const mergeBases = withLeft(parts.mergeBases, steps, facts);
  const outcome = decided({ ...parts, mergeBases }, { changed, wishes, tree: before });
  const { accepted, dropped, merged, yielded } = outcome;
  const tree = dropped.length === 0 ? before : selectForAbort({ tree: before, facts, paths: dropped }).tree;
  const ours = [...accepted, ...merged.map(({ path }) => path)];
  // Whether it can be committed at all is known before the view shows it.
  if (planOf(parts, tree, ours).steps.length === 0) throw new UserError('nothing is left to take back');
  const { generation: from } = numbered(parts, `before undo of commit ${number}`);
  const name = `before commit ${number}`;
  const there = goTo(parts, { generation: epoch.base, name, isPast: true, tree, changes: countIn(tree, parts) });
  const shown: Shown[] = [there];
  try {
    if (merged.length > 0) shown.push(writeMerged(parts, merged));
    const by = await parts.commit({ paths: [], wishes: { ours, theirs: [], merge: false }, reviewed: undefined });
    const back = goTo(parts, stateOf(parts, String(from)));
    return {
      ...{ commit: number, changes: by.changes, generation: history.generation, moved: back.moved },
      by: { number: by.number ?? 0, changes: by.changes, merged: merged.map(({ path }) => path), yielded },
      invalidations: [...shown, by, back].flatMap(({ invalidations }) => invalidations),
    };
  } catch (error) {
    if (error instanceof JournalInDoubt) throw error;
    shown.push(goTo(parts, stateOf(parts, String(from))));
    overlay.content.returns.add(shown.flatMap(({ invalidations }) => invalidations));
    throw error;
  }
}

interface Case {
  readonly changed: readonly UndoConflict[];
  readonly wishes: Wishes;
  readonly tree: OverrideTree;
}

/**
 * What becomes of each conflict. The undo sees more of them than the commit of an earlier state does (attributes, hard links, what
 * was moved): these are for a person, too. Throws a UserError with all that is left open.
 */
function decided(parts: PlanParts, { changed, wishes, tree }: Case): Outcome {
  const outcome = outcomeOf(parts, wishes, tree);
  const { accepted, dropped, merged, left } = outcome;
  const known = [...wishes.ours, ...accepted, ...dropped, ...[...merged, ...left].map(({ path }) => path)];
  const unseen = changed.filter(({ path }) => !known.some((one) => isAbout(path, one)));
  const open = [...left.map((conflict) => asUndo(conflict, changed)), ...unseen];
  if (open.length > 0) throw new ChangedSinceError(open, WAYS_ON);
  return outcome;
}

function isAbout(path: BytePath, other: BytePath): boolean {
  return isWithin(path, other) || isWithin(other, path);
}

/** What the undo says of it, which tells more. */
function asUndo(conflict: Conflict, changed: readonly UndoConflict[]): UndoConflict {
  const { path, theirs } = conflict;
  return changed.find((one) => one.path === path) ?? { path, reason: `${theirs} outside since the commit` };
}
