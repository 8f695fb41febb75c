/** A third of the 300 rounds of which full-disk.test.ts runs the first. */
import { test } from 'node:test';
import { fillQuota } from './rounds.ts';

test('D2: after each of 100 rounds at the quota view, commit and restart are the same, byte for byte', async (t) => {
  await fillQuota(t, { count: 100, part: 1 });
});
