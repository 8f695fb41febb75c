/** How many files of a search are opened at one go: more where they are small, so that their contents come in fewer answers. */
import type { Step } from './walk.ts';

const FIRST = 256;
const LARGEST = 2048;
/** Of the contents of a batch; after one with less the next is twice as large. */
const LITTLE = 4 * 1024 * 1024;

/** All steps, in batches; `bytesRead` says how much was looked at so far. */
export function* batchesOf(steps: Iterable<Step>, bytesRead: () => number): Generator<readonly Step[]> {
  let batch: Step[] = [];
  let most = FIRST;
  let before = bytesRead();
  for (const step of steps) {
    batch.push(step);
    if (batch.length < most) continue;
    yield batch;
    const now = bytesRead();
    most = now - before < LITTLE ? Math.min(most * 2, LARGEST) : FIRST;
    before = now;
    batch = [];
  }
  yield batch;
}
