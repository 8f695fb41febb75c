/**
 * Carrying out `move` steps. Where a rename cannot go, to another file system, a copy takes the place: it is made
 * beside it, its identity is noted, and then it gets its name; the original stays under its temporary name until the
 * commit is through.
 */
import type { Errno } from '../../sys/errno.ts';
import { EACCES, ENOENT, ESTALE, EXDEV, OK } from '../../sys/errno.ts';
import type { Identity } from '../plan/identity.ts';
import type { Move } from '../plan/steps.ts';
import type { Bench, Role } from './bench.ts';
import { beside, keptAt, partAt } from './bench.ts';
import { copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { removeTree } from './remove-tree.ts';
import type { Spot } from './spot.ts';
import { drop, holds, holdsOriginal, isWritten, must, openSpots, shift, statAt } from './spot.ts';

export function runMove(step: Move, bench: Bench): Errno {
  if (statAt(bench, step.from) === undefined) return ENOENT;
  // Somebody put something else there since the plan was made.
  if (!holdsOriginal(bench, step.from, origins(step, bench)) || isWritten(bench, step.from, step.seen)) return ESTALE;
  const errno = shift(bench, step.from, step.to);
  if (errno === OK) follow(step, step.to);
  else if (step.why === 'aside' && (errno === EXDEV || errno === EACCES)) return setAside(step, bench);
  else if (errno === EXDEV) return moveCopy(step, bench);
  return errno;
}

/** Puts the entry back; nothing happens when it is there already. Throws SystemError. */
export function revertMove(step: Move, bench: Bench): void {
  const where = placeOf(step, bench);
  if (where !== undefined && !isCopiedBack(step, bench)) bringBack(step, where, bench);
  // What has no temporary name yet was not moved from there.
  else if (step.why !== 'place' && statAt(bench, step.from) === undefined) must(ENOENT);
  if (step.why === 'place') dropCopies(step, bench);
  if (step.kept !== undefined) discard(bench, keptAt(bench, step.kept), partAt(bench, step.kept));
  if (step.directory === undefined || statAt(bench, step.from) === undefined) return;
  follow(step, step.from);
  bench.directories.forget();
}

/** Whether the entry has left its place. Throws SystemError. */
export function isMoved(step: Move, bench: Bench): boolean {
  if (step.why !== 'place') {
    if (isCopiedBack(step, bench)) return false;
    return placeOf(step, bench) !== undefined || !holdsOriginal(bench, step.from, origins(step, bench));
  }
  return statAt(bench, step.from) === undefined || holds(bench, step.to, [bench.notes.noted(step, 'new')]);
}

/** Where a move puts an entry that cannot get to the attic at once. */
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
function copyInto(copy: { step: Move; role: Role; from: Spot; to: Slot; spare: Slot }, bench: Bench): Errno {
  const { step, role, from, to, spare } = copy;
  const both = openSpots(bench, from, spare);
  if (typeof both === 'number') return both;
  // What an earlier attempt has left.
  const errno = removeTree(both[1].dirfd, both[1].name) || copyTree(both[0], both[1]);
  if (errno !== OK) return errno;
  const stat = statAt(bench, spare);
  if (stat === undefined) return ENOENT;
  return bench.notes.note(step, role, { dev: stat.dev, ino: stat.ino }) || shift(bench, spare, to);
}

function setAside(step: Move, bench: Bench): Errno {
  const spare = besideOf(step);
  const errno = shift(bench, step.from, spare);
  if (errno === OK) follow(step, spare);
  return errno;
}

function moveCopy(step: Move, bench: Bench): Errno {
  const { from, to, directory } = step;
  const errno = copyInto({ step, role: 'new', from, to, spare: beside(to, step.spare) }, bench);
  if (errno !== OK) return errno;
  follow(step, to);
  if (directory !== undefined) bench.copies.add(directory);
  // Open descriptors are of the original, not of its copy.
  bench.directories.forget();
  return OK;
}

function origins(step: Move, { notes }: Bench): readonly (Identity | undefined)[] {
  return [step.id, notes.noted(step, 'old')];
}

/** Where the original is, if not at `from`. Names that only we give, temporary ones and those in the attic, are proof enough. */
function placeOf(step: Move, bench: Bench): Slot | undefined {
  const kept = step.kept === undefined ? [] : [keptAt(bench, step.kept)];
  if (step.why !== 'place') {
    const ours = step.why === 'save' ? [step.to] : [besideOf(step), ...kept];
    return ours.find((slot) => statAt(bench, slot) !== undefined);
  }
  if (statAt(bench, step.from) !== undefined) return undefined;
  if (bench.notes.noted(step, 'new') === undefined && holdsOriginal(bench, step.to, origins(step, bench)))
    return step.to;
  return kept.find((slot) => statAt(bench, slot) !== undefined);
}

/** Whether a copy is back at its place, all of it: it was noted before it got its name. What the attic has is left over. */
function isCopiedBack(step: Move, bench: Bench): boolean {
  const copy = bench.notes.noted(step, 'old');
  return copy !== undefined && holds(bench, step.from, [copy]);
}

/** Removes a tree by way of a name that says nothing: half of it must not pass for the whole. Throws SystemError. */
function discard(bench: Bench, slot: Slot, part: Slot): void {
  drop(bench, part);
  if (statAt(bench, slot) === undefined) return;
  must(shift(bench, slot, part));
  drop(bench, part);
}

function bringBack(step: Move, where: Slot, bench: Bench): void {
  const { from, directory } = step;
  // The attic may have a copy of the original. It is known before it is back: afterwards it would pass for somebody else's.
  const copy = holds(bench, where, origins(step, bench)) ? undefined : statAt(bench, where);
  if (copy !== undefined) must(bench.notes.note(step, 'old', { dev: copy.dev, ino: copy.ino }));
  let errno = shift(bench, where, from);
  if (errno === EXDEV)
    errno = copyInto({ step, role: 'old', from: where, to: from, spare: beside(from, step.spare) }, bench);
  must(errno);
  if (directory === undefined) return;
  const isOriginal = holds(bench, from, [step.id]);
  if (isOriginal) bench.copies.delete(directory);
  else bench.copies.add(directory);
}

/** What was copied to another file system, when the original is back. */
function dropCopies(step: Move, bench: Bench): void {
  const copy = bench.notes.noted(step, 'new');
  const spare = beside(step.to, step.spare);
  if (copy !== undefined && holds(bench, step.to, [copy])) discard(bench, step.to, spare);
  else drop(bench, spare);
  if (step.directory !== undefined && holds(bench, step.from, [step.id])) bench.copies.delete(step.directory);
}
