/**
 * Carrying out `place` steps. The object gets its attributes while it still is in the store, then one rename
 * puts it in its place, whole. Where the base has a file of that name the two are exchanged, so that a reader
 * finds the old or the new one and never none; the old one then lies in the store until the commit is through.
 */
import type { Errno } from '../../../sys/errno.ts';
import { EEXIST, EINVAL, ENOENT, ENOSYS, ESTALE, EXDEV, errnoOf, OK } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import type { Identity } from '../plan/identity.ts';
import type { Place } from '../plan/steps.ts';
import type { At } from './attributes.ts';
import { applyToOurs } from './attributes.ts';
import { copyFile, copyTree } from './copy-tree.ts';
import type { Slot } from './directories.ts';
import { renameToFree } from './rename.ts';
import type { Spot } from './spot.ts';
import { drop, holds, isInCopy, isOneOf, isWritten, must, opened, openSpot, openSpots, shift, statAt } from './spot.ts';
import type { StepContext } from './step-context.ts';
import { beside, keptAt, objectAt, open } from './step-context.ts';

export function runPlace(step: Place, context: StepContext): Errno {
  const target = open(context, step.at);
  if (typeof target === 'number') return target;
  const object = objectAt(context, step.object);
  const adjusted = step.adjust === undefined ? OK : applyToOurs(object, step.adjust);
  if (adjusted !== OK) return adjusted;
  const put = putAt({ source: object, target }, step, context);
  if (put !== EXDEV) return put;
  return giveBackOwn(step, context) || placeCopy(object, target, { step, context });
}

/** Puts back what was there before, and the object into the store. Throws SystemError. */
export function revertPlace(step: Place, context: StepContext): void {
  const { at } = step;
  if (holds(context, at, contents(step, context))) takeOut(step, context);
  // The base entry was set aside, and nothing took its place yet, or not any more.
  const original = statAt(context, at) === undefined ? originalOf(step, context) : undefined;
  if (original !== undefined) bringBack(step, original, context);
  finalise(step, context);
}

/**
 * As `revertPlace`, of a commit that is through, where all is as the commit left it: the content in its place, what it
 * replaced in the backups. Returns false, with nothing done, where it is not. Throws SystemError.
 *
 * Where the store has a copy already, the content stays in the backups (runner/free-contents.ts): to put it over the copy
 * would free that, which takes longer than all the rest, while somebody waits.
 */
export function takeBackPlaced(step: Place, context: StepContext): boolean {
  const isCopy = context.notes.noted(step, 'new') !== undefined || isInCopy(context, step.at.dir);
  const there = isCopy ? undefined : statAt(context, step.at);
  if (there === undefined || !isOneOf(context, there, [step.id])) return false;
  // Only we put things into the backups.
  const kept = keptAt(context, step.kept);
  if (step.over !== undefined && swap(kept, step.at, context) !== OK) return false;
  const from = step.over === undefined ? step.at : kept;
  if (there.nlink === 1 && statAt(context, objectAt(context, step.object)) !== undefined) {
    if (from !== kept) must(shift(context, from, kept));
    return true;
  }
  must(toStore(opened(openSpot(context, from)), step, context));
  must(giveBackOwn(step, context));
  return true;
}

/** Whether the content is in its place. Throws SystemError. */
export function isPlaced(step: Place, context: StepContext): boolean {
  return holds(context, step.at, contents(step, context));
}

/** As `runPlace`, when a `revertPlace` may have been cut short. Throws SystemError. */
export function rerunPlace(step: Place, context: StepContext): Errno {
  const kept = keptAt(context, step.kept);
  if (holds(context, kept, contents(step, context))) {
    return step.over === undefined ? shift(context, kept, step.at) : swap(kept, step.at, context);
  }
  // The base entry is safe in the backups, and half a copy of it may be beside its place.
  if (statAt(context, kept) !== undefined) drop(context, beside(step.at, step.spare));
  return runPlace(step, context);
}

/** Where the file that was replaced lies, if it is not in the backups yet. Throws SystemError. */
export function replacedBy(step: Place, context: StepContext): Spot | undefined {
  if (step.over === undefined) return undefined;
  const isUnknown = isInCopy(context, step.at.dir);
  const places: Spot[] = [objectAt(context, step.object), copyOf(step), beside(step.at, step.spare)];
  return places.find((place) => {
    if (!isUnknown) return holds(context, place, originals(step, context));
    const stat = statAt(context, place);
    return stat !== undefined && !isOneOf(context, stat, contents(step, context));
  });
}

/** Where the content stays in its place, the store gets a copy of it, and the backups what lies there instead. Throws SystemError. */
export function keepContent(step: Place, context: StepContext): Errno {
  const object = objectAt(context, step.object);
  const kept = keptAt(context, step.kept);
  if (holds(context, object, [step.id])) return OK;
  const place = [step.at, kept].find((spot) => holds(context, spot, [step.id]));
  if (place === undefined) return ENOENT;
  if (statAt(context, object) !== undefined) must(shift(context, object, kept));
  const from = opened(openSpot(context, place));
  const fd = libc.openAt(from.dirfd, from.name, libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK);
  if (fd < 0) return -fd as Errno;
  const { mode, mtime } = step.attributes;
  const errno = copyFile(fd, object, { mode, mtime: step.own ?? mtime });
  libc.close(fd);
  return errno;
}

function originalOf(step: Place, context: StepContext): Spot | undefined {
  const found = replacedBy(step, context);
  if (found !== undefined || step.over === undefined) return found;
  const kept = keptAt(context, step.kept);
  const stat = statAt(context, kept);
  // Only we put things into the backups: what is not the new content is the base entry, or a copy of it.
  return stat === undefined || isOneOf(context, stat, contents(step, context)) ? undefined : kept;
}

/** What a step replaces: the file that the plan was made for, or what an undo made of it. */
function originals(step: Place, { notes }: StepContext): readonly (Identity | undefined)[] {
  return [step.over, notes.noted(step, 'old')];
}

/** What a step puts into its place: the object, or a copy of it. */
function contents(step: Place, { notes }: StepContext): readonly (Identity | undefined)[] {
  return [step.id, notes.noted(step, 'new')];
}

/** The new content leaves its place; the base entry, if it can be done in one action, gets there. */
function takeOut(step: Place, context: StepContext): void {
  const original = originalOf(step, context);
  if (original !== undefined && swap(original, step.at, context) === OK) return;
  const isCopy = context.notes.noted(step, 'new') !== undefined;
  const at = opened(openSpot(context, step.at));
  must(isCopy ? errnoOf(libc.unlinkAt(at.dirfd, at.name)) : toStore(at, step, context));
}

function swap(a: Spot, b: Spot, context: StepContext): Errno {
  const both = openSpots(context, a, b);
  return typeof both === 'number' ? both : context.exchange(both[0], both[1]);
}

function bringBack(step: Place, original: Spot, context: StepContext): void {
  const errno = shift(context, original, step.at);
  if (errno !== EXDEV) {
    must(errno);
    return;
  }
  const spare = beside(step.at, step.spare);
  const [from, to] = opened(openSpots(context, original, spare));
  must(copyTree(from, to));
  const stat = statAt(context, spare);
  must(stat === undefined ? ENOENT : context.notes.note(step, 'old', { dev: stat.dev, ino: stat.ino }));
  must(shift(context, spare, step.at));
}

/** The object goes back to the store from wherever it is; copies go. */
function finalise(step: Place, context: StepContext): void {
  const kept = keptAt(context, step.kept);
  const stat = statAt(context, kept);
  if (stat !== undefined) {
    const isBack = holds(context, step.at, [context.notes.noted(step, 'old')]);
    if (isOneOf(context, stat, [step.id])) must(toStore(opened(openSpot(context, kept)), step, context));
    else if (isBack) drop(context, kept);
  }
  for (const slot of [copyOf(step), beside(step.at, step.spare)]) {
    const there = statAt(context, slot);
    if (there !== undefined && !isOneOf(context, there, originals(step, context))) drop(context, slot);
  }
  if (hasOther(step) && holds(context, objectAt(context, step.object), [step.id])) must(giveBackOwn(step, context));
}

/** Whether the object got a time that is not its own, or extended attributes: it has none. */
function hasOther({ own, attributes: { xattrs = [] } }: Place): boolean {
  return own !== undefined || xattrs.length > 0;
}

/**
 * An object that stays in the store, or is there again, is what it was: older states may go by its time, and the next
 * commit of it by its having no extended attributes.
 */
function giveBackOwn(step: Place, context: StepContext): Errno {
  if (!hasOther(step)) return OK;
  const { own: mtime, attributes } = step;
  const xattrs = (attributes.xattrs ?? []).map((xattr) => ({ ...xattr, value: null }));
  return applyToOurs(objectAt(context, step.object), { ...(mtime && { mtime }), xattrs });
}

/** The place in the store may have a copy of the same content by now. */
function toStore(from: At, step: Place, context: StepContext): Errno {
  const object = objectAt(context, step.object);
  const errno = errnoOf(libc.renameAt2(from.dirfd, from.name, object.dirfd, object.name));
  if (errno !== ENOENT) return errno;
  const made = libc.mkdirAt(object.dirfd, object.name.slice(0, object.name.indexOf('/')), 0o700);
  if (made < 0 && made !== -EEXIST) return errnoOf(made);
  return errnoOf(libc.renameAt2(from.dirfd, from.name, object.dirfd, object.name));
}

/** The store is on another file system: the content is made whole and durable beside its place first. */
function placeCopy(object: At, target: At, { step, context }: { step: Place; context: StepContext }): Errno {
  const copy = { dirfd: target.dirfd, name: copyOf(step).name };
  drop(context, copy);
  const fd = libc.openAt(object.dirfd, object.name, libc.O_RDONLY | libc.O_NOFOLLOW);
  if (fd < 0) return -fd as Errno;
  const errno = copyFile(fd, copy, step.attributes);
  libc.close(fd);
  if (errno !== OK) return errno;
  const stat = statAt(context, copy);
  if (stat === undefined) return ENOENT;
  const { dev, ino } = stat;
  return context.notes.note(step, 'new', { dev, ino }) || putAt({ source: copy, target }, step, context);
}

function putAt({ source, target }: { source: At; target: At }, step: Place, context: StepContext): Errno {
  if (step.over === undefined) return renameToFree(source, target);
  const errno = context.exchange(source, target);
  if (errno === OK && isMeant(source, step, context)) {
    context.exchanged.add(step);
    return OK;
  }
  // Somebody else's gets its name back.
  if (errno === OK) return context.exchange(source, target) || ESTALE;
  if (errno === ENOENT) return renameToFree(source, target);
  return errno === EINVAL || errno === ENOSYS ? putAside({ source, target }, step, context) : errno;
}

/** For file systems that cannot exchange. */
function putAside({ source, target }: { source: At; target: At }, step: Place, context: StepContext): Errno {
  const aside = { dirfd: target.dirfd, name: step.spare };
  const errno = renameToFree(target, aside);
  if (errno !== OK) return errno;
  return isMeant(aside, step, context) ? renameToFree(source, target) : renameToFree(aside, target) || ESTALE;
}

/** Whether what was taken from a place is the file that the plan was made for, as it was then. */
function isMeant(taken: At, step: Place, context: StepContext): boolean {
  const stat = statAt(context, taken);
  const isIt = stat !== undefined && isOneOf(context, stat, originals(step, context));
  return (isIt || isInCopy(context, step.at.dir)) && !isWritten(stat, step.seen);
}

/** Where the content is copied to when the store is on another file system. */
export function copyOf(step: Place): Slot {
  return beside(step.at, `${step.spare}-copy`);
}
