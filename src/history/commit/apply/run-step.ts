/**
 * Carrying out one step, and taking it back. Taking back looks first what there is to take back: it does so for a
 * step that was cut short, or never begun, and may be repeated.
 */
import type { Errno } from '../../../sys/errno.ts';
import { EEXIST, ENOENT, EPERM, EXDEV, errnoOf, OK, SystemError } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { S_IFDIR, S_IFLNK, S_IFMT } from '../../../sys/stat.ts';
import type { Adjust, FileAttributes, LinkName, Make, Move, Step } from '../plan/steps.ts';
import { applyAttributes, keepsAttributes } from './attributes.ts';
import { copyTree } from './copy-tree.ts';
import { Directory } from './directories.ts';
import { besideOf, isMoved, revertMove, runMove, takeBackAside } from './move-step.ts';
import { isPlaced, rerunPlace, revertPlace, runPlace, takeBackPlaced } from './place-step.ts';
import { revertRewrite, runRewrite } from './rewrite-step.ts';
import { drop, holds, holdsBaseEntry, isInCopy, must, opened, openSpot, shift, statAt } from './spot.ts';
import type { StepContext } from './step-context.ts';
import { beside, keptAt, open, openBoth, slotOf } from './step-context.ts';

export function runStep(step: Step, context: StepContext): Errno {
  return caught(() => run(step, context));
}

/** Takes a step back, as far as it was carried out. */
export function revertStep(step: Step, context: StepContext): Errno {
  return caught(() => {
    revert(step, context);
    return OK;
  });
}

/** As `revertStep`, of a commit that is through: as a rule all is where the commit left it, which takes few looks. */
export function takeBackStep(step: Step, context: StepContext): Errno {
  return caught(() => {
    const isBack =
      (step.do === 'place' && takeBackPlaced(step, context)) || (step.do === 'move' && takeBackAside(step, context));
    if (!isBack) revert(step, context);
    return OK;
  });
}

/** Carries a step out again that was, perhaps, taken back, perhaps in part. */
export function rerunStep(step: Step, context: StepContext): Errno {
  return caught(() => rerun(step, context));
}

function run(step: Step, context: StepContext): Errno {
  switch (step.do) {
    case 'move':
      return runMove(step, context);
    case 'place':
      return runPlace(step, context);
    case 'make':
      return runMake(step, context);
    case 'link':
      return runLink(step, context);
    case 'rewrite':
      return runRewrite(step, context);
    case 'adjust':
      return adjust(step, step.attributes, context);
  }
}

function revert(step: Step, context: StepContext): void {
  switch (step.do) {
    case 'move':
      revertMove(step, context);
      return;
    case 'place':
      revertPlace(step, context);
      return;
    case 'make':
      revertMake(step, context);
      return;
    case 'link':
      revertLink(step, context);
      return;
    case 'rewrite':
      revertRewrite(step, context);
      return;
    case 'adjust':
      revertAdjust(step, context);
      return;
  }
}

/** What a copy on its way back from the backups have left, when it was cut short. */
function dropPart(step: Move, context: StepContext): Errno {
  if (step.kept !== undefined && statAt(context, keptAt(context, step.kept)) !== undefined)
    drop(context, besideOf(step));
  return OK;
}

function rerun(step: Step, context: StepContext): Errno {
  switch (step.do) {
    case 'move':
      return isMoved(step, context) ? dropPart(step, context) : runMove(step, context);
    case 'place':
      return isPlaced(step, context) ? OK : rerunPlace(step, context);
    case 'make':
      return isMade(step, context) ? applyTo(step, context) : runMake(step, context);
    case 'link':
      return isLinked(step, context) ? OK : runLink(step, context);
    default:
      return run(step, context);
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

function runMake(step: Make, context: StepContext): Errno {
  const at = open(context, step.at);
  if (typeof at === 'number') return at;
  const errno = errnoOf(make(step, at.dirfd, at.name));
  return errno === EEXIST ? leaveToOthers(step, context) : errno || applyAttributes(at, step.attributes);
}

function applyTo(step: Make, context: StepContext): Errno {
  const at = open(context, step.at);
  return typeof at === 'number' ? at : applyAttributes(at, step.attributes);
}

function make(step: Make, dirfd: number, name: string): number {
  if (step.type === S_IFDIR) return libc.mkdirAt(dirfd, name, 0o700);
  if (step.type === S_IFLNK) return libc.symlinkAt(step.target ?? '', dirfd, name);
  return libc.mknodAt(dirfd, name, step.type | 0o600, step.rdev);
}

/** Somebody was faster. What may look like the work of this step is noted, so that it stays when the step is taken back. */
function leaveToOthers(step: Make | LinkName, context: StepContext): Errno {
  const stat = statAt(context, step.at);
  return (stat && context.notes.note(step, 'old', { dev: stat.dev, ino: stat.ino })) || EEXIST;
}

/** Its number cannot be known beforehand; but the name was free, and nothing older than the plan is ours. */
export function isMade(step: Make, context: StepContext): boolean {
  const stat = statAt(context, step.at);
  if (stat === undefined || isOthers(step, context) || (stat.mode & S_IFMT) !== step.type || stat.rdev !== step.rdev)
    return false;
  if (stat.btimeSec !== 0 && stat.btimeSec < context.notes.since) return false;
  if (step.type !== S_IFLNK) return true;
  const at = openSpot(context, step.at);
  return typeof at === 'object' && libc.readlinkAt(at.dirfd, at.name) === step.target;
}

function isOthers(step: Make | LinkName, context: StepContext): boolean {
  return holds(context, step.at, [context.notes.noted(step, 'old')]);
}

function revertMake(step: Make, context: StepContext): void {
  if (!isMade(step, context)) return;
  const at = opened(open(context, step.at));
  must(errnoOf(libc.unlinkAt(at.dirfd, at.name, step.type === S_IFDIR ? libc.AT_REMOVEDIR : 0)));
}

function runLink(step: LinkName, context: StepContext): Errno {
  const both = openBoth(context, step.from, step.at);
  if (typeof both === 'number') return both;
  const [from, to] = both;
  const errno = errnoOf(libc.linkAt(from.dirfd, from.name, to.dirfd, to.name));
  // The view is one file system where the host has several, or one without hard links: there, the second name gets a copy.
  if (errno === EEXIST) return leaveToOthers(step, context);
  const isOneName = errno === EXDEV || (errno === EPERM && !keepsAttributes(to.dirfd));
  return isOneName ? linkCopy(step, context) : errno;
}

function linkCopy(step: LinkName, context: StepContext): Errno {
  const spare = beside(step.at, step.spare);
  const both = openBoth(context, step.from, spare);
  if (typeof both === 'number') return both;
  const errno = copyTree(both[0], both[1]);
  const stat = errno === OK ? statAt(context, spare) : undefined;
  if (stat === undefined) return errno || ENOENT;
  return context.notes.note(step, 'new', { dev: stat.dev, ino: stat.ino }) || shift(context, spare, step.at);
}

export function isLinked(step: LinkName, context: StepContext): boolean {
  const from = statAt(context, step.from);
  return !isOthers(step, context) && holds(context, step.at, [from, context.notes.noted(step, 'new')]);
}

function revertLink(step: LinkName, context: StepContext): void {
  if (isLinked(step, context)) drop(context, step.at);
  drop(context, beside(step.at, step.spare));
}

function adjust(step: Adjust, attributes: FileAttributes, context: StepContext): Errno {
  const at = open(context, step.at instanceof Directory ? slotOf(step.at) : step.at);
  if (typeof at === 'number') return at;
  const errno = applyAttributes(at, attributes);
  return errno === EPERM && step.lenient ? OK : errno;
}

function revertAdjust(step: Adjust, context: StepContext): void {
  const slot = step.at instanceof Directory ? slotOf(step.at) : step.at;
  // What is not there was not adjusted, and what is something else is not ours.
  const isIn = step.at instanceof Directory && isInCopy(context, step.at);
  if (step.id === undefined || (!isIn && !holdsBaseEntry(context, slot, [step.id]))) return;
  if (statAt(context, slot) === undefined) return;
  must(adjust(step, step.before, context));
}
