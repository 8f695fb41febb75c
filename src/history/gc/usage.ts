/** What each generation adds to the store: the objects that the journal first names in the segment it captured. */
import { setImmediate as pause } from 'node:timers/promises';
import type { ObjectStore } from '../../staging/object-store.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { Journal } from '../log/journal.ts';
import type { Tag } from '../log/record.ts';
import { type Occupied, occupiedBy, storedObjects } from './store-walk.ts';

export interface Added extends Occupied {
  readonly files: number;
}

export interface StoreUsage {
  /** By the generation whose marker captured them, ascending; those that add nothing, or nothing any more, are left out. */
  readonly generations: readonly (Added & { readonly generation: Gen })[];
  /** Written after the last marker. */
  readonly present: Added;
  /** Not named by the journal: left over by a crash, or of a file without a name. */
  readonly unnamed: Added;
}

const TAGS: ReadonlySet<Tag> = new Set<Tag>(['S', 'P', 'T']);
const NOTHING: Added = { files: 0, bytes: 0, length: 0 };
/** Objects looked at in a row. */
const BURST = 256;

/** Reads the whole journal once, and looks at every object. Throws SystemError, JournalDamaged. */
export async function storeUsage(journal: Journal, store: ObjectStore): Promise<StoreUsage> {
  const { firstNamed, last } = readNames(journal);
  const sums = new Map<number, Added>();
  let looked = 0;
  for (const object of storedObjects(store)) {
    if (++looked % BURST === 0) await pause();
    const named = (firstNamed[object] ?? 0) - 1;
    const { bytes, length } = occupiedBy(store, object) ?? NOTHING;
    const sum = sums.get(named) ?? NOTHING;
    sums.set(named, { files: sum.files + 1, bytes: sum.bytes + bytes, length: sum.length + length });
  }
  const sorted = [...sums].sort(([a], [b]) => a - b);
  return {
    generations: sorted.flatMap(([named, sum]) => {
      return named < 0 || named >= last ? [] : [{ generation: (named + 1) as Gen, ...sum }];
    }),
    present: sums.get(last) ?? NOTHING,
    unnamed: sums.get(-1) ?? NOTHING,
  };
}

/** By object: one more than the generation in force when it was first named; 0 = never. */
function readNames(journal: Journal): { firstNamed: Uint32Array; last: number } {
  let firstNamed = new Uint32Array(1024);
  let last = 0;
  for (const { record } of journal.scan({ only: TAGS })) {
    const { body, generation } = record;
    last = generation;
    if (body.tag !== 'S' || body.object === 0) continue;
    if (body.object >= firstNamed.length) firstNamed = grown(firstNamed, body.object);
    firstNamed[body.object] ||= generation + 1;
  }
  return { firstNamed, last };
}

function grown(from: Uint32Array, index: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(from.length * 2, index + 1));
  larger.set(from);
  return larger;
}
