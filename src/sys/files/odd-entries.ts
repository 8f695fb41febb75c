/**
 * Symbolic links and special files in directories that somebody else may write at the same time. No path is followed twice:
 * each directory is opened by its name in the one above, never through a link.
 */
import { closeSync, constants, lstatSync, openSync, readdirSync, unlinkSync } from 'node:fs';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const DEEPEST = 64;

/** The paths below `directory` that are neither files nor directories. What cannot be read is left out. */
export function oddEntries(directory: string): string[] {
  const found: string[] = [];
  visit(directory, '', (_at, path) => found.push(path));
  return found;
}

/** Removes all of these from each of the directories; returns their paths. */
export function removeOddEntries(directories: readonly string[]): string[] {
  const removed: string[] = [];
  const remove = (at: string): boolean => {
    unlinkSync(at);
    return true;
  };
  for (const directory of directories) {
    visit(directory, '', (at, path) => unlessGone(() => remove(at)) && removed.push(`${directory}${path}`));
  }
  return removed;
}

type Found = (at: string, path: string) => unknown;

function visit(directory: string, below: string, found: Found, depth = 0): void {
  const fd = unlessGone(() => openSync(directory, O_RDONLY | O_DIRECTORY | (below === '' ? 0 : O_NOFOLLOW)));
  if (fd === undefined) return;
  const own = `/proc/self/fd/${fd}`;
  for (const name of unlessGone(() => readdirSync(own)) ?? []) {
    const stat = unlessGone(() => lstatSync(`${own}/${name}`));
    if (stat?.isDirectory() && depth < DEEPEST) visit(`${own}/${name}`, `${below}/${name}`, found, depth + 1);
    else if (stat !== undefined && !stat.isFile() && !stat.isDirectory()) found(`${own}/${name}`, `${below}/${name}`);
  }
  closeSync(fd);
}

/** The result, or undefined when it is gone, closed to us, or something else meanwhile. */
function unlessGone<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
