/** Which contents are asked for together with those that somebody waits for. */
import type { Mirror } from './mirror/mirror.ts';
import { isAwaited } from './searching/searching.ts';

/** What is asked of a server at once. */
const MOST_AT_ONCE = 200;
const MOST_BYTES = 16 * 2 ** 20;
/** So many files are looked at for it: of a tree that is nearly all here the rest is not looked for, each time anew. */
const MOST_LOOKS = 2 * MOST_AT_ONCE;

/** What is likely to be read after these: what follows in the order of paths, from the last to the first; nothing of unknown length. */
export function likelyNext(mirror: Mirror, paths: readonly string[], most: { files: number; bytes: number }): string[] {
  const [first] = paths;
  if (first === undefined || most.files === 0) return [];
  const found: string[] = [];
  let bytes = 0;
  let looks = 0;
  for (const { path, kind, size, pointer } of mirror.entries.valuesAfter(first)) {
    // What lies elsewhere is fetched for who reads it, and for nobody else.
    if (kind !== 'file' || !size || pointer !== undefined || paths.includes(path)) continue;
    if (looks++ >= MOST_LOOKS) break;
    if (!isAwaited(mirror, path)) continue;
    bytes += size;
    if (found.length >= Math.min(most.files, MOST_AT_ONCE) || bytes > Math.min(most.bytes, MOST_BYTES)) break;
    found.push(path);
  }
  return found;
}
