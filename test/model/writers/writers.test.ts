/** Two writers: writers.long.ts has 3,000 sequences. `YOLOFS_TEST_SEED` looks for new cases. */
import test from 'node:test';
import { SEED } from '../../random/seed.ts';
import { playWriters } from './world.ts';

test('D1: no byte of the host is overwritten without a conflict that names it, and no mixture is shown, whoever writes when', async (t) => {
  await playWriters(t, { sequences: 40, seed: SEED });
});
