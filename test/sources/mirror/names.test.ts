/** Which paths of a server a mirror shows, beside a slow judgment of each by itself. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showable } from '../../../src/sources/mirror/names.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';

const NAMES = [
  'a',
  'b.md',
  '..',
  '.',
  '',
  '.a',
  'a..',
  'ü',
  'x\0',
  '\ud800',
  'n'.repeat(255),
  'n'.repeat(256),
  'ü'.repeat(128),
];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

function isPossible(path: string): boolean {
  const names = path.split('/');
  const isFit = (name: string): boolean =>
    name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 255 && !name.includes('\0');
  return names.every(isFit) && Buffer.from(path).toString() === path && Buffer.byteLength(path) <= 3072;
}

test('showable() takes each path that a file system can have once, and no file that something lies below', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
      const entry = { kind: 'file', size: 1, mtime: 0, rev: '', acl: [] } as const;
      const { entries, leftOut } = showable(paths.map((path) => ({ ...entry, path })));
      const possible = [...new Set(paths.filter(isPossible))];
      const wanted = possible.filter((path) => !possible.some((other) => other.startsWith(`${path}/`)));
      assert.deepEqual([...entries.keys()].sort(), wanted.sort());
      assert.equal(entries.size + leftOut.length, paths.length);
    }),
    { numRuns: runs(500) },
  );
});
