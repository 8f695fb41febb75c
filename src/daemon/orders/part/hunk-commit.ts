/**
 * Commits and aborts of chosen hunks, lines and sections: what the base gets, or the view gives up, is made of the staged file
 * and its original; the rest stays staged over it.
 *
 *     original ──chosen──▶ the base's now ──the others──▶ as it is staged
 */

import { inodeAt } from '../../../history/commit/conflict/by-itself.ts';
import {
  type CommitSelection,
  copyTree,
  selectForAbort,
  selectForCommit,
} from '../../../history/commit/select/selection.ts';
import { netChanges } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { sharedTime, withAttributes } from '../../../staging/compact.ts';
import {
  type Attributes,
  CHANGED_MODE,
  CHANGED_OWNER,
  CHANGED_TIMES,
  fingerprintOf,
  type Inode,
  type Staged,
  type Time,
} from '../../../staging/inode.ts';
import type { Invalidation } from '../../../staging/invalidation.ts';
import { copyStaged } from '../../../staging/kept.ts';
import { OverrideTree } from '../../../staging/override-tree.ts';
import { type BytePath, label, type ObjectId } from '../../../sys/bytes.ts';
import { ENOENT, type Errno, SystemError } from '../../../sys/errno.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import { UserError } from '../../../sys/user-error.ts';
import type { LiveSession } from '../live-session.ts';
import type { Orders } from '../orders.ts';
import { storeContent } from '../write-merged.ts';
import { type ChosenFile, chosenFiles, type HunkWish } from './chosen.ts';
import type { CommitPart, Following, Placement } from './part.ts';
import { recordRest, showRest } from './rest.ts';
import { goBackTo } from './selected.ts';

/** A file of which a part stays staged. */
interface Divided {
  readonly path: BytePath;
  readonly inode: Inode;
  readonly staged: Staged;
  readonly chosen: ChosenFile;
  /** What the base has at the place of a file that was born in the view. */
  readonly was?: { readonly attributes: Attributes; readonly original: Buffer };
}

/** What of a file is left. */
interface Kept {
  readonly content: 'all' | 'none' | Buffer;
  readonly attributes: boolean;
  readonly was: Divided['was'];
}

export class HunkCommit implements CommitPart {
  readonly selection: CommitSelection;
  readonly #session: LiveSession;
  readonly #divided: readonly Divided[];
  #rest = new OverrideTree();

  /** Throws a UserError for a key that stands for nothing, and for what cannot be told from the rest. */
  constructor(session: LiveSession, wishes: readonly HunkWish[]) {
    session.base.shed();
    const { tree, ownChanges } = session;
    const { facts, paths, divided } = chosenIn(session, wishes);
    this.#session = session;
    this.#divided = divided;
    this.selection = selectForCommit({ tree, facts, paths, ownChanges });
    for (const one of divided) this.#divide(one);
  }

  record(changes: number, then?: Following): void {
    const { base, store } = this.#session;
    base.shed();
    const rest = this.selection.rest();
    const facts = new Facts(base, store);
    for (const divided of this.#divided) stageAgain(rest, divided, facts);
    recordRest(this.#session, rest, { changes, then });
    this.#rest = rest;
  }

  rebase(done: Placement): Invalidation[] {
    return showRest(this.#session, this.#rest, done);
  }

  /** What is committed of the file is what was chosen. */
  #divide({ path, chosen, was }: Divided): void {
    const staged = inodeAt(this.selection.tree, path)?.staged;
    const { content, attributes } = chosen;
    const part = typeof content === 'string' ? content : content.chosen;
    if (staged !== undefined) reduce(this.#session, staged, { content: part, attributes, was });
  }
}

/** What a commit of hunks is about, for a plan: of its files all that is staged. Throws as `HunkCommit`. */
export function pathsOfHunks(session: LiveSession, wishes: readonly HunkWish[]): readonly BytePath[] {
  return chosenIn(session, wishes).paths;
}

/** Gives up what was chosen, and nothing else. Throws as `withoutHunks`; nothing but a snapshot has happened then. */
export function abortHunks(session: LiveSession, wishes: readonly HunkWish[]): Orders['abort']['answer'] {
  const { left, paths } = withoutHunks(session, wishes);
  return goBackTo(session, left, paths);
}

interface GivenUp {
  readonly left: { readonly tree: OverrideTree; readonly along: readonly BytePath[] };
  /** What it was about. */
  readonly paths: readonly BytePath[];
}

/** What is left staged without what was chosen. Throws as `HunkCommit`, and a SystemError. */
export function withoutHunks(session: LiveSession, wishes: readonly HunkWish[]): GivenUp {
  const { tree } = session;
  const { facts, paths, divided } = chosenIn(session, wishes);
  const whole = paths.filter((path) => !divided.some((one) => one.path === path));
  const left =
    whole.length === 0 ? { tree: copyTree(tree, facts), along: [] } : selectForAbort({ tree, facts, paths: whole });
  for (const { path, chosen, was } of divided) {
    const { content, attributes } = chosen;
    const staged = inodeAt(left.tree, path)?.staged;
    const others = typeof content === 'string' ? OTHER[content] : content.left;
    if (staged !== undefined) reduce(session, staged, { content: others, attributes: !attributes, was });
  }
  return { left, paths };
}

/** What wishes are about. */
interface Chosen {
  readonly facts: Facts;
  readonly paths: readonly BytePath[];
  readonly divided: readonly Divided[];
}

function chosenIn(session: LiveSession, wishes: readonly HunkWish[]): Chosen {
  const { tree, base, store } = session;
  const facts = new Facts(base, store);
  const files = chosenFiles(wishes, netChanges({ tree, base, store, expand: true }), facts);
  const divided = files.flatMap((chosen) => dividedOf(session, chosen) ?? []);
  return { facts, paths: files.map(({ change }) => change.path), divided };
}

const OTHER = { all: 'none', none: 'all' } as const;

/** Undefined: all that is staged of it was chosen. Throws a UserError where its parts cannot be told from each other. */
function dividedOf({ tree, base, store }: LiveSession, chosen: ChosenFile): Divided | undefined {
  const { change, content, attributes, original } = chosen;
  if (content === 'all' && attributes) return undefined;
  const inode = inodeAt(tree, change.path);
  const staged = inode && copyStaged(inode);
  if (inode === undefined || staged === undefined) throw undivided(change.path);
  if (staged.nlink !== 1 || (staged.fingerprint?.nlink ?? 1) > 1)
    throw undivided(change.path, ', as it has several names');
  if (inode.base !== undefined) return { path: change.path, inode, staged, chosen };
  // A program has put a new file in the place of the old one.
  const facts = new Facts(base, store);
  const stat = facts.of(change.path);
  const hasXattrs = (staged.xattrs?.size ?? 0) > 0 || facts.xattrNames(change.path).length > 0;
  if (stat === undefined || original === undefined || (hasXattrs && !attributes)) throw undivided(change.path);
  const { uid, gid } = stat;
  return {
    path: change.path,
    inode,
    staged,
    chosen,
    was: { attributes: { mode: stat.mode & 0o7777, uid, gid }, original },
  };
}

function undivided(path: BytePath, why = ''): UserError {
  return new UserError(`${label(path)}: it can be taken as a whole only${why}: nothing was changed`);
}

/** Of what is staged about a file these parts stay. */
function reduce(session: LiveSession, staged: Staged, { content, attributes, was }: Kept): void {
  const { mtime = timeOf(session, staged.object), ...others } = staged.attributes;
  const bytes = content === 'none' ? was?.original : content === 'all' ? undefined : content;
  if (bytes !== undefined)
    Object.assign(staged, { object: storeContent(session, bytes), objectGen: session.history.generation });
  else if (content === 'none') Object.assign(staged, { object: 0, objectGen: 0 });
  const kept = attributes ? others : (was?.attributes ?? {});
  staged.attributes = withAttributes({}, content === 'none' || mtime === undefined ? kept : { ...kept, mtime });
  staged.changed &= (attributes ? ~CHANGED_TIMES : 0) | (content === 'none' ? 0 : CHANGED_TIMES);
  if (!attributes) staged.xattrs = undefined;
}

/** When what is staged was written; undefined: the content is the base's. Throws a SystemError. */
function timeOf({ store }: LiveSession, object: ObjectId): Time | undefined {
  if (object === 0) return undefined;
  const statx = Buffer.alloc(STATX_SIZE);
  const result = store.statInto(object, statx);
  if (result < 0) throw new SystemError('cannot look at what is staged', -result as Errno);
  const { mtimeSec, mtimeNsec } = decodeStatx(statx);
  return sharedTime(mtimeSec, mtimeNsec);
}

/** What was not committed of a file, over what the base has of it now. */
function stageAgain(rest: OverrideTree, { path, inode: before, staged, chosen, was }: Divided, facts: Facts): void {
  const { content, attributes: isDone } = chosen;
  const stat = facts.of(path);
  if (stat === undefined) throw new SystemError(`cannot find ${label(path)}`, ENOENT);
  const fingerprint = fingerprintOf(stat);
  const inode = rest.resolve(path, before.type, before.ino);
  const { object, objectGen: gen } = staged;
  if (content !== 'all' && object !== 0) rest.setContent(inode, { object, gen, fingerprint });
  const { mtime, ...others } = staged.attributes;
  const kept = isDone ? {} : others;
  const attributes = content === 'all' || mtime === undefined ? kept : { ...kept, mtime };
  const told = was === undefined ? staged.changed : staged.changed | changedSince(was.attributes, staged.attributes);
  const changed = told & ((isDone ? 0 : ~CHANGED_TIMES) | (content === 'all' ? 0 : CHANGED_TIMES));
  rest.change(inode, { attributes, changed, fingerprint });
  for (const [name, value] of isDone ? [] : (staged.xattrs ?? []))
    rest.change(inode, { attributes: {}, changed: 0, xattr: { name, value } });
}

/** A file that was put in the place of another one has its attributes from its birth: nobody has changed them on purpose. */
function changedSince(was: Attributes, now: Attributes): number {
  const isOther = was.uid !== now.uid || was.gid !== now.gid;
  return (was.mode === now.mode ? 0 : CHANGED_MODE) | (isOther ? CHANGED_OWNER : 0);
}
