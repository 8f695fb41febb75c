/**
 * Whether two nodes of two states differ: in content, in metadata, or not at all. Times count only where somebody set
 * them in one of the states.
 */
import { CHANGED_MODE, CHANGED_OWNER, CHANGED_TIMES, CHANGED_XATTR, type Time } from '../../staging/inode.ts';
import type { Stat } from '../../sys/stat.ts';
import { S_IFBLK, S_IFCHR, S_IFLNK } from '../../sys/stat.ts';
import type { Facts } from './facts.ts';
import { changedOf, contentOf, type Node, stagedAttributes } from './node.ts';
import { hasIdleTimes } from './noise.ts';

export type Difference = 'modified' | 'metadata' | undefined;

const ALL = CHANGED_MODE | CHANGED_OWNER | CHANGED_XATTR;

/** Two states of one thing. */
export function differenceInTime(a: Node, b: Node, facts: Facts): Difference {
  if (a.inode === undefined && b.inode === undefined) return undefined;
  if (!facts.same(contentOf(a), contentOf(b))) return 'modified';
  const changed = changedOf(a) | changedOf(b);
  const which = b.origin !== undefined && hasIdleTimes(b.origin) ? changed & ~CHANGED_TIMES : changed;
  return metadataDiffers({ a, b, which }, facts) ? 'metadata' : undefined;
}

/** Two things, one in the place of the other. */
export function differenceInPlace(a: Node, b: Node, facts: Facts): Difference {
  if (!facts.same(contentOf(a), contentOf(b))) return 'modified';
  const isDevice = b.type === S_IFCHR || b.type === S_IFBLK;
  if (isDevice && deviceOf(a, facts) !== deviceOf(b, facts)) return 'modified';
  // A tool that writes a new file and renames it into place changes the time without meaning to.
  const which = ALL | ((changedOf(a) | changedOf(b)) & CHANGED_TIMES);
  return metadataDiffers({ a, b, which }, facts) ? 'metadata' : undefined;
}

interface Pair {
  readonly a: Node;
  readonly b: Node;
  /** CHANGED_* bits of what to compare. */
  readonly which: number;
}

function metadataDiffers({ a, b, which }: Pair, facts: Facts): boolean {
  if (which === 0) return false;
  const [old, now] = [attributesOf(a, facts), attributesOf(b, facts)];
  if (which & CHANGED_MODE && b.type !== S_IFLNK && isOther(old.mode, now.mode)) return true;
  if (which & CHANGED_OWNER && (isOther(old.uid, now.uid) || isOther(old.gid, now.gid))) return true;
  if (which & CHANGED_TIMES && isOtherTime(old.mtime, now.mtime)) return true;
  return (which & CHANGED_XATTR) !== 0 && xattrsDiffer(a, b, facts);
}

interface Known {
  readonly mode: number | undefined;
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  readonly mtime: Time | undefined;
}

/** What a state shows: what is staged, else the base entry's. */
function attributesOf(node: Node, facts: Facts): Known {
  const staged = stagedAttributes(node);
  const stat = statOf(node, facts);
  return {
    mode: staged.mode ?? (stat === undefined ? undefined : stat.mode & 0o7777),
    uid: staged.uid ?? stat?.uid,
    gid: staged.gid ?? stat?.gid,
    mtime: staged.mtime ?? (stat === undefined ? undefined : { sec: stat.mtimeSec, nsec: stat.mtimeNsec }),
  };
}

function statOf({ stat, origin }: Node, facts: Facts): Stat | undefined {
  return stat ?? (origin === undefined ? undefined : facts.of(origin));
}

function deviceOf(node: Node, facts: Facts): number | undefined {
  return node.origin === undefined ? node.inode?.staged?.rdev : statOf(node, facts)?.rdev;
}

function isOther(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function isOtherTime(a: Time | undefined, b: Time | undefined): boolean {
  return a !== undefined && b !== undefined && (a.sec !== b.sec || a.nsec !== b.nsec);
}

/** The attributes that somebody staged in either state, and the user's of both base entries. */
function xattrsDiffer(a: Node, b: Node, facts: Facts): boolean {
  const names = new Set([a, b].flatMap((node) => [...(node.inode?.staged?.xattrs?.keys() ?? [])]));
  if (a.origin !== b.origin) {
    for (const { origin } of [a, b]) {
      for (const name of origin === undefined ? [] : facts.xattrNames(origin)) {
        if (name.startsWith('user.')) names.add(name);
      }
    }
  }
  return [...names].some((name) => {
    const [old, now] = [xattrOf(a, name, facts), xattrOf(b, name, facts)];
    return old === undefined ? now !== undefined : now === undefined || !old.equals(now);
  });
}

function xattrOf({ inode, origin }: Node, name: string, facts: Facts): Buffer | undefined {
  const staged = inode?.staged?.xattrs?.get(name);
  if (staged !== undefined) return staged ?? undefined;
  return origin === undefined ? undefined : facts.xattr(origin, name);
}
