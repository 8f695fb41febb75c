/** The live override tree as text: the same for trees that show the same, whatever their ids or the order of their making. */

import { encodeAttributes, encodeFingerprint, encodeType } from '../../history/log/fields.ts';
import { basePath, type Inode, TOMBSTONE } from '../../staging/inode.ts';
import type { OverrideTree } from '../../staging/override-tree.ts';
import { label } from '../../sys/bytes.ts';

/**
 * One line a dentry, indented by depth, in the order of the names' bytes. An inode with several names is told in full
 * at the first and referred to as `#N` afterwards. Inodes that are merely known, not staged, are left out.
 */
export function* treeLines(tree: OverrideTree): Generator<string, void> {
  yield `/ ${describeInode(tree.root)}`;
  yield* children(tree.root, { seen: new Map(), depth: 1 });
  for (const [path, stamp] of [...tree.stamps.entries()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield `base ${label(path)} was ${stamp}`;
  }
}

interface Dump {
  readonly seen: Map<Inode, number>;
  readonly depth: number;
}

function* children(dir: Inode, dump: Dump): Generator<string, void> {
  const sorted = [...(dir.children ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, child] of sorted) {
    const start = `${'  '.repeat(dump.depth)}${label(name)}`;
    if (child === TOMBSTONE) yield `${start} deleted`;
    else if (child.staged !== undefined) yield* lines(start, child, dump);
  }
}

function* lines(start: string, inode: Inode, dump: Dump): Generator<string, void> {
  const number = dump.seen.get(inode);
  if (number !== undefined) {
    yield `${start} #${number}`;
    return;
  }
  dump.seen.set(inode, dump.seen.size + 1);
  yield `${start} #${dump.seen.size} ${describeInode(inode)}`;
  yield* children(inode, { ...dump, depth: dump.depth + 1 });
}

/** What differs from the base, in a line. */
export function describeInode(inode: Inode): string {
  const { staged } = inode;
  const base = basePath(inode);
  const words = [encodeType(inode.type), base === undefined ? `ino=${inode.ino}` : `base=${label(base)}`];
  if (staged === undefined) return words.join(' ');
  if (staged.object !== 0) words.push(`object=${staged.object}@${staged.objectGen}`);
  if (staged.nlink !== 1) words.push(`nlink=${staged.nlink}`);
  if (staged.opaque) words.push('opaque');
  if (staged.target !== undefined) words.push(`target=${label(staged.target)}`);
  if (staged.rdev !== 0) words.push(`rdev=${staged.rdev}`);
  if (staged.changed !== 0) words.push(`changed=${staged.changed}`);
  words.push(encodeAttributes(staged.attributes), encodeFingerprint(staged.fingerprint));
  for (const [name, value] of [...(staged.xattrs ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
    words.push(`xattr:${label(name)}=${value === null ? 'removed' : value.toString('hex')}`);
  }
  return words.join(' ');
}
