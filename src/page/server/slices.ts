/** Work of some length, a little at a time: whatever else comes in has its turn in between. */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 15;

/** Takes all steps, and returns what they come to. Rejects with what a step throws. */
export async function inSlices<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < end);
    await setImmediate();
  }
}
