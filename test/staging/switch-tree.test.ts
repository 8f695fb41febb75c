/**
 * Travel, without a mount: after random work in random places the live tree must be the one that the journal gives for
 * the target, and a kernel that forgets only what it is told to must show what a full copy of that generation holds.
 */
import test from 'node:test';
import { type FileStep, fileStep } from '../model/history/steps.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { fill, TravellingView } from './travelling-view.ts';

interface Round {
  readonly steps: readonly FileStep[];
  readonly snapshot: boolean;
  /** Where to, of all that there is. */
  readonly target: number;
  readonly restart: 'flushed' | 'killed' | 'journal' | undefined;
}

const steps = fc.array(fileStep, { maxLength: 12, size: 'max' });
const round: fc.Arbitrary<Round> = fc.record({
  steps,
  snapshot: fc.boolean(),
  target: fc.nat(1000),
  restart: fc.option(fc.constantFrom('flushed', 'killed', 'journal'), { freq: 3, nil: undefined }),
});

async function play(rounds: readonly Round[]): Promise<void> {
  const view = new TravellingView(fill);
  try {
    for (const { steps, snapshot, target, restart } of rounds) {
      for (const step of steps) view.do(step);
      if (snapshot) view.snapshot();
      view.travel(target % (view.generation + 1));
      if (restart !== undefined) await view.restart(restart);
    }
    view.visitAll();
  } finally {
    await view.close();
  }
}

test('show() makes the live tree the target, for whoever looks, whatever is open and known', async () => {
  const numRuns = runs(60);
  await fc.assert(fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), play), { numRuns });
});
