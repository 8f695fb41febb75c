/** Carrying out `move` steps: a rename, or across file systems a copy. */
import type { Errno } from '../../sys/errno.ts';
import { EXDEV, OK } from '../../sys/errno.ts';
import type { Move } from '../steps.ts';
import type { Bench } from './bench.ts';
import { openBoth } from './bench.ts';
import { copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { removeTree } from './remove-tree.ts';
import { renameToFree } from './rename.ts';

export function runMove(step: Move, bench: Bench): Errno {
  const both = openBoth(bench, step.from, step.to);
  if (typeof both === 'number') return both;
  const [from, to] = both;
  let errno = renameToFree(from, to);
  step.how = 'renamed';
  if (errno === EXDEV) {
    // The original stays under its temporary name until the commit is through.
    errno = copyTree(from, to);
    step.how = 'copied';
  }
  if (errno === OK) follow(step, step.to, bench);
  return errno;
}

export function revertMove(step: Move, bench: Bench): Errno {
  const both = openBoth(bench, step.to, step.from);
  if (typeof both === 'number') return both;
  const [from, to] = both;
  const errno = step.how === 'copied' ? removeTree(from.dirfd, from.name) : renameToFree(from, to);
  if (errno === OK) follow(step, step.from, bench);
  return errno;
}

/** The directory object goes where the directory went. */
function follow({ directory, how }: Move, to: Slot, bench: Bench): void {
  if (directory === undefined) return;
  directory.parent = to.dir;
  directory.name = to.name;
  // Open descriptors are of the original, not of its copy.
  if (how === 'copied') bench.directories.forget();
}
