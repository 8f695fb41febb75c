/** Three-way merges, with `git merge-file` as the judge. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isMergeable, mergeTexts } from '../../../src/history/commit/conflict/merge.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';

const scratch = mkdtempSync(join(tmpdir(), 'yolofs-merge-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

interface Case {
  readonly original: string;
  readonly ours: string;
  readonly theirs: string;
}

function ask(texts: Case): string | 'conflict' {
  const result = mergeTexts({
    original: Buffer.from(texts.original),
    ours: Buffer.from(texts.ours),
    theirs: Buffer.from(texts.theirs),
  });
  return Buffer.isBuffer(result) ? result.toString() : 'conflict';
}

/** What git makes of it. */
function judge(texts: Case): string | 'conflict' {
  const paths = (['ours', 'original', 'theirs'] as const).map((name) => {
    writeFileSync(join(scratch, name), texts[name]);
    return join(scratch, name);
  });
  const { status, stdout } = spawnSync('git', ['merge-file', '-p', ...paths], { encoding: 'utf8' });
  assert.ok(status !== null && status < 128, `git merge-file: ${status}`);
  return status === 0 ? stdout : 'conflict';
}

const CASES: readonly (readonly [string, Case])[] = [
  ['changes far apart', { original: '1\n2\n3\n4\n5\n', ours: 'x\n2\n3\n4\n5\n', theirs: '1\n2\n3\n4\ny\n' }],
  ['the same change', { original: '1\n2\n3\n', ours: '1\nx\n3\n', theirs: '1\nx\n3\n' }],
  ['different changes of a line', { original: '1\n2\n3\n', ours: '1\nx\n3\n', theirs: '1\ny\n3\n' }],
  ['neighbouring lines', { original: '1\n2\n3\n4\n', ours: '1\nx\n3\n4\n', theirs: '1\n2\ny\n4\n' }],
  ['a line between', { original: '1\n2\n3\n4\n5\n', ours: '1\nx\n3\n4\n5\n', theirs: '1\n2\n3\ny\n5\n' }],
  ['both append', { original: '1\n', ours: '1\nx\n', theirs: '1\ny\n' }],
  ['both append the same', { original: '1\n', ours: '1\nx\n', theirs: '1\nx\n' }],
  ['one deletes what the other changes', { original: '1\n2\n3\n', ours: '1\n3\n', theirs: '1\nx\n3\n' }],
  ['one deletes everything', { original: '1\n2\n3\n4\n', ours: '', theirs: '1\n2\n3\nx\n' }],
  ['both delete everything', { original: '1\n2\n', ours: '', theirs: '' }],
  ['a newline at the end comes', { original: '1\n2\n3', ours: '1\n2\n3\n', theirs: 'x\n2\n3' }],
  ['a newline at the end goes, and the last line changes', { original: '1\n2\n', ours: '1\n2', theirs: '1\nx\n' }],
  ['carriage returns', { original: '1\r\n2\r\n3\r\n', ours: 'x\r\n2\r\n3\r\n', theirs: '1\r\n2\r\ny\r\n' }],
  ['nothing to begin with', { original: '', ours: 'x\n', theirs: 'y\n' }],
  ['letters of many bytes', { original: 'ä\nö\nü\n', ours: 'ä!\nö\nü\n', theirs: 'ä\nö\nü?\n' }],
];

for (const [title, texts] of CASES) {
  test(`mergeTexts() as git: ${title}`, () => assert.equal(ask(texts), judge(texts)));
}

test('mergeTexts() names the lines that are in each other’s way', () => {
  const result = mergeTexts({
    original: Buffer.from('1\n2\n3\n4\n5\n6\n7\n'),
    ours: Buffer.from('0\n1\nx\nx\n3\n4\n5\n6\n'),
    theirs: Buffer.from('1\ny\n3\n4\n5\n6\nz\n'),
  });
  assert.deepEqual(result, [
    { ours: { from: 3, to: 4 }, theirs: { from: 2, to: 2 } },
    { ours: { from: 9, to: 8 }, theirs: { from: 7, to: 7 } },
  ]);
});

/** Edits of a text whose lines are all different, so that there is one shortest difference only. */
const edit = fc.record({
  at: fc.nat(30),
  remove: fc.nat(3),
  insert: fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
});
const edits = fc.array(edit, { maxLength: 4 });

function edited(lines: readonly string[], all: readonly { at: number; remove: number; insert: string[] }[]): string {
  const result = [...lines];
  for (const [i, { at, remove, insert }] of all.entries()) {
    // Inserted lines differ by place, so that equal ones on both sides are at the same place.
    result.splice(at, remove, ...insert.map((word, n) => `${word} ${at} ${i} ${n}\n`));
  }
  return result.join('');
}

test('mergeTexts() of random changes is clean where git is, with the same result', () => {
  let clean = 0;
  fc.assert(
    fc.property(fc.nat(30), edits, edits, (length, ours, theirs) => {
      const lines = Array.from({ length }, (_, n) => `line ${n}\n`);
      const texts = { original: lines.join(''), ours: edited(lines, ours), theirs: edited(lines, theirs) };
      const expected = judge(texts);
      assert.equal(ask(texts), expected);
      if (expected !== 'conflict' && ours.length > 0 && theirs.length > 0) clean += 1;
    }),
    { numRuns: runs(300) },
  );
  assert.ok(clean > runs(300) / 15, `only ${clean} merges were clean`);
});

test('mergeTexts() with one side unchanged is the other side, whatever the bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, bytes, (original, changed) => {
      assert.deepEqual(mergeTexts({ original, ours: changed, theirs: original }), changed);
      assert.deepEqual(mergeTexts({ original, ours: original, theirs: changed }), changed);
      assert.deepEqual(mergeTexts({ original, ours: changed, theirs: changed }), changed);
    }),
  );
});

test('isMergeable() takes text up to a mebibyte, in whatever encoding it is', () => {
  assert.equal(isMergeable(Buffer.from('häh\r\n\t')), true);
  assert.equal(isMergeable(Buffer.alloc(0)), true);
  assert.equal(isMergeable(Buffer.from('a\0b')), false);
  assert.equal(isMergeable(Buffer.from('h\xe4h\r\n', 'latin1')), true);
  assert.equal(isMergeable(Buffer.from('\xffa\x01', 'latin1')), false);
  assert.equal(isMergeable(Buffer.alloc(1 << 20, 97)), true);
  assert.equal(isMergeable(Buffer.alloc((1 << 20) + 1, 97)), false);
});
