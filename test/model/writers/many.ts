/** Many worlds, one after the other: two files of them run side by side. */
import test from 'node:test';
import { SEED } from '../../random/seed.ts';
import { playWriters } from './world.ts';

const SEQUENCES = 60;

export function playMany({ worlds, from }: { readonly worlds: number; readonly from: number }): void {
  for (let i = 0; i < worlds; i++) {
    test(`D1: two writers, ${SEQUENCES} sequences, world ${from + i}`, async (t) => {
      await playWriters(t, { sequences: SEQUENCES, seed: SEED * 1000 + from + i });
    });
  }
}
