// A thread whose heap grows, and is trimmed; posts its size at each step.
import { parentPort } from 'node:worker_threads';
import { HeapTrim } from '../../../src/daemon/life/heap-trim.ts';
import { heapSize } from '../../../src/sys/memory.ts';

/** Objects of more than a hundred bytes each. */
function objects(count: number): { n: number; more: number[] }[] {
  return Array.from({ length: count }, (_, n) => ({ n, more: [n, n, n, n, n, n] }));
}

/** Bytes of heap at each step, and how many of the objects that stay are as they were. */
export interface Sizes {
  readonly before: number;
  readonly grown: number;
  readonly notAlone: number;
  readonly trimmed: number;
  readonly again: number;
  readonly kept: number;
}

function grow(): Sizes {
  let isAlone = false;
  const trim = new HeapTrim(() => isAlone);
  const step = (): number => {
    trim.step();
    return heapSize();
  };
  const before = heapSize();
  const kept = objects(10_000);
  let dropped = objects(600_000);
  const grown = dropped.length === 600_000 ? heapSize() : 0;
  dropped = [];
  const notAlone = step();
  isAlone = true;
  const [trimmed, again] = [step(), step()];
  const whole = kept.filter(({ n, more }, i) => n === i && more.length === 6);
  return { before, grown, notAlone, trimmed, again, kept: whole.length };
}

parentPort?.postMessage(grow());
