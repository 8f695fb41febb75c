/** A third of the 300 rounds of which full-disk.test.ts runs the first. */
import { test } from 'node:test';
import { isRoot } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';
import { fillDisk } from './rounds.ts';

test('D2: after each of 100 rounds on a full disk view, commit and restart are the same, part 1', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount a small disk');
  await fillDisk(t, { count: 100, part: 1 });
});
