/**
 * Contents that searches have read of mirrors lately, so that the next search need not open each file. Who keeps those of a directory
 * says when they may be others by now: Present (present.ts). All mirrors of the thread share the room.
 */
import { RecentDirectory } from './recent-directory.ts';

/** Bytes of all that are kept; what comes after that is read anew, unless those have been there for a while. */
const MOST_BYTES = 16 * 2 ** 20;
const A_WHILE_MS = 10_000;
/** An agent searches several times in a minute, and then for long not at all. */
const KEPT_MS = 60_000;

const directories = new Map<string, RecentDirectory>();
let bytes = 0;
let since = 0;
let ending: NodeJS.Timeout | undefined;

/** What is kept of a directory, by its path as text. */
export function recentIn(dir: string): RecentDirectory | undefined {
  return directories.get(dir);
}

/** Keeps contents of files in a directory, by their names, besides those that are kept of it. */
export function keepRecent(dir: string, contents: ReadonlyMap<string, Buffer>): void {
  const length = [...contents.values()].reduce((sum, one) => sum + one.length, 0);
  if (bytes + length > MOST_BYTES && Date.now() - since > A_WHILE_MS) forgetRecent();
  if (bytes + length > MOST_BYTES) return;
  if (directories.size === 0) since = Date.now();
  const known = directories.get(dir)?.contents ?? new Map<string, Buffer>();
  dropRecent(dir);
  const kept = new RecentDirectory(new Map([...known, ...contents]));
  directories.set(dir, kept);
  bytes += kept.length;
  ending ??= setTimeout(forgetRecent, KEPT_MS).unref();
}

export function dropRecent(dir: string): void {
  bytes -= directories.get(dir)?.length ?? 0;
  directories.delete(dir);
}

/** All of them. */
export function forgetRecent(): void {
  directories.clear();
  bytes = 0;
  clearTimeout(ending);
  ending = undefined;
}
