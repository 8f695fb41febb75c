/** Many entries in requests that a server answers at one go. */
import type { Entry } from '../source.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** What an entry counts whose size nobody knows. */
const UNKNOWN_BYTES = 128 * 1024;

/** How many requests wait at once, unless it is said. */
const AT_ONCE = 4;

/** In their order, at most `most` in each, and 16 MiB of what their sizes say. */
export function batchesOf(entries: readonly Entry[], most: number): Entry[][] {
  const batches: Entry[][] = [];
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.size ?? UNKNOWN_BYTES;
    if (batch.length === most || (batch.length > 0 && bytes + size > MOST_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** Does `work` for each, some at once; results in the order of the items. */
export async function eachOf<T, R>(items: readonly T[], work: (item: T) => Promise<R>, atOnce = AT_ONCE): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const i = next++;
      results[i] = await work(items[i] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
