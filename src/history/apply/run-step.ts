/**
 * Carrying out one step, and taking it back. Taking back looks first what there is to take back: it does so for a
 * step that was cut short, or never begun, and may be repeated.
 */
import type { Errno } from '../../sys/errno.ts';
import { EEXIST, ENOENT, EPERM, EXDEV, errnoOf, OK, SystemError } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { S_IFDIR, S_IFLNK, S_IFMT } from '../../sys/stat.ts';
import type { Adjust, FileAttributes, LinkName, Make, Move, Step } from '../plan/steps.ts';
import { applyAttributes } from './attributes.ts';
import type { Bench } from './bench.ts';
import { beside, keptAt, open, openBoth, slotOf } from './bench.ts';
import { copyTree } from './copy-tree.ts';
import { Directory } from './directories.ts';
import { besideOf, isMoved, revertMove, runMove } from './move-step.ts';
import { isPlaced, rerunPlace, revertPlace, runPlace } from './place-step.ts';
import { revertRewrite, runRewrite } from './rewrite-step.ts';
import { drop, holds, holdsOriginal, isInCopy, must, opened, openSpot, shift, statAt } from './spot.ts';

export function runStep(step: Step, bench: Bench): Errno {
  return caught(() => run(step, bench));
}

/** Takes a step back, as far as it was carried out. */
export function revertStep(step: Step, bench: Bench): Errno {
  return caught(() => {
    revert(step, bench);
    return OK;
  });
}

/** Carries a step out again that was, perhaps, taken back, perhaps in part. */
export function rerunStep(step: Step, bench: Bench): Errno {
  return caught(() => rerun(step, bench));
}

function run(step: Step, bench: Bench): Errno {
  switch (step.do) {
    case 'move':
      return runMove(step, bench);
    case 'place':
      return runPlace(step, bench);
    case 'make':
      return runMake(step, bench);
    case 'link':
      return runLink(step, bench);
    case 'rewrite':
      return runRewrite(step, bench);
    case 'adjust':
      return adjust(step, step.attributes, bench);
  }
}

function revert(step: Step, bench: Bench): void {
  switch (step.do) {
    case 'move':
      revertMove(step, bench);
      return;
    case 'place':
      revertPlace(step, bench);
      return;
    case 'make':
      revertMake(step, bench);
      return;
    case 'link':
      revertLink(step, bench);
      return;
    case 'rewrite':
      revertRewrite(step, bench);
      return;
    case 'adjust':
      revertAdjust(step, bench);
      return;
  }
}

/** What a copy on its way back from the attic has left, when it was cut short. */
function dropPart(step: Move, bench: Bench): Errno {
  if (step.kept !== undefined && statAt(bench, keptAt(bench, step.kept)) !== undefined) drop(bench, besideOf(step));
  return OK;
}

function rerun(step: Step, bench: Bench): Errno {
  switch (step.do) {
    case 'move':
      return isMoved(step, bench) ? dropPart(step, bench) : runMove(step, bench);
    case 'place':
      return isPlaced(step, bench) ? OK : rerunPlace(step, bench);
    case 'make':
      return isMade(step, bench) ? applyTo(step, bench) : runMake(step, bench);
    case 'link':
      return isLinked(step, bench) ? OK : runLink(step, bench);
    default:
      return run(step, bench);
  }
}

function caught(act: () => Errno): Errno {
  try {
    return act();
  } catch (error) {
    if (error instanceof SystemError) return error.errno;
    throw error;
  }
}

function runMake(step: Make, bench: Bench): Errno {
  const at = open(bench, step.at);
  if (typeof at === 'number') return at;
  const errno = errnoOf(make(step, at.dirfd, at.name));
  return errno === EEXIST ? leaveToOthers(step, bench) : errno || applyAttributes(at, step.attributes);
}

function applyTo(step: Make, bench: Bench): Errno {
  const at = open(bench, step.at);
  return typeof at === 'number' ? at : applyAttributes(at, step.attributes);
}

function make(step: Make, dirfd: number, name: string): number {
  if (step.type === S_IFDIR) return libc.mkdirAt(dirfd, name, 0o700);
  if (step.type === S_IFLNK) return libc.symlinkAt(step.target ?? '', dirfd, name);
  return libc.mknodAt(dirfd, name, step.type | 0o600, step.rdev);
}

/** Somebody was faster. What may look like the work of this step is noted, so that it stays when the step is taken back. */
function leaveToOthers(step: Make | LinkName, bench: Bench): Errno {
  const stat = statAt(bench, step.at);
  return (stat && bench.notes.note(step, 'old', { dev: stat.dev, ino: stat.ino })) || EEXIST;
}

/** Its number cannot be known beforehand; but the name was free, and nothing older than the plan is ours. */
export function isMade(step: Make, bench: Bench): boolean {
  const stat = statAt(bench, step.at);
  if (stat === undefined || isOthers(step, bench) || (stat.mode & S_IFMT) !== step.type || stat.rdev !== step.rdev)
    return false;
  if (stat.btimeSec !== 0 && stat.btimeSec < bench.notes.since) return false;
  if (step.type !== S_IFLNK) return true;
  const at = openSpot(bench, step.at);
  return typeof at === 'object' && libc.readlinkAt(at.dirfd, at.name) === step.target;
}

function isOthers(step: Make | LinkName, bench: Bench): boolean {
  return holds(bench, step.at, [bench.notes.noted(step, 'old')]);
}

function revertMake(step: Make, bench: Bench): void {
  if (!isMade(step, bench)) return;
  const at = opened(open(bench, step.at));
  must(errnoOf(libc.unlinkAt(at.dirfd, at.name, step.type === S_IFDIR ? libc.AT_REMOVEDIR : 0)));
}

function runLink(step: LinkName, bench: Bench): Errno {
  const both = openBoth(bench, step.from, step.at);
  if (typeof both === 'number') return both;
  const [from, to] = both;
  const errno = errnoOf(libc.linkAt(from.dirfd, from.name, to.dirfd, to.name));
  // The view is one file system where the host has several: there, the second name gets a copy.
  if (errno === EEXIST) return leaveToOthers(step, bench);
  return errno === EXDEV ? linkCopy(step, bench) : errno;
}

function linkCopy(step: LinkName, bench: Bench): Errno {
  const spare = beside(step.at, step.spare);
  const both = openBoth(bench, step.from, spare);
  if (typeof both === 'number') return both;
  const errno = copyTree(both[0], both[1]);
  const stat = errno === OK ? statAt(bench, spare) : undefined;
  if (stat === undefined) return errno || ENOENT;
  return bench.notes.note(step, 'new', { dev: stat.dev, ino: stat.ino }) || shift(bench, spare, step.at);
}

export function isLinked(step: LinkName, bench: Bench): boolean {
  const from = statAt(bench, step.from);
  return !isOthers(step, bench) && holds(bench, step.at, [from, bench.notes.noted(step, 'new')]);
}

function revertLink(step: LinkName, bench: Bench): void {
  if (isLinked(step, bench)) drop(bench, step.at);
  drop(bench, beside(step.at, step.spare));
}

function adjust(step: Adjust, attributes: FileAttributes, bench: Bench): Errno {
  const at = open(bench, step.at instanceof Directory ? slotOf(step.at) : step.at);
  if (typeof at === 'number') return at;
  const errno = applyAttributes(at, attributes);
  return errno === EPERM && step.lenient ? OK : errno;
}

function revertAdjust(step: Adjust, bench: Bench): void {
  const slot = step.at instanceof Directory ? slotOf(step.at) : step.at;
  // What is not there was not adjusted, and what is something else is not ours.
  const isIn = step.at instanceof Directory && isInCopy(bench, step.at);
  if (step.id === undefined || (!isIn && !holdsOriginal(bench, slot, [step.id]))) return;
  if (statAt(bench, slot) === undefined) return;
  must(adjust(step, step.before, bench));
}
