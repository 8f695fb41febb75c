/**
 * Owners as the mount's user namespace can express them.
 *
 * An ordinary user's namespace maps one user and one group. The kernel treats every other owner as "nobody"
 * and refuses all writes to such an inode, even where its mode lets others write, and it does not know the
 * user's further groups. So an inode the user may write to (by group or as other) is shown as the user's own,
 * group included (an inode with one unmapped id is as closed as one with two), and a file of one of the user's
 * further groups as being of the first one. Staging `chmod` on such a file is still refused, as it would be natively.
 */
import type { Stat } from '../sys/stat.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
  /** All groups of the user. */
  readonly groups: readonly number[];
  /** All ids are mapped (root): owners are shown as they are. */
  readonly mapsAll: boolean;
}

/** Rewrites owner and group of attributes for the kernel, in place. */
export function presentOwner(owner: Owner, stat: Stat): Stat {
  if (owner.mapsAll) return stat;
  const inGroup = owner.groups.includes(stat.gid);
  if (stat.uid !== owner.uid) {
    const writable = (stat.mode & 0o002) !== 0 || (inGroup && (stat.mode & 0o020) !== 0);
    if (writable) stat.uid = owner.uid;
  }
  if (inGroup || stat.uid === owner.uid) stat.gid = owner.gid;
  return stat;
}

/** Whether the user may change attributes of an inode with this (true) owner. */
export function mayChange(owner: Owner, stat: Stat): boolean {
  return owner.mapsAll || stat.uid === owner.uid;
}
