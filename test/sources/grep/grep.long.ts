/** 5,000 random command lines: the same as GNU grep; says which share of the files a server would have been asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEED } from '../../random/seed.ts';
import { compareRandom } from './compare.ts';

test('5,000 random patterns are as in GNU grep, and nothing is missed by the plan', async (t) => {
  const { files, read, matched } = await compareRandom(5_000, SEED + 1);
  t.diagnostic(`${files} files: ${read} read, ${matched} matched`);
  assert.ok(matched > 1_000 && files > read);
});
