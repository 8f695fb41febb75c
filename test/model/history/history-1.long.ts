/** A quarter of the nightly form of history.test.ts; its sequences are other ones each time. */
import test from 'node:test';
import { checkSequences } from './check.ts';

test('2,500 sequences of operations and orders leave what full copies have, quarter 1', async (t) => {
  await checkSequences(t, { count: 2_500, part: 1 });
});
