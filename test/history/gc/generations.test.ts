import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeRanges, Generations, type GenRange, rangesOf } from '../../../src/history/log/generations.ts';
import { parseGeneration } from '../../../src/history/timeline/ranges.ts';
import { buildTimeline } from '../../../src/history/timeline/segments.ts';
import type { Gen } from '../../../src/sys/bytes.ts';
import { fc } from '../../random/fast-check.ts';
import { journalOf, record, snapshot } from '../samples.ts';

const gen = (n: number): Gen => n as Gen;

test('Generations is the set of the numbers that were put in, as ranges that do not touch', () => {
  const range = fc.tuple(fc.nat(40), fc.nat(10)).map(([from, length]) => ({ from: gen(from), to: gen(from + length) }));
  fc.assert(
    fc.property(fc.array(range), fc.array(range), (first, second) => {
      const expected = new Set<number>();
      for (const { from, to } of [...first, ...second]) for (let n = from; n <= to; n++) expected.add(n);
      const set = new Generations(first);
      set.addAll(second);
      for (let n = -1; n < 60; n++) assert.equal(set.has(gen(n)), expected.has(n), `${n}`);
      assert.equal(set.size, expected.size);
      const { ranges } = set;
      for (const [i, { from }] of ranges.entries()) assert.ok(i === 0 || from > (ranges[i - 1] as GenRange).to + 1);
      assert.deepEqual(rangesOf([...expected].map(gen)), ranges);
    }),
  );
});

test('describeRanges() is for people', () => {
  assert.equal(describeRanges(rangesOf([7, 1, 3, 2].map(gen))), '1-3, 7');
});

test('a generation that an X record names cannot be gone to, and says why', (t) => {
  const dropped = { tag: 'X', generations: [{ from: gen(1), to: gen(2) }], commit: 0 } as const;
  const records = [1, 2, 3].map((n) => record(snapshot(`s${n}`), n));
  const { journal } = journalOf(t, [...records, record(dropped, 3)]);
  const timeline = buildTimeline(journal.scan(), { start: 0, end: journal.size });
  assert.deepEqual(parseGeneration('2', timeline), { error: 'generation 2 is no longer kept (gc)' });
  assert.equal(parseGeneration('3', timeline), 3);
  assert.equal(parseGeneration('0', timeline), 0);
});
