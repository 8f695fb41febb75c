/** Runs random sequences, each in a world of its own. */
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { outsideStory, type Step, story } from './steps.ts';
import { type Tally, World } from './world.ts';

interface Sequences {
  /** How many there are, but for $YOLOFS_MODEL_RUNS; and where they begin, but for $YOLOFS_TEST_SEED. */
  readonly count: number;
  readonly seed: number;
  /** Whether somebody changes the real files meanwhile. */
  readonly outside?: boolean;
}

/** Fails with the shortest sequence that can be found when one of them goes wrong. */
export async function checkSequences(t: TestContext, { count, seed: fixedSeed, outside }: Sequences): Promise<void> {
  const seed = Number(process.env.YOLOFS_TEST_SEED ?? fixedSeed);
  t.diagnostic(`YOLOFS_TEST_SEED=${seed}`);
  const reached: Tally = new Map();
  await fc.assert(
    fc.asyncProperty(outside ? outsideStory : story, ({ steps, links }) => runSteps(steps, { links, reached })),
    {
      numRuns: Number(process.env.YOLOFS_MODEL_RUNS ?? count),
      seed,
      includeErrorInReport: true,
    },
  );
  t.diagnostic([...reached].map(([kind, times]) => `${kind} ${times}`).join(', '));
}

interface How {
  /** Whether files may have several names. */
  readonly links?: boolean | undefined;
  /** Counts what is really done. */
  readonly reached?: Tally;
}

/** Takes the steps one after the other. */
export async function runSteps(steps: readonly Step[], { links = true, reached = new Map() }: How = {}): Promise<void> {
  const world = new World(links, reached);
  try {
    for (const [i, step] of steps.entries()) {
      try {
        await world.take(step);
      } catch (error) {
        throw new Error(`step ${i}, ${JSON.stringify(step)}: ${(error as Error).message}`, { cause: error });
      }
    }
    await world.revisit();
  } finally {
    await world.close();
  }
}
