/** The nightly form of history.test.ts. */
import test from 'node:test';
import { checkSequences } from './check.ts';

test('10,000 sequences of operations and orders leave what full copies have', { timeout: 3_600_000 }, async (t) => {
  await checkSequences(t, 10_000, Date.now() % 1_000_000_000);
});
