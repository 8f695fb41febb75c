/**
 * Entry of the daemon's process, `node main.js PROJECT`, started by life/start.ts, and of the FUSE thread in it: each runs its bundle as
 * V8 has compiled it for an earlier daemon.
 */
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { loadBundle } from '../sys/process/code-cache.ts';
import { boundHeap } from './life/bound-heap.ts';

/** What both bundles export. `keepCode` is to be called when the daemon ends. */
interface Entry {
  start(keepCode: () => void): Promise<void>;
}

// First of all: V8 takes no code that was compiled with other options.
if (isMainThread) boundHeap();
const bundle = loadBundle(
  fileURLToPath(new URL(`../bin/${isMainThread ? 'daemon' : 'fuse-thread'}.cjs`, import.meta.url)),
);
await (bundle.exports as Entry).start(bundle.keep);
