/** Which paths of a server can be paths of a file system. A server may say anything; what cannot be shown is left out, and told. */
import type { Entry } from '../source.ts';

const LONGEST_NAME = 255;
const LONGEST_PATH = 3072;
const PLAIN = /^[\x20-\x7e]+$/;
/** An empty name, `.` or `..` in a path. */
const NO_NAME = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** A path that is left out, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

export interface Sorted {
  /** By their paths, sorted by them. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly leftOut: readonly LeftOut[];
}

/** Takes what can be shown. Of two entries with one path the first counts, of a file and what is below it the file does not. */
export function showable(entries: readonly Entry[]): Sorted {
  const leftOut: LeftOut[] = [];
  const kept = new Map<string, Entry>();
  for (const entry of [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    const why = kept.has(entry.path) ? 'the source has it twice' : flawOf(entry.path);
    if (why === undefined) kept.set(entry.path, entry);
    else leftOut.push({ path: entry.path, why });
  }
  const directories = new Set<string>();
  for (const path of kept.keys()) addAbove(path, directories);
  for (const [path, entry] of kept) {
    if (entry.kind === 'directory' || !directories.has(path)) continue;
    kept.delete(path);
    leftOut.push({ path, why: 'the source has something below it, too' });
  }
  return { entries: kept, leftOut };
}

/** What is above a path, the root left out. */
export function above(path: string): string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
}

/** Adds what is above a path: where one of these is known, all above it are. */
function addAbove(path: string, directories: Set<string>): void {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const directory = path.slice(0, at);
    if (directories.has(directory)) return;
    directories.add(directory);
  }
}

function flawOf(path: string): string | undefined {
  // Nearly all are such, and there may be 100,000.
  if (path.length <= LONGEST_NAME && PLAIN.test(path) && !NO_NAME.test(path)) return undefined;
  if (path.includes('\0')) return 'it has a NUL in it';
  if (/\p{Surrogate}/u.test(path)) return 'it is no Unicode text';
  if (Buffer.byteLength(path) > LONGEST_PATH) return `it is longer than ${LONGEST_PATH} bytes`;
  const names = path.split('/');
  if (names.includes('')) return 'a name in it is empty';
  if (names.includes('.') || names.includes('..')) return 'it has . or .. in it';
  if (names.some((name) => Buffer.byteLength(name) > LONGEST_NAME))
    return `a name in it is longer than ${LONGEST_NAME} bytes`;
  return undefined;
}
