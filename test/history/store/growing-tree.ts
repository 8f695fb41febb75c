/** Trees of a given size for tests of the tree store. */
import type { NewInode } from '../../../src/staging/inode.ts';
import type { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../../src/sys/bytes.ts';
import { S_IFLNK, S_IFREG } from '../../../src/sys/stat.ts';

export const TIME = { sec: 1732111111, nsec: 123456789 };

export function fresh(type: number, n: number): NewInode {
  return {
    ...{ type, ino: (2 ** 48 + n) as Ino, object: (type === S_IFREG ? n : 0) as ObjectId, gen: 0 as Gen },
    ...{ mode: 0o644, uid: 1000, gid: 1000, rdev: 0, target: undefined },
  };
}

/** Adds what is missing of files /0/0, /0/1, ... up to `count`, 128 a directory; every hundredth is a symlink. */
export function grow(tree: OverrideTree, count: number): void {
  for (let n = 0; n < count; n++) {
    const path = `/${n >> 7}/${n}` as BytePath;
    const at = tree.place(path);
    if (at.dir.children?.has(at.name)) continue;
    const inode = n % 100 === 0 ? { ...fresh(S_IFLNK, n), target: `target-of-${path}` } : fresh(S_IFREG, n);
    tree.create(at, inode, TIME);
  }
}
