/** Carrying out one step, and taking it back. A step that fails has changed nothing. */
import type { Errno } from '../../sys/errno.ts';
import { EPERM, EXDEV, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import { S_IFDIR, S_IFLNK } from '../../sys/stat.ts';
import type { Adjust, FileAttributes, LinkName, Make, Step } from '../steps.ts';
import { applyAttributes } from './attributes.ts';
import type { Bench } from './bench.ts';
import { errnoOf, open, openBoth, slotOf } from './bench.ts';
import { copyTree } from './copy-tree.ts';
import { Directory } from './directories.ts';
import { revertMove, runMove } from './move-step.ts';
import { revertPlace, runPlace } from './place-step.ts';
import { revertRewrite, runRewrite } from './rewrite-step.ts';

export function runStep(step: Step, bench: Bench): Errno {
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

export function revertStep(step: Step, bench: Bench): Errno {
  switch (step.do) {
    case 'move':
      return revertMove(step, bench);
    case 'place':
      return revertPlace(step, bench);
    case 'make':
      return unmake(step, bench);
    case 'link':
      return unmake(step, bench);
    case 'rewrite':
      return revertRewrite(step, bench);
    case 'adjust':
      return adjust(step, step.before, bench);
  }
}

function runMake(step: Make, bench: Bench): Errno {
  const at = open(bench, step.at);
  if (typeof at === 'number') return at;
  const errno = errnoOf(make(step, at.dirfd, at.name));
  if (errno !== OK) return errno;
  const adjusted = applyAttributes(at, step.attributes);
  if (adjusted !== OK) unmake(step, bench);
  return adjusted;
}

function make(step: Make, dirfd: number, name: string): number {
  if (step.type === S_IFDIR) return libc.mkdirAt(dirfd, name, 0o700);
  if (step.type === S_IFLNK) return libc.symlinkAt(step.target ?? '', dirfd, name);
  return libc.mknodAt(dirfd, name, step.type | 0o600, step.rdev);
}

function runLink(step: LinkName, bench: Bench): Errno {
  const both = openBoth(bench, step.from, step.at);
  if (typeof both === 'number') return both;
  const [from, to] = both;
  const errno = errnoOf(libc.linkAt(from.dirfd, from.name, to.dirfd, to.name));
  // The view is one file system where the host has several: there, the second name gets a copy.
  return errno === EXDEV ? copyTree(from, to) : errno;
}

function unmake(step: Make | LinkName, bench: Bench): Errno {
  const at = open(bench, step.at);
  if (typeof at === 'number') return at;
  const isDirectory = step.do === 'make' && step.type === S_IFDIR;
  return errnoOf(libc.unlinkAt(at.dirfd, at.name, isDirectory ? libc.AT_REMOVEDIR : 0));
}

function adjust(step: Adjust, attributes: FileAttributes, bench: Bench): Errno {
  const at = open(bench, step.at instanceof Directory ? slotOf(step.at) : step.at);
  if (typeof at === 'number') return at;
  const errno = applyAttributes(at, attributes);
  return errno === EPERM && step.lenient ? OK : errno;
}
