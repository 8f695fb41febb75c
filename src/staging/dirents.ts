/** struct linux_dirent64 (getdents64(2)) in a buffer. */
import type { Name } from '../sys/bytes.ts';
import type { BaseEntry } from './base-tree.ts';

/** The entries of a filled buffer without "." and "..". */
export function parseDirents(buffer: Buffer, length: number): BaseEntry[] {
  const entries: BaseEntry[] = [];
  for (let at = 0; at < length; ) {
    const size = buffer.readUInt16LE(at + 16);
    const end = buffer.indexOf(0, at + 19);
    const name = buffer.toString('latin1', at + 19, end) as Name;
    if (name !== '.' && name !== '..') {
      entries.push({
        name,
        ino: buffer.readUInt32LE(at) + (buffer.readUInt32LE(at + 4) % 0x20_0000) * 0x1_0000_0000,
        type: (buffer[at + 18] ?? 0) << 12,
      });
    }
    at += size;
  }
  return entries;
}
