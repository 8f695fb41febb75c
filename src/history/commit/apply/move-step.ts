/**
 * Carrying out `move` steps. Where a rename cannot go, to another file system, a copy takes the place: it is made
 * beside it, its identity is noted, and then it gets its name; the base entry stays under its temporary name until the
 * commit is through.
 */
import type { Errno } from '../../../sys/errno.ts';
import { EACCES, ENOENT, ESTALE, EXDEV, OK } from '../../../sys/errno.ts';
import type { Identity } from '../plan/identity.ts';
import type { Move } from '../plan/steps.ts';
import { copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { removeTree } from './remove-tree.ts';
import type { Spot } from './spot.ts';
import { drop, holds, holdsBaseEntry, isInCopy, isOneOf, isWritten, must, openSpots, shift, statAt } from './spot.ts';
import type { Role, StepContext } from './step-context.ts';
import { beside, keptAt, partAt } from './step-context.ts';

export function runMove(step: Move, context: StepContext): Errno {
  const stat = statAt(context, step.from);
  if (stat === undefined) return ENOENT;
  // Somebody put something else there since the plan was made.
  const isIt = isOneOf(context, stat, origins(step, context)) || isInCopy(context, step.from.dir);
  if (!isIt || isWritten(stat, step.seen)) return ESTALE;
  const errno = shift(context, step.from, step.to);
  if (errno === OK) follow(step, step.to);
  else if (step.why === 'aside' && (errno === EXDEV || errno === EACCES)) return setAside(step, context);
  else if (errno === EXDEV) return moveCopy(step, context);
  return errno;
}

/** Puts the entry back; nothing happens when it is there already. Throws SystemError. */
export function revertMove(step: Move, context: StepContext): void {
  const where = placeOf(step, context);
  if (where !== undefined && !isCopiedBack(step, context)) bringBack(step, where, context);
  // What has no temporary name yet was not moved from there.
  else if (step.why !== 'place' && statAt(context, step.from) === undefined) must(ENOENT);
  if (step.why === 'place') dropCopies(step, context);
  if (step.kept !== undefined) discard(context, keptAt(context, step.kept), partAt(context, step.kept));
  if (step.directory === undefined || statAt(context, step.from) === undefined) return;
  follow(step, step.from);
  context.directories.forget();
}

/**
 * As `revertMove`, of a file that a commit which is through has brought to the backups. Returns false, with nothing done,
 * where it is not there, or its place is taken. Throws SystemError.
 */
export function takeBackAside(step: Move, context: StepContext): boolean {
  if (step.why !== 'aside' || step.kept === undefined || step.directory !== undefined) return false;
  const kept = keptAt(context, step.kept);
  return holds(context, kept, [step.id]) && shift(context, kept, step.from) === OK;
}

/** Whether the entry has left its place. Throws SystemError. */
export function isMoved(step: Move, context: StepContext): boolean {
  if (step.why !== 'place') {
    if (isCopiedBack(step, context)) return false;
    return placeOf(step, context) !== undefined || !holdsBaseEntry(context, step.from, origins(step, context));
  }
  return statAt(context, step.from) === undefined || holds(context, step.to, [context.notes.noted(step, 'new')]);
}

/** Where a move puts an entry that cannot get to the backups at once. */
export function besideOf({ from, spare }: Move): Slot {
  return beside(from, spare);
}

/** The directory object goes where the directory went. */
export function follow({ directory }: Move, to: Slot): void {
  if (directory === undefined) return;
  directory.parent = to.dir;
  directory.name = to.name;
}

/**
 * Copies what is at `from` to the free name `to`, by way of `spare` beside it: until its identity is noted, nobody
 * could tell afterwards that it is ours. An errno, or what it did.
 */
function copyInto(copy: { step: Move; role: Role; from: Spot; to: Slot; spare: Slot }, context: StepContext): Errno {
  const { step, role, from, to, spare } = copy;
  const both = openSpots(context, from, spare);
  if (typeof both === 'number') return both;
  // What an earlier attempt has left.
  const errno = removeTree(both[1].dirfd, both[1].name) || copyTree(both[0], both[1]);
  if (errno !== OK) return errno;
  const stat = statAt(context, spare);
  if (stat === undefined) return ENOENT;
  return context.notes.note(step, role, { dev: stat.dev, ino: stat.ino }) || shift(context, spare, to);
}

function setAside(step: Move, context: StepContext): Errno {
  const spare = besideOf(step);
  const errno = shift(context, step.from, spare);
  if (errno === OK) follow(step, spare);
  return errno;
}

function moveCopy(step: Move, context: StepContext): Errno {
  const { from, to, directory } = step;
  const errno = copyInto({ step, role: 'new', from, to, spare: beside(to, step.spare) }, context);
  if (errno !== OK) return errno;
  follow(step, to);
  if (directory !== undefined) context.copies.add(directory);
  // Open descriptors are of the base entry, not of its copy.
  context.directories.forget();
  return OK;
}

function origins(step: Move, { notes }: StepContext): readonly (Identity | undefined)[] {
  return [step.id, notes.noted(step, 'old')];
}

/** Where the base entry is, if not at `from`. Names that only we give, temporary ones and those in the backups, are proof enough. */
function placeOf(step: Move, context: StepContext): Slot | undefined {
  const kept = step.kept === undefined ? [] : [keptAt(context, step.kept)];
  if (step.why !== 'place') {
    const ours = step.why === 'save' ? [step.to] : [besideOf(step), ...kept];
    return ours.find((slot) => statAt(context, slot) !== undefined);
  }
  if (statAt(context, step.from) !== undefined) return undefined;
  if (context.notes.noted(step, 'new') === undefined && holdsBaseEntry(context, step.to, origins(step, context)))
    return step.to;
  return kept.find((slot) => statAt(context, slot) !== undefined);
}

/** Whether a copy is back at its place, all of it: it was noted before it got its name. What the backups have is left over. */
function isCopiedBack(step: Move, context: StepContext): boolean {
  const copy = context.notes.noted(step, 'old');
  return copy !== undefined && holds(context, step.from, [copy]);
}

/** Removes a tree by way of a name that says nothing: half of it must not pass for the whole. Throws SystemError. */
function discard(context: StepContext, slot: Slot, part: Slot): void {
  drop(context, part);
  if (statAt(context, slot) === undefined) return;
  must(shift(context, slot, part));
  drop(context, part);
}

function bringBack(step: Move, where: Slot, context: StepContext): void {
  const { from, directory } = step;
  // The backups may have a copy of the base entry. It is known before it is back: afterwards it would pass for somebody else's.
  const copy = holds(context, where, origins(step, context)) ? undefined : statAt(context, where);
  if (copy !== undefined) must(context.notes.note(step, 'old', { dev: copy.dev, ino: copy.ino }));
  let errno = shift(context, where, from);
  if (errno === EXDEV)
    errno = copyInto({ step, role: 'old', from: where, to: from, spare: beside(from, step.spare) }, context);
  must(errno);
  if (directory === undefined) return;
  const isOriginal = holds(context, from, [step.id]);
  if (isOriginal) context.copies.delete(directory);
  else context.copies.add(directory);
}

/** What was copied to another file system, when the base entry is back. */
function dropCopies(step: Move, context: StepContext): void {
  const copy = context.notes.noted(step, 'new');
  const spare = beside(step.to, step.spare);
  if (copy !== undefined && holds(context, step.to, [copy])) discard(context, step.to, spare);
  else drop(context, spare);
  if (step.directory !== undefined && holds(context, step.from, [step.id])) context.copies.delete(step.directory);
}
