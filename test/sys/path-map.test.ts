/** Of the directories above a path those are found that are in the map, and no path is looked up that is longer or shorter than all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BytePath, splitPath } from '../../src/sys/bytes.ts';
import { PathMap } from '../../src/sys/path-map.ts';

/** As one would find them without lengths. */
function* upward(path: BytePath): Generator<BytePath> {
  for (let at: BytePath | undefined = path; at !== undefined; at = splitPath(at)?.dir) yield at;
}

/** A map that notes what is looked up. */
class Noting extends PathMap<number, number> {
  readonly lookups: (BytePath | number)[] = [];

  override get(key: BytePath | number): number | undefined {
    this.lookups.push(key);
    return super.get(key);
  }
}

test('above() finds what there is for the directories above a path, from the path upward', () => {
  const paths = ['/', '/a', '/a/b', '/ab', '/a/bc', '/a/b/c', '/a/b/c/dd', '/long/name/of/a/b'] as BytePath[];
  for (let mask = 0; mask < 1 << paths.length; mask++) {
    const added = paths.filter((_, i) => (mask & (1 << i)) !== 0);
    const map = new Noting();
    // What is no path is found by itself alone.
    map.set(7, 7);
    for (const path of added) map.set(path, added.indexOf(path));
    for (const path of paths) {
      map.lookups.length = 0;
      const expected = [...upward(path)].filter((one) => added.includes(one)).map((one) => [one, added.indexOf(one)]);
      assert.deepEqual([...map.above(path)], expected, `${path} of ${added}`);
      for (const one of map.lookups)
        assert.ok(typeof one === 'string' && added.some(({ length }) => length === one.length), `${one} is looked up`);
    }
    assert.equal(map.get(7), 7);
  }
});
