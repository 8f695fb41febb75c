/**
 * Whatever is done in whatever order, the view, the base and every generation are what a model says that keeps full
 * copies of everything. A failure prints the seed and the shortest sequence found; `YOLOFS_TEST_SEED` repeats it.
 */
import test from 'node:test';
import { checkSequences } from './check.ts';

test('any sequence of operations and orders leaves view, base and generations as full copies have them', async (t) => {
  await checkSequences(t, { count: 300 });
});
