/** Conflicts of a commit, resolved as a person wishes before it: in the FUSE thread, between two requests. */

import { inodeAt } from '../../history/commit/conflict/by-itself.ts';
import { checkBase } from '../../history/commit/conflict/check.ts';
import { ConflictError } from '../../history/commit/conflict/conflict.ts';
import { type Merged, type Outcome, resolveConflicts, type Wishes } from '../../history/commit/conflict/resolve.ts';
import { copyTree } from '../../history/commit/select/selection.ts';
import { Facts } from '../../history/diff/facts.ts';
import type { SessionHistory } from '../../history/timeline/session-history.ts';
import { backingOf } from '../../staging/backing.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import type { Mutation } from '../../staging/recorder.ts';
import type { Shown } from '../../staging/switch/switch-tree.ts';
import type { Gen, ObjectId } from '../../sys/bytes.ts';
import { isWithin } from '../../sys/bytes.ts';
import { ENOSPC, type Errno, OK, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { UserError } from '../../sys/user-error.ts';
import type { CommitAsk, Resolved } from './answers.ts';
import type { LiveSession } from './live-session.ts';
import { hunksLeft } from './part/hunks-left.ts';
import { abortPart } from './selected.ts';

const CANNOT_STORE = 'cannot store what was merged';

/** Throws a UserError when a person agreed to something else than what is staged now. */
export function checkReviewed({ reviewed }: CommitAsk, history: SessionHistory): void {
  if (reviewed === undefined || history.isAt(reviewed)) return;
  throw new UserError('what is staged has changed since it was shown: nothing was written', 'look at it again', {
    code: 'conflict',
  });
}

/** What is to be done about the conflicts of `tree`. Throws a ConflictError when that is not clear of each of them. */
export function decide(session: LiveSession, wishes: Wishes, tree: OverrideTree): Outcome {
  const outcome = outcomeOf(session, wishes, tree);
  if (outcome.left.length > 0) throw new ConflictError(outcome.left);
  return outcome;
}

/** The same, with those that are left to a person. */
export function outcomeOf(session: LiveSession, wishes: Wishes, tree: OverrideTree): Outcome {
  const { base, store, mergeBases, ownChanges } = session;
  base.shed();
  const facts = new Facts(base, store);
  const { conflicts } = checkBase({ tree, facts, ownChanges });
  return resolveConflicts(conflicts, wishes, { tree, facts, mergeBases });
}

/** Changes the view as decided: gives up what the base's version wins over, writes what was merged. Throws as `hunksLeft`, before that. */
export function resolve(session: LiveSession, outcome: Outcome, ask: CommitAsk): Resolved {
  const { accepted, dropped, merged, yielded } = outcome;
  const { paths, reviewed, hunks = [], discard = [] } = ask;
  const leftOf = hunksLeft(session, ask, outcome);
  const shown: Shown[] = [];
  if (dropped.length > 0) shown.push(abortPart(session, dropped));
  if (merged.length > 0) shown.push(writeMerged(session, merged));
  const now = reviewed === undefined ? undefined : snapshotNow(session.history);
  const left = paths.filter((path) => !dropped.some((gone) => isWithin(path, gone)));
  const hunksNow = leftOf();
  return {
    invalidations: shown.flatMap(({ invalidations }) => invalidations),
    moved: shown.flatMap(({ moved }) => moved),
    // What was shown said how they would be resolved, too; what is staged now is this.
    next: {
      paths: left,
      wishes: { ours: accepted, theirs: [], merge: false },
      reviewed: now,
      hunks: hunksNow,
      discard,
    },
    nothingLeft: paths.length + hunks.length > 0 && left.length + hunksNow.length === 0,
    merged: merged.map(({ path }) => path),
    yielded,
    generation: session.history.generation,
  };
}

function snapshotNow(history: SessionHistory): Gen {
  const taken = history.snapshot('', { ifChanged: true });
  if (typeof taken === 'number') throw new SystemError('cannot write the journal', taken);
  return taken.generation;
}

/** As if somebody had written the files in the view. Throws a SystemError. */
export function writeMerged(session: LiveSession, merged: readonly Merged[]): Shown {
  const { tree, base, store, history, overlay } = session;
  const target = copyTree(tree, new Facts(base, store));
  for (const { path, content } of merged) {
    const inode = inodeAt(target, path);
    if (inode === undefined) continue;
    const object = storeContent(session, content);
    const time = libc.coarseTime();
    const about = { path, ino: inode.ino, fingerprint: undefined, pre: backingOf(inode) };
    record(session, { tag: 'S', how: 'content', ...about, object });
    target.setContent(inode, { object, gen: history.generation });
    const change = { attributes: { mtime: time }, changed: 0, xattr: undefined };
    record(session, { tag: 'M', ...about, ...change });
    target.change(inode, change);
  }
  return overlay.show(target);
}

function record({ history }: LiveSession, mutation: Mutation): void {
  orThrow(history.record(mutation, libc.coarseTime(), { pid: process.pid }), 'cannot write the journal');
}

/** A new object with this content. Throws a SystemError. */
export function storeContent({ history, store }: Pick<LiveSession, 'history' | 'store'>, content: Buffer): ObjectId {
  const made = store.createNext(() => history.nextObject());
  if (typeof made === 'number') throw new SystemError(CANNOT_STORE, made);
  const { object, fd } = made;
  const written = content.length === 0 ? 0 : libc.pwrite(fd, content, content.length, 0);
  libc.close(fd);
  if (written === content.length) return object;
  store.remove(object);
  // A short write to a regular file means that the space ran out on the way.
  throw new SystemError(CANNOT_STORE, written < 0 ? (-written as Errno) : ENOSPC);
}

function orThrow(errno: Errno, what: string): void {
  if (errno !== OK) throw new SystemError(what, errno);
}
