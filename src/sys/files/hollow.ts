/** Files that have a size and a time before they have a content. */
import {
  closeSync,
  fchmodSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { attempt } from './files.ts';

export interface Hollow {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly mode: number;
}

/** Makes a file that must not exist yet. Throws a SystemError. */
export function makeHollow(path: string, { size, mtime, mode }: Hollow): void {
  attempt(`cannot make ${path}`, () => {
    const fd = openSync(path, 'wx', mode);
    try {
      if (size > 0) ftruncateSync(fd, size);
      fchmodSync(fd, mode);
      futimesSync(fd, mtime / 1000, mtime / 1000);
    } finally {
      closeSync(fd);
    }
  });
}

/** Makes a symlink that must not exist yet. Throws a SystemError. */
export function makeSymlink(path: string, target: string): void {
  attempt(`cannot make ${path}`, () => symlinkSync(target, path));
}

/** Makes a directory with those above it; one that exists is fine. Throws a SystemError. */
export function makeDirectories(path: string): void {
  attempt(`cannot make ${path}`, () => mkdirSync(path, { recursive: true, mode: 0o755 }));
}

/** Puts what is at `from` in the place of what is at `to`. Throws a SystemError. */
export function replace(from: string, to: string): void {
  attempt(`cannot replace ${to}`, () => renameSync(from, to));
}

/** Removes a name that is no directory's, or an empty directory; false: it is not empty. Throws a SystemError. */
export function removeOne(path: string, kind: 'file' | 'directory'): boolean {
  const remove = (): boolean => {
    if (kind === 'directory') rmdirSync(path);
    else unlinkSync(path);
    return true;
  };
  const expected: Readonly<Record<string, boolean>> = { ENOTEMPTY: false, ENOENT: true };
  try {
    return remove();
  } catch (error) {
    const known = expected[(error as NodeJS.ErrnoException).code ?? ''];
    if (known !== undefined) return known;
    return attempt(`cannot remove ${path}`, () => {
      throw error;
    });
  }
}
