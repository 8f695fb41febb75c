/**
 * Carrying out `move` steps. Where a rename cannot go, to another file system, a copy takes the place: it is made
 * beside it, its identity is noted, and then it gets its name; the original stays under its temporary name until the
 * commit is through.
 */
import type { Errno } from '../../sys/errno.ts';
import { EACCES, ENOENT, ESTALE, EXDEV, OK } from '../../sys/errno.ts';
import type { Move } from '../steps.ts';
import type { Bench, Role } from './bench.ts';
import { beside, keptAt } from './bench.ts';
import { copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { removeTree } from './remove-tree.ts';
import type { Identity, Spot } from './spot.ts';
import { drop, holds, isSame, must, openSpots, shift, statAt } from './spot.ts';

export function runMove(step: Move, bench: Bench): Errno {
  const stat = statAt(bench, step.from);
  if (stat === undefined) return ENOENT;
  // Somebody put something else there since the plan was made.
  if (!origins(step, bench).some((origin) => origin !== undefined && isSame(bench, origin, stat))) return ESTALE;
  const errno = shift(bench, step.from, step.to);
  if (errno === OK) follow(step, step.to);
  else if (step.why === 'aside' && (errno === EXDEV || errno === EACCES)) return setAside(step, bench);
  else if (errno === EXDEV) return moveCopy(step, bench);
  return errno;
}

/** Puts the entry back; nothing happens when it is there already. Throws SystemError. */
export function revertMove(step: Move, bench: Bench): void {
  if (!holds(bench, step.from, origins(step, bench))) {
    const where = placeOf(step, bench);
    if (where === undefined) must(ENOENT);
    else bringBack(step, where, bench);
  }
  if (step.why === 'place') dropCopies(step, bench);
  if (step.kept !== undefined) drop(bench, keptAt(bench, step.kept));
  follow(step, step.from);
  bench.directories.forget();
}

/** Whether the entry has left its place, or has none any more. Throws SystemError. */
export function isMoved(step: Move, bench: Bench): boolean {
  return !holds(bench, step.from, origins(step, bench)) || holds(bench, step.to, [bench.notes.noted(step, 'new')]);
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
export function copyInto(copy: { step: Move; role: Role; from: Spot; to: Slot; spare: Slot }, bench: Bench): Errno {
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
  const { from, to } = step;
  const errno = copyInto({ step, role: 'new', from, to, spare: beside(to, step.spare) }, bench);
  if (errno !== OK) return errno;
  follow(step, to);
  // Open descriptors are of the original, not of its copy.
  bench.directories.forget();
  return OK;
}

function origins(step: Move, { notes }: Bench): readonly (Identity | undefined)[] {
  return [step.id, notes.noted(step, 'old')];
}

function placeOf(step: Move, bench: Bench): Slot | undefined {
  const places = step.why === 'aside' ? [step.to, besideOf(step)] : [step.to];
  const found = places.find((place) => holds(bench, place, origins(step, bench)));
  if (found !== undefined || step.kept === undefined) return found;
  // Only we put things into the attic.
  const kept = keptAt(bench, step.kept);
  return statAt(bench, kept) === undefined ? undefined : kept;
}

function bringBack(step: Move, where: Slot, bench: Bench): void {
  const { from } = step;
  const errno = shift(bench, where, from);
  if (errno !== EXDEV) {
    must(errno);
    return;
  }
  must(copyInto({ step, role: 'old', from: where, to: from, spare: beside(from, step.spare) }, bench));
}

/** What was copied to another file system, when the original is back. */
function dropCopies(step: Move, bench: Bench): void {
  const copy = bench.notes.noted(step, 'new');
  if (copy !== undefined && holds(bench, step.to, [copy])) drop(bench, step.to);
  drop(bench, beside(step.to, step.spare));
}
