/** Many questions at once, small; `load.long.ts` has the full size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { underLoad } from './load.ts';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i)).sort();

test('many processes with many questions: each is asked once, all get theirs, and nobody else notices', async (t) => {
  const report = await underLoad(t, { processes: 16, paths: 160, how: 'apart' });
  assert.deepEqual([...report.asked].sort(), numbers(160));
  assert.deepEqual([...report.read].sort(), numbers(160));
  assert.ok(report.busyCost.requests <= report.calmCost.requests * 1.5, JSON.stringify(report));
  assert.ok(report.grown < 40e6, `the daemon has ${report.grown} bytes more`);
});
