/** The names in a tree, those nearest to its top first, up to a number of them: what a big tree has is not worth the wait. */
import { type Dir, lstatSync, opendirSync } from 'node:fs';

export interface NameBelow {
  /** As bytes, one code unit each, like `name`. */
  readonly dir: string;
  readonly name: string;
  readonly isLink: boolean;
  readonly isDirectory: boolean;
}

export interface Bounds {
  /** Names that are looked at. */
  readonly most: number;
  /** Directories of these names come after all others, or not at all. */
  readonly last: ReadonlySet<string>;
  readonly never: ReadonlySet<string>;
}

/**
 * Calls `look` with each name below `root` (as bytes), on its file system and through no symlink. What cannot be read is left out.
 * Returns whether that was all of them.
 */
export function namesBelow(root: string, { most, last, never }: Bounds, look: (found: NameBelow) => void): boolean {
  const [soon, late] = [[root], [] as string[]];
  const device = deviceOf(root);
  let left = most;
  for (let dir = soon.shift(); dir !== undefined; dir = soon.shift() ?? late.shift()) {
    if (deviceOf(dir) !== device) continue;
    for (const { name, isLink, isDirectory } of entriesOf(dir)) {
      if (left-- <= 0) return false;
      look({ dir, name, isLink, isDirectory });
      if (isDirectory && !never.has(name)) (last.has(name) ? late : soon).push(`${dir === '/' ? '' : dir}/${name}`);
    }
  }
  return true;
}

function* entriesOf(path: string): Generator<Omit<NameBelow, 'dir'>> {
  const dir = unlessRefused<Dir>(() => opendirSync(bytesOf(path), { encoding: 'latin1', bufferSize: 256 }));
  if (dir === undefined) return;
  try {
    const next = (): ReturnType<Dir['readSync']> | undefined => unlessRefused(() => dir.readSync());
    for (let entry = next(); entry != null; entry = next()) {
      yield { name: entry.name, isLink: entry.isSymbolicLink(), isDirectory: entry.isDirectory() };
    }
  } finally {
    dir.closeSync();
  }
}

function deviceOf(path: string): number | undefined {
  return unlessRefused(() => lstatSync(bytesOf(path)).dev);
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

/** The result, or undefined when the system says no. */
function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
