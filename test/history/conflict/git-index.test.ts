/** git's index is read in the versions that git writes; one that is not whole, or says more than is known, is not. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { meaningOf, namesInIndex } from '../../../src/history/commit/conflict/git-index.ts';

const NAMES = ['dir/a', 'dir/b', 'e'];

/** An index of empty files; in version 4 a name is what it has other than the one before. */
function index(version: 2 | 4, names = NAMES, extension = ''): Buffer {
  const head = Buffer.alloc(12);
  head.write('DIRC', 'latin1');
  head.writeUInt32BE(version, 4);
  head.writeUInt32BE(names.length, 8);
  const entries = names.map((name, i) => {
    const fixed = Buffer.alloc(62);
    fixed.writeUInt32BE(0o100644, 24);
    fixed.writeUInt16BE(name.length, 60);
    if (version === 2) return Buffer.concat([fixed, Buffer.from(name), Buffer.alloc(8 - ((62 + name.length) % 8))]);
    const before = names[i - 1] ?? '';
    const same = [...name].findIndex((c, at) => c !== before[at]);
    return Buffer.concat([fixed, Buffer.of(before.length - same), Buffer.from(`${name.slice(same)}\0`)]);
  });
  const more = extension === '' ? Buffer.alloc(0) : Buffer.concat([Buffer.from(extension), Buffer.alloc(4)]);
  const body = Buffer.concat([head, ...entries, more]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

test('namesInIndex() and meaningOf() read versions 2 and 4 to the same', () => {
  for (const version of [2, 4] as const) assert.deepEqual([...(namesInIndex(index(version)) ?? [])], NAMES);
  assert.ok(meaningOf(index(2)) !== undefined);
  assert.equal(meaningOf(index(4)), meaningOf(index(2)));
  assert.notEqual(meaningOf(index(2, ['dir/a', 'dir/b'])), meaningOf(index(2)));
});

test('an index that is cut, was changed, or needs another file is not read', () => {
  const whole = index(2);
  const changed = Buffer.from(whole);
  changed[80] = (changed[80] ?? 0) ^ 1;
  for (const bytes of [whole.subarray(0, -1), changed, index(2, NAMES, 'link')])
    assert.equal(meaningOf(bytes), undefined);
  assert.equal(meaningOf(index(2, NAMES, 'TREE')), meaningOf(whole), 'what may be left aside is');
});

test('an index of few bytes whose names together are too many is not read', () => {
  const head = index(4, []).subarray(0, 12);
  const entry = (said: string): Buffer => Buffer.concat([Buffer.alloc(63), Buffer.from(`${said}\0`)]);
  const whole = (count: number): Buffer => {
    head.writeUInt32BE(count, 8);
    // Each name is the whole of the one before, and a letter.
    const body = Buffer.concat([
      head,
      entry('x'.repeat(1 << 20)),
      ...Array.from({ length: count - 1 }, () => entry('y')),
    ]);
    return Buffer.concat([body, createHash('sha1').update(body).digest()]);
  };
  assert.equal(namesInIndex(whole(60))?.size, 60);
  assert.equal(namesInIndex(whole(100_000)), undefined);
  assert.equal(meaningOf(whole(100_000)), undefined);
});
