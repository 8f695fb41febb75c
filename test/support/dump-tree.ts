/** An override tree as text: the same for trees that show the same, whatever their ids or the order of their making. */

import { encodeAttributes, encodeFingerprint, encodeType } from '../../src/history/line/fields.ts';
import { basePath, type Inode, TOMBSTONE } from '../../src/staging/inode.ts';
import type { OverrideTree } from '../../src/staging/override-tree.ts';
import { label } from '../../src/sys/bytes.ts';

/**
 * One line a dentry, indented by depth, in the order of the names' bytes. An inode with several names is told in full
 * at the first and referred to as `#N` afterwards. Inodes that are merely known, not staged, are left out.
 */
export function dumpTree(tree: OverrideTree): string {
  const lines = [`/ ${describe(tree.root)}`];
  dumpChildren(tree.root, { lines, seen: new Map(), depth: 1 });
  for (const [path, mark] of [...tree.marks.entries()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`base ${label(path)} was ${mark}`);
  }
  return `${lines.join('\n')}\n`;
}

interface Dump {
  readonly lines: string[];
  readonly seen: Map<Inode, number>;
  readonly depth: number;
}

function dumpChildren(dir: Inode, dump: Dump): void {
  const sorted = [...(dir.children ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, child] of sorted) {
    const start = `${'  '.repeat(dump.depth)}${label(name)}`;
    if (child === TOMBSTONE) dump.lines.push(`${start} deleted`);
    else if (child.staged !== undefined) dumpInode(start, child, dump);
  }
}

function dumpInode(start: string, inode: Inode, dump: Dump): void {
  const number = dump.seen.get(inode);
  if (number !== undefined) {
    dump.lines.push(`${start} #${number}`);
    return;
  }
  dump.seen.set(inode, dump.seen.size + 1);
  dump.lines.push(`${start} #${dump.seen.size} ${describe(inode)}`);
  dumpChildren(inode, { ...dump, depth: dump.depth + 1 });
}

function describe(inode: Inode): string {
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
