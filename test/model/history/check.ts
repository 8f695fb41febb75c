/** Runs random sequences, each in a world of its own. */
import type { TestContext } from 'node:test';
import { fc } from '../../random/fast-check.ts';
import { runs, SEED } from '../../random/seed.ts';
import { outsideStory, type Step, story } from './steps.ts';
import { type Tally, World } from './world.ts';

interface Sequences {
  /** How many there are, but for $YOLOFS_MODEL_RUNS. */
  readonly count: number;
  /** Which part of them: parts that run at one time are to be different ones. */
  readonly part?: number;
  /** Whether somebody changes the real files meanwhile. */
  readonly outside?: boolean;
}

/** Fails with the shortest sequence that can be found when one of them goes wrong. */
export async function checkSequences(t: TestContext, { count, part = 0, outside }: Sequences): Promise<void> {
  const seed = SEED + part;
  t.diagnostic(`YOLOFS_TEST_SEED=${seed}`);
  const reached: Tally = new Map();
  await fc.assert(
    fc.asyncProperty(outside ? outsideStory : story, ({ steps, links }) => runSteps(steps, { links, reached })),
    { numRuns: runs(count), seed },
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
