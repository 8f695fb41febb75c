/** What stat says of an inode that has nothing in the base. */
import { S_IFDIR, type Stat } from '../sys/stat.ts';
import type { Inode } from './inode.ts';

const BLOCK = 512;

/** Attributes of an inode born in the view, before its staged part is applied. */
export function blank(inode: Inode): Stat {
  const size = inode.type === S_IFDIR ? 4096 : (inode.staged?.target?.length ?? 0);
  return {
    mode: inode.type | (inode.type === S_IFDIR ? 0o755 : 0o600),
    nlink: 1,
    uid: 0,
    gid: 0,
    ino: inode.ino,
    size,
    blocks: inode.type === S_IFDIR ? 4096 / BLOCK : 0,
    blksize: 4096,
    dev: 0,
    rdev: inode.staged?.rdev ?? 0,
    atimeSec: 0,
    atimeNsec: 0,
    mtimeSec: 0,
    mtimeNsec: 0,
    ctimeSec: 0,
    ctimeNsec: 0,
    btimeSec: 0,
    btimeNsec: 0,
  };
}
