/**
 * Saying of an inode all that is staged about it, at once and exactly: what replay does with an `S kept` record. The
 * verbs of the override tree say what an operation changes; this says what the outcome of many of them was.
 */
import type { Gen, Ino } from '../sys/bytes.ts';
import { S_IFDIR } from '../sys/stat.ts';
import { withAttributes } from './compact.ts';
import type { Inode, Staged, Time } from './inode.ts';
import type { OverrideTree, Place } from './override-tree.ts';
import type { StageKept } from './recorder.ts';

export type KeptState = Pick<
  StageKept,
  'object' | 'nlink' | 'changed' | 'attributes' | 'rdev' | 'target' | 'fingerprint' | 'ino'
> & { readonly gen: Gen };

/** Gives a fresh inode its first name; whatever had it is gone from there. */
export function nameKept(tree: OverrideTree, { inode, at, time }: { inode: Inode; at: Place; time: Time }): void {
  if (at.dir.children?.get(at.name)) tree.remove(at, { hides: false }, time);
  tree.link(inode, at, time);
}

/** What is staged about the inode is this and nothing else; extended attributes are still to be told. */
export function keepExactly(tree: OverrideTree, inode: Inode, state: KeptState): void {
  const staged = tree.stage(inode);
  const { object, nlink, changed, attributes, rdev, target, fingerprint } = state;
  Object.assign(staged, { object, objectGen: object === 0 ? 0 : state.gen, nlink, changed, rdev, target, fingerprint });
  staged.attributes = withAttributes({}, attributes);
  staged.opaque = inode.type === S_IFDIR && inode.base === undefined;
  staged.xattrs = undefined;
  if (inode.ino === 0) inode.ino = state.ino as Ino;
  if (inode.type !== S_IFDIR && fingerprint !== undefined && fingerprint.nlink > 1) {
    tree.linked.set(`${fingerprint.dev}:${fingerprint.ino}`, inode);
  }
}

/** What is staged about an inode, as it is now. */
export function copyStaged({ staged }: Inode): Staged | undefined {
  return staged && { ...staged, xattrs: staged.xattrs && new Map(staged.xattrs) };
}

/** What was said of the inode were differences from something that itself is staged: what they leave open is as before. */
export function keepUnder({ staged }: Inode, before: Staged): void {
  if (staged === undefined) return;
  // Other content has a time of its own, told or not.
  const { mtime, ...others } = before.attributes;
  const under = staged.object === 0 && mtime !== undefined ? { ...others, mtime } : others;
  staged.attributes = { ...under, ...staged.attributes };
  staged.changed |= before.changed;
  staged.opaque = before.opaque;
  staged.target ??= before.target;
  staged.rdev ||= before.rdev;
  staged.xattrs = before.xattrs;
  if (staged.object !== 0) return;
  staged.object = before.object;
  staged.objectGen = before.objectGen;
}
