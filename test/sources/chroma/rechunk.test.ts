import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rechunk } from '../../../src/sources/adapters/chroma/rechunk.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';

const text = fc.array(fc.constantFrom('a', 'b', '\n', 'é', '😀'), { maxLength: 12 }).map((letters) => letters.join(''));
const chunks = fc.array(text, { maxLength: 6 });

test('rechunk() makes pieces that together are the content, and keeps chunks that are still part of it', () => {
  fc.assert(
    fc.property(chunks, chunks, fc.nat(), fc.nat(), (before, inserted, from, to) => {
      const [first = 0, last = 0] = [from, to].map((at) => at % (before.length + 1)).sort((one, other) => one - other);
      const content = [...before.slice(0, first), ...inserted, ...before.slice(last)].join('');
      const pieces = rechunk(content, before, 16);
      assert.equal(pieces.map((piece) => piece.text).join(''), content);
      assert.ok(pieces.length > 0);
      const kept = pieces.filter((piece) => piece.kept !== undefined);
      for (const piece of kept) assert.equal(piece.text, before[piece.kept ?? -1]);
      assert.equal(new Set(kept.map((piece) => piece.kept)).size, kept.length, 'none twice');
      for (const piece of pieces) assert.ok(piece.kept !== undefined || Buffer.byteLength(piece.text) <= 16);
      if (!before.includes('')) assert.ok(kept.length >= first + (before.length - last), 'what was not touched stays');
    }),
    { numRuns: runs(300) },
  );
});

test('rechunk() cuts after lines, in the size of the chunks found', () => {
  const before = ['x'.repeat(1_499).concat('\n')];
  const lines = Array.from({ length: 50 }, (_, at) => `${at} ${'y'.repeat(97)}\n`);
  const pieces = rechunk(lines.join(''), before, 1_000_000);
  assert.ok(pieces.every(({ text }) => text.endsWith('\n') && text.length <= 1_500));
  assert.equal(pieces.length, 4);
});
