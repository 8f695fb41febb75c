/** Memory that this process holds and has no use for. Only how much it occupies changes, never what it finds there. */
import { readFileSync, statSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { bind, isGlibc } from './kernel/ffi.ts';

const MADV_DONTNEED = 4;

const madvise = bind('int madvise(uint64_t, uint64_t, int)');
/** musl's has no such function, and keeps little back. */
const trim = isGlibc ? bind('int malloc_trim(size_t)') : undefined;

/** Gives back what the C library keeps of memory that was freed, by threads that have ended above all. */
export function releaseFreed(): void {
  trim?.(0);
}

/**
 * Gives back the pages of a file (its path as text) that is mapped as a shared one: they stay in the kernel's cache, and whoever
 * reads there again gets them from it. Does nothing when the file is not mapped or not there.
 */
export function releaseMapped(path: string): void {
  const ino = statSync(path, { throwIfNoEntry: false })?.ino;
  for (const line of readFileSync('/proc/self/maps', 'latin1').split('\n')) {
    // proc_pid_maps(5). The device is not always the one that stat(2) tells, and the path is the real one.
    const [range = '', access = '', , , inode, name] = line.split(/ +/, 6);
    if (Number(inode) !== ino || !access.endsWith('s') || name === undefined) continue;
    const [start = 0, end = 0] = range.split('-').map((hex) => Number.parseInt(hex, 16));
    madvise(start, end - start, MADV_DONTNEED);
  }
}

/** Bytes that the heap of this thread occupies, whether anything lives there or not. */
export function heapSize(): number {
  return getHeapStatistics().total_heap_size;
}

/** Since V8 12 (Node 22) a thread keeps the pages that its heap has left, until its event loop turns, or memory is short. */
const KEEPS_PAGES = Number.parseInt(process.versions.v8, 10) >= 12;
/** As if it were, which gives them back. Older ones take any options for a wish to look at what is fresh alone. */
const AS_LAST_RESORT = { type: 'major', execution: 'sync', flavor: 'last-resort' } as const;

/**
 * Collects what nobody needs of this thread's heap, moves together what is left, and gives the rest back, where node was started with
 * `--expose-gc`. The thread stands still meanwhile.
 */
export function collectGarbage(): void {
  // The types are those of Node 20.
  const gc = globalThis.gc as ((options?: unknown) => void) | undefined;
  if (gc === undefined) return;
  // Only a matter of taste of the collector: one in another thread at this moment may follow it, too. What was compiled is to stay.
  setFlagsFromString('--compact-on-every-full-gc');
  setFlagsFromString('--no-flush-bytecode');
  if (KEEPS_PAGES) gc(AS_LAST_RESORT);
  else gc();
  setFlagsFromString('--flush-bytecode');
  setFlagsFromString('--no-compact-on-every-full-gc');
}
