/**
 * Entry of the daemon's process, `node main.js PROJECT`, started by life/start.ts, and of the threads in it that each session has: each
 * runs its bundle as V8 has compiled it for an earlier one.
 */
import { fileURLToPath } from 'node:url';
import { isMainThread, workerData } from 'node:worker_threads';
import { loadBundle } from '../sys/process/code-cache.ts';
import type { ThreadStart } from './entries.ts';
import { boundHeap } from './life/bound-heap.ts';

/** What all bundles export. `keepCode` is to be called when most of it has been at work. */
interface Entry {
  start(keepCode: () => void): unknown;
}

// First of all: V8 takes no code that was compiled with other options.
if (isMainThread) boundHeap();
const program = isMainThread ? 'daemon' : (workerData as ThreadStart).program;
const bundle = loadBundle(fileURLToPath(new URL(`../bin/${program}.cjs`, import.meta.url)));
await (bundle.exports as Entry).start(bundle.keep);
