/** An inode of the MemoryFs. */
import type { Caller, NewNode } from '../../src/fuse/filesystem.ts';
import type { Name, NodeId } from '../../src/sys/bytes.ts';
import { isRegular, type Stat } from '../../src/sys/stat.ts';

export interface Node {
  readonly id: NodeId;
  readonly stat: Stat;
  content: Buffer;
  target: string;
  readonly xattrs: Map<string, Buffer>;
  /** In order of creation; an entry's cookie is the number it was given. */
  readonly entries: Map<Name, { node: Node; cookie: number }>;
  lookups: number;
  parent: Node | undefined;
}

export function newNode(id: NodeId, node: NewNode, caller: Caller, parent: Node | undefined): Node {
  const { sec, nsec } = clock();
  const times = { atimeSec: sec, mtimeSec: sec, ctimeSec: sec, btimeSec: sec };
  const fractions = { atimeNsec: nsec, mtimeNsec: nsec, ctimeNsec: nsec, btimeNsec: nsec };
  const rest = { ino: 1000 + id, nlink: 1, size: 0, blocks: 0, blksize: 4096, dev: 0, rdev: node.rdev };
  const stat = { mode: node.mode, uid: caller.uid, gid: caller.gid, ...rest, ...times, ...fractions };
  const body = { content: Buffer.alloc(0), target: '', xattrs: new Map(), entries: new Map() };
  return { id, stat, ...body, lookups: 0, parent };
}

/** A directory's entries, `.` and `..` first, each with the cookie that resumes after it. */
export function listing(dir: Node): { name: Name; node: Node; cookie: number }[] {
  const dots = [
    { name: '.' as Name, node: dir, cookie: 1 },
    { name: '..' as Name, node: dir.parent ?? dir, cookie: 2 },
  ];
  return [...dots, ...[...dir.entries].map(([name, entry]) => ({ name, ...entry }))];
}

/** Sets mtime and ctime to now. */
export function touch(node: Node): void {
  const { sec, nsec } = clock();
  Object.assign(node.stat, { mtimeSec: sec, mtimeNsec: nsec, ctimeSec: sec, ctimeNsec: nsec });
}

/** Cuts or grows a regular file; its memory grows in steps, so that appending is cheap. */
export function resize(node: Node, size: number): void {
  if (!isRegular(node.stat.mode)) return;
  const held = node.content.buffer.byteLength;
  if (size > held) {
    const content = Buffer.from(new ArrayBuffer(Math.max(size, held * 2)), 0, size);
    node.content.copy(content);
    node.content = content;
  } else {
    const before = node.content.length;
    node.content = Buffer.from(node.content.buffer, 0, Math.max(size, before));
    node.content.fill(0, Math.min(size, before));
    node.content = node.content.subarray(0, size);
  }
  node.stat.size = size;
  node.stat.blocks = Math.ceil(size / 512);
  touch(node);
}

export function clock(): { sec: number; nsec: number } {
  const ms = Date.now();
  return { sec: Math.floor(ms / 1000), nsec: (ms % 1000) * 1_000_000 };
}
