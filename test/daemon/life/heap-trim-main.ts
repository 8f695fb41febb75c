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
  /** Bytes of the process that are in memory, when the heap had grown, and at last. */
  readonly resident: { readonly grown: number; readonly trimmed: number };
}

/** As the FUSE thread sleeps: its event loop does not turn. */
const SLEEP = new Int32Array(new SharedArrayBuffer(4));

/** Other threads may give pages back that this one's heap has left. */
function residentBelow(bytes: number): number {
  for (let tries = 0; tries < 100 && process.memoryUsage.rss() >= bytes; tries += 1) Atomics.wait(SLEEP, 0, 0, 50);
  return process.memoryUsage.rss();
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
  const resident = process.memoryUsage.rss();
  dropped = [];
  const notAlone = step();
  isAlone = true;
  const [trimmed, again] = [step(), step()];
  const whole = kept.filter(({ n, more }, i) => n === i && more.length === 6);
  const atLast = { grown: resident, trimmed: residentBelow(resident - (grown - before) / 2) };
  return { before, grown, notAlone, trimmed, again, kept: whole.length, resident: atLast };
}

parentPort?.postMessage(grow());
