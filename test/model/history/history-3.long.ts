/** A quarter of the 10,000 sequences of which history.test.ts runs the first. */
import test from 'node:test';
import { checkSequences } from './check.ts';

test('2,500 sequences of operations and orders leave what full copies have, quarter 3', async (t) => {
  await checkSequences(t, { count: 2_500, part: 3 });
});
