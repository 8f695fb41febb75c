/**
 * A commit of what a person has reviewed, while commands in the view went on: what was staged since then stays staged, over what
 * was committed.
 *
 *     base ──▶ reviewed ──records since──▶ view now
 *                 │ is the base's now          ▲
 *                 └── the same records, over the new base
 */

import { inodeAt } from '../../../history/commit/conflict/by-itself.ts';
import { checkBase } from '../../../history/commit/conflict/check.ts';
import type { Conflict } from '../../../history/commit/conflict/conflict.ts';
import { keepConflicts } from '../../../history/commit/conflict/keep-conflicts.ts';
import { selectForCommit } from '../../../history/commit/select/selection.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { treeSince } from '../../../history/past/past.ts';
import { currentEpoch, type Run, runsSince } from '../../../history/timeline/segments.ts';
import { treeAt } from '../../../history/timeline/state-at.ts';
import { basePath, type Inode, TOMBSTONE } from '../../../staging/inode.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import { stagedPaths } from '../../../staging/names/staged-names.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import { isSameState } from '../../../staging/switch/identity.ts';
import { type BytePath, components, type Gen, join, label, ROOT } from '../../../sys/bytes.ts';
import { S_IFDIR } from '../../../sys/stat.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { LiveSession } from '../live-session.ts';
import type { CommitPart, Following, Placement } from './part.ts';
import { recordRest, showRest } from './rest.ts';

const WHAT_TO_DO = 'look at it again';

export class ReviewedCommit implements CommitPart {
  readonly selection: CommitPart['selection'];
  readonly #session: LiveSession;
  /** What was reviewed. */
  readonly #tree: OverrideTree;
  readonly #since: readonly Run[];
  readonly #conflicts: readonly Conflict[];
  #rest = new OverrideTree();

  /** Throws a UserError when what was reviewed is no part of what is staged any more, or nothing is staged at a path. */
  constructor(session: LiveSession, paths: readonly BytePath[], reviewed: Gen) {
    session.base.shed();
    const { base, store, history, markers, ownChanges, layout, tree: live } = session;
    const epoch = currentEpoch(markers.timeline());
    const since = runsSince(epoch, reviewed);
    if (since === undefined) throw refused('what was shown is no longer a part of what is staged');
    const facts = new Facts(base, store);
    this.#session = session;
    this.#since = since;
    this.#tree = treeAt(history.journal, epoch, reviewed, layout.trees);
    const tree = this.#tree;
    const whole = { tree, along: [], rest: () => new OverrideTree() };
    this.selection = paths.length === 0 ? whole : selectForCommit({ tree, facts, paths, ownChanges });
    // What is committed in spite of one is what the place has from then on.
    const reviewedConflicts = checkBase({ tree: this.selection.tree, facts, ownChanges }).conflicts;
    const places = new Set(reviewedConflicts.map(({ original }) => original));
    const conflicts = checkBase({ tree: live, facts, ownChanges }).conflicts;
    this.#conflicts = conflicts.filter(({ original }) => !places.has(original));
    this.#refuseOpenOrphans();
    this.#refuseLinked(live, this.#tree);
    this.#refuseLinked(this.#tree, live);
  }

  record(changes: number, then?: Following): void {
    const { base, store } = this.#session;
    const { journal } = this.#session.history;
    base.shed();
    const rest = treeSince(this.#since, { journal, tree: this.selection.rest(), facts: new Facts(base, store) });
    keepConflicts(rest, this.#conflicts);
    this.#verify(rest);
    recordRest(this.#session, rest, { changes, then });
    this.#rest = rest;
  }

  rebase(done: Placement): Invalidation[] {
    return showRest(this.#session, this.#rest, done);
  }

  /** What a process has open that has lost its name since would lose its content to the base. */
  #refuseOpenOrphans(): void {
    const { overlay, tree: live } = this.#session;
    const held: Set<number> = overlay.heldObjects();
    for (const { child } of stagedPaths(live.root)) held.delete(child.staged?.object ?? 0);
    for (const { child, path } of held.size === 0 ? [] : stagedPaths(this.#tree.root)) {
      if (held.has(child.staged?.object ?? 0))
        throw refused(`${label(path)} was deleted or replaced since it was shown, and is still open`);
    }
  }

  /** Records name one name of a file: with several, what was done to it since cannot be done again over another base. */
  #refuseLinked(tree: OverrideTree, other: OverrideTree): void {
    for (const { child, path } of stagedPaths(tree.root)) {
      const { staged } = child;
      if (staged === undefined || !hasSeveralNames(child)) continue;
      const same = inodeAt(other, path)?.staged;
      if (same === undefined || !isSameState(staged, same)) throw inseparable(path);
    }
  }

  /** What stays must be what the view shows: names with their types, and each content either staged or committed. */
  #verify(rest: OverrideTree): void {
    const { tree: live } = this.#session;
    for (const { child, path } of stagedPaths(rest.root)) {
      if (inodeAt(live, path)?.type !== child.type) throw inseparable(path);
    }
    for (const { child, path } of stagedPaths(live.root)) {
      const object = child.staged?.object ?? 0;
      const { staged, origin } = shownBy(rest, path);
      if (object === 0 || staged === object) continue;
      const committed = origin && inodeAt(this.selection.tree, origin)?.staged?.object;
      // One that has several names is as it was: its names need not be known to the tree.
      if (staged !== 0 || (committed !== object && !hasSeveralNames(child))) throw inseparable(path);
    }
  }
}

function hasSeveralNames({ type, staged }: Inode): boolean {
  return type !== S_IFDIR && ((staged?.nlink ?? 1) !== 1 || (staged?.fingerprint?.nlink ?? 1) > 1);
}

/** What a tree shows at a path: a content of its own (or 0), and which path of the base. */
function shownBy(tree: OverrideTree, path: BytePath): { staged: number; origin: BytePath | undefined } {
  let at: Inode | undefined = tree.root;
  let origin: BytePath | undefined = ROOT;
  for (const name of components(path)) {
    const child: Inode | null | undefined = at?.children?.get(name);
    if (child === TOMBSTONE) return { staged: 0, origin: undefined };
    origin = child === undefined ? origin && join(origin, name) : basePath(child);
    at = child;
  }
  return { staged: at?.staged?.object ?? 0, origin };
}

function inseparable(path: BytePath): UserError {
  return refused(`what was done to ${label(path)} since it was shown cannot be told from what was shown`);
}

function refused(why: string): UserError {
  return new UserError(`${why}: nothing was written`, WHAT_TO_DO, { code: 'conflict' });
}
