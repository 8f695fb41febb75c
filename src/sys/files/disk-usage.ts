/** What a file or a directory occupies on its disk, as du(1) counts. */
import { lstatSync, opendirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { type Errno, SystemError } from '../errno.ts';

export interface DiskUsage {
  /** Allocated bytes: blocks, not lengths. */
  bytes: number;
  /** Regular files; one with several names counts once for each. */
  files: number;
}

const BLOCK = 512;

/**
 * Adds up everything at and below `path`, not following symlinks. What is missing, or vanishes meanwhile, is nothing. Throws a
 * SystemError.
 */
export function diskUsage(path: string): DiskUsage {
  const usage = { bytes: 0, files: 0 };
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const stat = statOrGone(at);
    if (stat === undefined) continue;
    usage.bytes += stat.blocks * BLOCK;
    if (stat.isFile()) usage.files += 1;
    if (stat.isDirectory()) for (const name of namesBelow(at)) waiting.push(join(at, name));
  }
  return usage;
}

function statOrGone(path: string): Stats | undefined {
  return unlessGone(path, () => lstatSync(path));
}

function namesBelow(path: string): string[] {
  const names: string[] = [];
  const dir = unlessGone(path, () => opendirSync(path));
  for (let entry = dir?.readSync(); entry; entry = dir?.readSync()) names.push(entry.name);
  dir?.closeSync();
  return names;
}

function unlessGone<T>(path: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    // Another process may be at work in it, and the private /tmp may hold what we must not enter.
    const { code = '', errno } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(code)) return undefined;
    throw errno === undefined ? error : new SystemError(`cannot look at ${path}`, -errno as Errno);
  }
}
