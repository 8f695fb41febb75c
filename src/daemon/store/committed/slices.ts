/** Work of the main thread that nobody waits for: short slices, and pauses between them in which others have the thread and the disk. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of work between two pauses. */
export const SLICE_MS = 10;
const PAUSE_MS = 40;

/** A daemon that has nothing else to do ends without waiting. */
export async function pause(): Promise<void> {
  await sleep(PAUSE_MS, undefined, { ref: false });
}

/** The same, and on as long as an order is carried out, which may want the same disk. */
export async function pauseUntil(isFree: () => boolean): Promise<void> {
  do await pause();
  while (!isFree());
}
