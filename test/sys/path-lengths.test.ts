/** Of the directories above a path those are found that were added, and none that is longer or shorter than all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BytePath, ROOT, splitPath } from '../../src/sys/bytes.ts';
import { PathLengths } from '../../src/sys/path-lengths.ts';

/** As one would find them without lengths. */
function* upward(path: BytePath): Generator<BytePath> {
  for (let at: BytePath | undefined = path; at !== undefined; at = splitPath(at)?.dir) yield at;
}

test('above() finds the directories that were added, from the path upward', () => {
  const paths = ['/', '/a', '/a/b', '/ab', '/a/bc', '/a/b/c', '/a/b/c/dd', '/long/name/of/a/b'] as BytePath[];
  for (let mask = 0; mask < 1 << paths.length; mask++) {
    const added = paths.filter((_, i) => (mask & (1 << i)) !== 0);
    const lengths = new PathLengths();
    for (const path of added) lengths.add(path);
    for (const path of paths) {
      const candidates = [...lengths.above(path)];
      assert.deepEqual(
        candidates.filter((one) => added.includes(one)),
        [...upward(path)].filter((one) => added.includes(one)),
        `${path} of ${added}`,
      );
      for (const one of candidates) assert.ok(added.some(({ length }) => length === one.length) && isAbove(one, path));
    }
  }
});

function isAbove(dir: BytePath, path: BytePath): boolean {
  return dir === ROOT || path === dir || path.startsWith(`${dir}/`);
}
