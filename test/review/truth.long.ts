/** The 2,000 selections of which truth.test.ts runs the first. */
import { test } from 'node:test';
import { has } from '../support/need.ts';
import { playSelections } from './truth.ts';

for (let seed = 2001; seed <= 2010; seed++) {
  test(`200 random selections over random edits, seed ${seed}`, async (t) => {
    if (!has(t, ['git'])) return;
    const inseparable = await playSelections(t, { rounds: 4, files: 50, seed });
    t.diagnostic(`${inseparable} texts could not be told apart`);
  });
}
