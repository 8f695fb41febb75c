/** Which test files need no view: those that never come to `support/session`, by their imports and what these import. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What every suite with a view imports. */
const MOUNTS = 'support/session.js';
const IMPORT = /^import (?:[^;]*? from )?'(\.[^']+)';/gm;

/** Of the compiled `files`, paths below `tests`, those that are units: most take less than a second. */
export function unitFiles(tests: string, files: readonly string[]): string[] {
  return files.filter((file) => !reachable(tests, file).has(join(tests, MOUNTS)));
}

function reachable(tests: string, file: string): Set<string> {
  const found = new Set<string>();
  const waiting = [join(tests, file)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path) || !path.startsWith(tests)) continue;
    found.add(path);
    const directory = dirname(path);
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(IMPORT))
      waiting.push(normalize(join(directory, name)));
  }
  return found;
}
