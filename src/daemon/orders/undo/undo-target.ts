/** What an undo over conflicts is going to commit: what was there before the commit, as far as wishes take it back. */

import { inodeAt } from '../../../history/commit/conflict/by-itself.ts';
import type { Conflict } from '../../../history/commit/conflict/conflict.ts';
import { withLeft } from '../../../history/commit/conflict/left-contents.ts';
import type { Outcome, Wishes } from '../../../history/commit/conflict/resolve.ts';
import { ChangedSinceError, undoableLog } from '../../../history/commit/runner/undo.ts';
import type { UndoConflict } from '../../../history/commit/runner/undo-check.ts';
import { selectForAbort } from '../../../history/commit/select/selection.ts';
import { Facts } from '../../../history/diff/facts.ts';
import type { OverrideTree } from '../../../staging/override-tree.ts';
import { type BytePath, isWithin, type ObjectId } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { CommitHow } from '../commit.ts';
import type { LiveSession } from '../live-session.ts';
import { planOf } from '../plan.ts';
import { outcomeOf } from '../resolve.ts';
import { storeContent } from '../write-merged.ts';

const WAYS_ON =
  "'--ours PATH' puts back what was there before the commit (what is there now stays in the view), '--theirs PATH' leaves what is there now, '--merge' puts text together line by line";

export interface UndoOver extends CommitHow {
  /** What is in the way. */
  readonly changed: readonly UndoConflict[];
  readonly wishes: Wishes;
}

/** What is to be committed of what was before. */
export interface Target {
  /** Without what was merged. */
  readonly tree: OverrideTree;
  /** The paths at which it counts whatever is in the base. */
  readonly ours: readonly BytePath[];
  readonly outcome: Outcome;
}

/** Throws a UserError when it cannot be committed. */
export function targetOf(session: LiveSession, before: OverrideTree, { changed, wishes }: UndoOver): Target {
  const { layout, history, base, store } = session;
  const { steps } = undoableLog(layout, history.applied).recorded;
  const facts = new Facts(base, store);
  const mergeBases = withLeft(session.mergeBases, steps, facts);
  const outcome = decided({ ...session, mergeBases }, { changed, wishes, tree: before });
  const { accepted, dropped, merged } = outcome;
  const tree = dropped.length === 0 ? before : selectForAbort({ tree: before, facts, paths: dropped }).tree;
  const ours = [...accepted, ...merged.map(({ path }) => path)];
  if (planOf(session, tree, ours).steps.length === 0) throw new UserError('nothing is left to take back');
  return { tree, ours, outcome };
}

/** Texts that are going to be merged, as objects, for as long as sources are asked: they are given them before the view has them. */
export class MergedObjects {
  readonly #session: LiveSession;
  /** By the texts, as Latin-1. */
  readonly #objects = new Map<string, ObjectId>();

  constructor(session: LiveSession) {
    this.#session = session;
  }

  /** The tree with what is merged in sources. Throws a SystemError. */
  put({ tree, outcome }: Target, { sources, history }: LiveSession): OverrideTree {
    for (const { path, content } of outcome.merged) {
      const inode = sources.haveOneOf([path]) ? inodeAt(tree, path) : undefined;
      if (inode !== undefined) tree.setContent(inode, { object: this.#objectOf(content), gen: history.generation });
    }
    return tree;
  }

  remove(): void {
    for (const object of this.#objects.values()) this.#session.store.remove(object);
  }

  #objectOf(content: Buffer): ObjectId {
    const text = content.toString('latin1');
    const object = this.#objects.get(text) ?? storeContent(this.#session, content);
    this.#objects.set(text, object);
    return object;
  }
}

interface Case extends Pick<UndoOver, 'changed' | 'wishes'> {
  readonly tree: OverrideTree;
}

/**
 * What becomes of each conflict. The undo sees more of them than the commit of an earlier state does (attributes, hard links, what
 * was moved): these are for a person, too. Throws a UserError with all that is left open.
 */
function decided(session: LiveSession, { changed, wishes, tree }: Case): Outcome {
  const outcome = outcomeOf(session, wishes, tree);
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
