/** The 3,000 sequences of which writers.test.ts runs the first: worlds of their own, one after the other, always the same. */
import test from 'node:test';
import { playWriters } from './world.ts';

const SEQUENCES = 60;
const WORLDS = 50;
const FIRST_SEED = 1101;

for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed++) {
  test(`D1: two writers, ${SEQUENCES} sequences, world ${seed}`, async (t) => {
    await playWriters(t, { sequences: SEQUENCES, seed });
  });
}
