/** What a person reviews: what is staged, or a range, as the model of reviews has it. */

import type { Conflict } from '../../history/commit/conflict/conflict.ts';
import type { Range } from '../../history/timeline/ranges.ts';
import { type Found, type Review, reviewOf } from '../../review/review.ts';
import { type BytePath, toBytePath } from '../../sys/bytes.ts';
import { homeDirectory } from '../../sys/host/home.ts';
import { foundIn } from '../look/listing.ts';
import type { Reading } from '../look/read-session.ts';

interface Wanted {
  readonly range: Range | undefined;
  /** Nothing is folded. */
  readonly all: boolean;
  readonly isSeen: (what: { readonly path: BytePath; readonly from?: BytePath }) => boolean;
}

export interface Reviewed {
  readonly review: Review;
  /** Changed outside so that nothing differs any more. */
  readonly untold: readonly Conflict[];
}

export function reviewIn(reading: Reading | undefined, { range, all, isSeen }: Wanted): Reviewed {
  if (reading === undefined) return { review: { project: [], outside: [], folded: [], count: 0 }, untold: [] };
  const { base, store, layout } = reading;
  const { found, drift } = foundIn(reading, range);
  const review = reviewOf(onlySeen(found, isSeen), {
    base,
    store,
    all,
    project: toBytePath(layout.project),
    home: homeOf(),
  });
  return { review, untold: drift.untold.filter(isSeen) };
}

function* onlySeen(found: Iterable<Found>, isSeen: Wanted['isSeen']): Generator<Found, void, undefined> {
  for (const one of found) if (isSeen(one.change)) yield one;
}

/** The home directory, by whose name what agents and tools keep there is known; undefined: there is none. */
export function homeOf(): BytePath | undefined {
  const home = homeDirectory();
  return home.startsWith('/') ? toBytePath(home) : undefined;
}
