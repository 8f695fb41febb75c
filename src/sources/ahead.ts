/** Which contents are asked for together with those that somebody waits for. */
import type { Mirror } from './mirror/mirror.ts';
import { isAwaited } from './searching.ts';

/** What is asked of a server at once. */
const MOST_AT_ONCE = 200;
const MOST_BYTES = 16 * 2 ** 20;

/** What is likely to be read after these: the rest of their directory, then the rest of the tree; nothing of unknown length. */
export function likelyNext(mirror: Mirror, paths: readonly string[], most: { files: number; bytes: number }): string[] {
  const [first] = paths;
  if (first === undefined || most.files === 0) return [];
  const dir = first.slice(0, first.lastIndexOf('/') + 1);
  const found: string[] = [];
  let bytes = 0;
  for (const isIn of [(path: string) => path.startsWith(dir), (path: string) => !path.startsWith(dir)]) {
    for (const { path, kind, size } of mirror.entries.values()) {
      if (kind !== 'file' || !size || !isIn(path) || paths.includes(path) || !isAwaited(mirror, path)) continue;
      bytes += size;
      if (found.length >= Math.min(most.files, MOST_AT_ONCE) || bytes > Math.min(most.bytes, MOST_BYTES)) return found;
      found.push(path);
    }
  }
  return found;
}
