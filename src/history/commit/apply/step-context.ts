/** What carrying out a step needs: descriptors of directories, the file store, the backups, and who is who. */
import type { ObjectStore } from '../../../staging/object-store.ts';
import { objectPath } from '../../../staging/object-store.ts';
import type { Name, ObjectId } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import type { Identity } from '../plan/identity.ts';
import type { Step } from '../plan/steps.ts';
import type { At } from './attributes.ts';
import type { Directory, OpenDirectories, Slot } from './directories.ts';

export interface StepContext {
  readonly directories: OpenDirectories;
  readonly store: ObjectStore;
  /** Where base entries that were deleted or replaced are kept. */
  readonly backups: Directory;
  readonly notes: Notes;
  /** Directories that are copies: of what came along in them, nobody knows the identity. */
  readonly copies: Set<Directory>;
  /** Steps whose content this process has exchanged with what was in its place, after a look that it was what was meant. */
  readonly exchanged: Set<Step>;
  /** Swaps two names (rename.ts); EINVAL where the file system cannot. */
  readonly exchange: (a: At, b: At) => Errno;
}

/** `new`: what a step puts into its place; `old`: what it takes away, or what somebody else has put there first. */
export type Role = 'new' | 'old';

/** Identities that the plan could not know, because files had to be copied. */
export interface Notes {
  /** Whether identities are of the present boot. */
  readonly sameBoot: boolean;
  /** Seconds since the epoch: nothing that steps make is older. */
  readonly since: number;
  /** Durable when it returns, so that what is visible after a crash is known. */
  note(step: Step, role: Role, identity: Identity): Errno;
  noted(step: Step, role: Role): Identity | undefined;
}

/** The slot with its directory opened, or an errno. */
export function open(context: StepContext, slot: Slot): At | Errno {
  const dirfd = context.directories.of(slot.dir);
  return dirfd < 0 ? (-dirfd as Errno) : { dirfd, name: slot.name };
}

/** Two slots opened at once, or an errno. */
export function openBoth(context: StepContext, a: Slot, b: Slot): readonly [At, At] | Errno {
  const [first, second] = context.directories.pair(a.dir, b.dir);
  if (first < 0 || second < 0) return -Math.min(first, second) as Errno;
  return [
    { dirfd: first, name: a.name },
    { dirfd: second, name: b.name },
  ];
}

/** Where a directory's own entry is now; the root is `.` in itself. */
export function slotOf(directory: Directory): Slot {
  const { parent, name } = directory;
  return parent === undefined ? { dir: directory, name: '.' as Name } : { dir: parent, name };
}

/** The place of an object in the store. */
export function objectAt({ store }: StepContext, object: ObjectId): At {
  return { dirfd: store.dirfd, name: objectPath(object) };
}

/** The place of a base entry in the backups. */
export function keptAt({ backups }: StepContext, kept: Name): Slot {
  return { dir: backups, name: kept };
}

/** Where a base entry is while half of it may be there: on its way into the backups, or out of this world. */
export function partAt(context: StepContext, kept: Name): Slot {
  return keptAt(context, `${kept}-part` as Name);
}

/** Another name beside a slot. */
export function beside({ dir }: Slot, name: string): Slot {
  return { dir, name: name as Name };
}
