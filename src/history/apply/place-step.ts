/**
 * Carrying out `place` steps. The object gets its attributes while it still is in the store, then one rename
 * puts it in its place, whole. Where the base has a file of that name the two are exchanged, so that a reader
 * finds the old or the new one and never none; the old one then lies in the store until the commit is through.
 */
import type { Errno } from '../../sys/errno.ts';
import { EEXIST, EINVAL, ENOENT, ENOSYS, ESTALE, EXDEV, errnoOf, OK } from '../../sys/errno.ts';
import * as libc from '../../sys/libc.ts';
import type { Identity } from '../plan/identity.ts';
import type { Place } from '../plan/steps.ts';
import type { At } from './attributes.ts';
import { applyToOurs } from './attributes.ts';
import type { Bench } from './bench.ts';
import { beside, keptAt, objectAt, open } from './bench.ts';
import { copyFile, copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { renameToFree } from './rename.ts';
import type { Spot } from './spot.ts';
import { drop, holds, isInCopy, isWritten, must, opened, openSpot, openSpots, shift, statAt } from './spot.ts';

export function runPlace(step: Place, bench: Bench): Errno {
  const target = open(bench, step.at);
  if (typeof target === 'number') return target;
  const object = objectAt(bench, step.object);
  const adjusted = step.adjust === undefined ? OK : applyToOurs(object, step.adjust);
  if (adjusted !== OK) return adjusted;
  const put = putAt({ source: object, target }, step, bench);
  if (put !== EXDEV) return put;
  return giveBackOwn(step, bench) || placeCopy(object, target, { step, bench });
}

/** Puts back what was there before, and the object into the store. Throws SystemError. */
export function revertPlace(step: Place, bench: Bench): void {
  const { at } = step;
  if (holds(bench, at, contents(step, bench))) takeOut(step, bench);
  // The original was set aside, and nothing took its place yet, or not any more.
  const original = statAt(bench, at) === undefined ? originalOf(step, bench) : undefined;
  if (original !== undefined) bringBack(step, original, bench);
  settle(step, bench);
}

/** Whether the content is in its place. Throws SystemError. */
export function isPlaced(step: Place, bench: Bench): boolean {
  return holds(bench, step.at, contents(step, bench));
}

/** As `runPlace`, when a `revertPlace` may have been cut short. Throws SystemError. */
export function rerunPlace(step: Place, bench: Bench): Errno {
  const kept = keptAt(bench, step.kept);
  // The exchange with the attic was done, and no more.
  if (step.over !== undefined && holds(bench, kept, contents(step, bench))) return swap(kept, step.at, bench);
  // The original is safe in the attic, and half a copy of it may be beside its place.
  if (statAt(bench, kept) !== undefined) drop(bench, beside(step.at, step.spare));
  return runPlace(step, bench);
}

/** Where the file that was replaced lies, if it is not in the attic yet. Throws SystemError. */
export function replacedBy(step: Place, bench: Bench): Spot | undefined {
  if (step.over === undefined) return undefined;
  const isUnknown = isInCopy(bench, step.at.dir);
  const places: Spot[] = [objectAt(bench, step.object), copyOf(step), beside(step.at, step.spare)];
  return places.find((place) => {
    if (!isUnknown) return holds(bench, place, originals(step, bench));
    return statAt(bench, place) !== undefined && !holds(bench, place, contents(step, bench));
  });
}

/** Where the content stays in its place, the store gets a copy of it, and the attic what lies there instead. Throws SystemError. */
export function keepContent(step: Place, bench: Bench): Errno {
  const object = objectAt(bench, step.object);
  const kept = keptAt(bench, step.kept);
  if (holds(bench, object, [step.id])) return OK;
  const place = [step.at, kept].find((spot) => holds(bench, spot, [step.id]));
  if (place === undefined) return ENOENT;
  if (statAt(bench, object) !== undefined) must(shift(bench, object, kept));
  const from = opened(openSpot(bench, place));
  const fd = libc.openAt(from.dirfd, from.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  if (fd < 0) return -fd as Errno;
  const { mode, mtime } = step.attributes;
  const errno = copyFile(fd, object, { mode, mtime: step.own ?? mtime });
  libc.close(fd);
  return errno;
}

function originalOf(step: Place, bench: Bench): Spot | undefined {
  const found = replacedBy(step, bench);
  if (found !== undefined || step.over === undefined) return found;
  const kept = keptAt(bench, step.kept);
  const stat = statAt(bench, kept);
  // Only we put things into the attic: what is not the new content is the original, or a copy of it.
  return stat === undefined || holds(bench, kept, contents(step, bench)) ? undefined : kept;
}

/** What a step replaces: the file that the plan was made for, or what an undo made of it. */
function originals(step: Place, { notes }: Bench): readonly (Identity | undefined)[] {
  return [step.over, notes.noted(step, 'old')];
}

/** What a step puts into its place: the object, or a copy of it. */
function contents(step: Place, { notes }: Bench): readonly (Identity | undefined)[] {
  return [step.id, notes.noted(step, 'new')];
}

/** The new content leaves its place; the original, if it can be done in one action, gets there. */
function takeOut(step: Place, bench: Bench): void {
  const original = originalOf(step, bench);
  if (original !== undefined && swap(original, step.at, bench) === OK) return;
  const isCopy = bench.notes.noted(step, 'new') !== undefined;
  const at = opened(openSpot(bench, step.at));
  must(isCopy ? errnoOf(libc.unlinkAt(at.dirfd, at.name)) : toStore(at, step, bench));
}

function swap(a: Spot, b: Spot, bench: Bench): Errno {
  const both = openSpots(bench, a, b);
  return typeof both === 'number' ? both : bench.exchange(both[0], both[1]);
}

function bringBack(step: Place, original: Spot, bench: Bench): void {
  const errno = shift(bench, original, step.at);
  if (errno !== EXDEV) {
    must(errno);
    return;
  }
  const spare = beside(step.at, step.spare);
  const [from, to] = opened(openSpots(bench, original, spare));
  must(copyTree(from, to));
  const stat = statAt(bench, spare);
  must(stat === undefined ? ENOENT : bench.notes.note(step, 'old', { dev: stat.dev, ino: stat.ino }));
  must(shift(bench, spare, step.at));
}

/** The object goes back to the store from wherever it is; copies go. */
function settle(step: Place, bench: Bench): void {
  const kept = keptAt(bench, step.kept);
  if (statAt(bench, kept) !== undefined) {
    const isBack = holds(bench, step.at, [bench.notes.noted(step, 'old')]);
    const isObject = holds(bench, kept, [step.id]);
    if (isObject) must(toStore(opened(openSpot(bench, kept)), step, bench));
    else if (isBack) drop(bench, kept);
  }
  for (const slot of [copyOf(step), beside(step.at, step.spare)]) {
    if (!holds(bench, slot, originals(step, bench))) drop(bench, slot);
  }
  if (hasOther(step) && holds(bench, objectAt(bench, step.object), [step.id])) must(giveBackOwn(step, bench));
}

/** Whether the object got a time that is not its own, or extended attributes: it has none. */
function hasOther({ own, attributes: { xattrs = [] } }: Place): boolean {
  return own !== undefined || xattrs.length > 0;
}

/**
 * An object that stays in the store, or is there again, is what it was: older states may go by its time, and the next
 * commit of it by its having no extended attributes.
 */
function giveBackOwn(step: Place, bench: Bench): Errno {
  if (!hasOther(step)) return OK;
  const { own: mtime, attributes } = step;
  const xattrs = (attributes.xattrs ?? []).map((xattr) => ({ ...xattr, value: null }));
  return applyToOurs(objectAt(bench, step.object), { ...(mtime && { mtime }), xattrs });
}

/** The place in the store may have a copy of the same content by now. */
function toStore(from: At, step: Place, bench: Bench): Errno {
  const object = objectAt(bench, step.object);
  const errno = errnoOf(libc.renameAt2(from.dirfd, from.name, object.dirfd, object.name));
  if (errno !== ENOENT) return errno;
  const made = libc.mkdirAt(object.dirfd, object.name.slice(0, object.name.indexOf('/')), 0o700);
  if (made < 0 && made !== -EEXIST) return errnoOf(made);
  return errnoOf(libc.renameAt2(from.dirfd, from.name, object.dirfd, object.name));
}

/** The store is on another file system: the content is made whole and durable beside its place first. */
function placeCopy(object: At, target: At, { step, bench }: { step: Place; bench: Bench }): Errno {
  const copy = { dirfd: target.dirfd, name: copyOf(step).name };
  drop(bench, copy);
  const fd = libc.openAt(object.dirfd, object.name, libc.O_RDONLY | libc.O_NOFOLLOW);
  if (fd < 0) return -fd as Errno;
  const errno = copyFile(fd, copy, step.attributes);
  libc.close(fd);
  if (errno !== OK) return errno;
  const stat = statAt(bench, copy);
  if (stat === undefined) return ENOENT;
  const { dev, ino } = stat;
  return bench.notes.note(step, 'new', { dev, ino }) || putAt({ source: copy, target }, step, bench);
}

function putAt({ source, target }: { source: At; target: At }, step: Place, bench: Bench): Errno {
  if (step.over === undefined) return renameToFree(source, target);
  const errno = bench.exchange(source, target);
  // Somebody else's gets its name back.
  if (errno === OK) return isMeant(source, step, bench) ? OK : bench.exchange(source, target) || ESTALE;
  if (errno === ENOENT) return renameToFree(source, target);
  return errno === EINVAL || errno === ENOSYS ? putAside({ source, target }, step, bench) : errno;
}

/** For file systems that cannot exchange. */
function putAside({ source, target }: { source: At; target: At }, step: Place, bench: Bench): Errno {
  const aside = { dirfd: target.dirfd, name: step.spare };
  const errno = renameToFree(target, aside);
  if (errno !== OK) return errno;
  return isMeant(aside, step, bench) ? renameToFree(source, target) : renameToFree(aside, target) || ESTALE;
}

/** Whether what was taken from a place is the file that the plan was made for, as it was then. */
function isMeant(taken: At, step: Place, bench: Bench): boolean {
  const isIt = isInCopy(bench, step.at.dir) || holds(bench, taken, originals(step, bench));
  return isIt && !isWritten(bench, taken, step.seen);
}

/** Where the content is copied to when the store is on another file system. */
function copyOf(step: Place): Slot {
  return beside(step.at, `${step.spare}-copy`);
}
