/**
 * The same with somebody who changes the real files meanwhile: what is in conflict is refused and named, what becomes of it is
 * what was said, and nothing that was written outside is lost.
 */
import test from 'node:test';
import { checkSequences } from './check.ts';

test('nothing that somebody changes outside is written over, lost, or taken for staged', async (t) => {
  await checkSequences(t, { count: 50, outside: true });
});
