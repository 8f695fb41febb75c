/**
 * Carrying out `place` steps. The object gets its attributes while it still is in the store, then one rename
 * puts it in its place, whole. Where the base has a file of that name the two are exchanged, so that a reader
 * finds the old or the new one and never none; the old one then lies in the store until the commit is through.
 */
import { objectPath } from '../../staging/object-store.ts';
import type { Name } from '../../sys/bytes.ts';
import type { Errno } from '../../sys/errno.ts';
import { EINVAL, ENOENT, ENOSYS, EXDEV, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { Place, Slot } from '../steps.ts';
import type { At } from './attributes.ts';
import { applyToOurs } from './attributes.ts';
import type { Bench } from './bench.ts';
import { open } from './bench.ts';
import { copyFile } from './copy-tree.ts';
import { renameToFree } from './rename.ts';

type Put = NonNullable<Place['how']>['put'];

export function runPlace(step: Place, bench: Bench): Errno {
  const target = open(bench, step.at);
  if (typeof target === 'number') return target;
  const object = { dirfd: bench.store.dirfd, name: objectPath(step.object) };
  const adjusted = step.adjust === undefined ? OK : applyToOurs(object, step.adjust);
  if (adjusted !== OK) return adjusted;
  const put = putAt({ source: object, target }, step, bench);
  if (typeof put === 'string') step.how = { source: 'object', put };
  else if (put === EXDEV) return placeCopy(object, target, { step, bench });
  return typeof put === 'string' ? OK : put;
}

export function revertPlace(step: Place, bench: Bench): Errno {
  const target = open(bench, step.at);
  if (typeof target === 'number') return target;
  if (step.how === undefined) return OK;
  const source =
    step.how.source === 'copy'
      ? { dirfd: target.dirfd, name: copyName(step) }
      : { dirfd: bench.store.dirfd, name: objectPath(step.object) };
  let errno = step.how.put === 'exchanged' ? bench.exchange(source, target) : renameToFree(target, source);
  if (errno === OK && step.how.put === 'aside') errno = renameToFree({ dirfd: target.dirfd, name: step.spare }, target);
  if (step.how.source === 'copy') libc.unlinkAt(source.dirfd, source.name);
  return errno;
}

/** Where the file that was replaced lies now, in the base; undefined: nowhere, or in the store. */
export function replacedBy(step: Place): Slot | undefined {
  if (step.how?.put === 'aside') return { dir: step.at.dir, name: step.spare };
  return step.how?.put === 'exchanged' && step.how.source === 'copy'
    ? { dir: step.at.dir, name: copyName(step) }
    : undefined;
}

/** The store is on another file system: the content is made whole and durable beside its place first. */
function placeCopy(object: At, target: At, { step, bench }: { step: Place; bench: Bench }): Errno {
  const copy = { dirfd: target.dirfd, name: copyName(step) };
  const fd = libc.openAt(object.dirfd, object.name, libc.O_RDONLY | libc.O_NOFOLLOW);
  if (fd < 0) return -fd as Errno;
  const errno = copyFile(fd, copy, step.attributes);
  libc.close(fd);
  if (errno !== OK) return errno;
  const put = putAt({ source: copy, target }, step, bench);
  if (typeof put === 'string') {
    step.how = { source: 'copy', put };
    return OK;
  }
  libc.unlinkAt(copy.dirfd, copy.name);
  return put;
}

function putAt({ source, target }: { source: At; target: At }, step: Place, bench: Bench): Put | Errno {
  if (!step.over) return orErrno(renameToFree(source, target), 'renamed');
  const errno = bench.exchange(source, target);
  if (errno === OK) return 'exchanged';
  if (errno === ENOENT) return orErrno(renameToFree(source, target), 'renamed');
  return errno === EINVAL || errno === ENOSYS ? putAside(source, target, step) : errno;
}

/** For file systems that cannot exchange. */
function putAside(source: At, target: At, step: Place): Put | Errno {
  const spare = { dirfd: target.dirfd, name: step.spare };
  const aside = renameToFree(target, spare);
  if (aside !== OK) return aside;
  const errno = renameToFree(source, target);
  if (errno !== OK) renameToFree(spare, target);
  return orErrno(errno, 'aside');
}

function orErrno(errno: Errno, put: Put): Put | Errno {
  return errno === OK ? put : errno;
}

function copyName(step: Place): Name {
  return `${step.spare}-copy` as Name;
}
