import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEED } from '../random/seed.ts';
import { has } from '../support/need.ts';
import { playSelections } from './truth.ts';

test('of random edits the lines that were taken are in the real files, and those that were rejected are nowhere', async (t) => {
  if (!has(t, ['git'])) return;
  const inseparable = await playSelections(t, { rounds: 2, files: 40, seed: SEED });
  assert.ok(inseparable <= 8, `${inseparable} of 80 texts could not be told apart`);
});
