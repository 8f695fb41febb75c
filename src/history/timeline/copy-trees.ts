/** Makes the copies that travels start from (tree-copies.ts), beside the daemon's other threads: it only reads the journal. */
import { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { Layout } from '../layout.ts';
import { Journal } from '../log/journal.ts';
import { Markers } from './markers.ts';
import { readRecords } from './replay.ts';
import { Replayer } from './replayer.ts';
import { currentEpoch, currentGeneration, type Epoch, liveSegments, type Marker, segmentsBetween } from './segments.ts';
import { TreeCopies } from './tree-copies.ts';

/** So many bytes of records a travel may have to read, some 60,000. */
export const STEP = 8 * 2 ** 20;
/** Of the bytes of records between two copies, a copy takes no more than one in so many. */
export const SHARE = 4;

/** How far apart copies are at least; see `STEP` and `SHARE`. */
export interface Spacing {
  readonly step: number;
  readonly share: number;
}

/** Copies what lies on the way to the present state. Rejects with JournalDamaged, SystemError. */
export async function copyTrees(
  layout: Pick<Layout, 'journal' | 'trees'>,
  { step, share }: Spacing = { step: STEP, share: SHARE },
): Promise<void> {
  const journal = Journal.open(layout.journal, { readOnly: true });
  try {
    // One journal from here on, whatever is appended meanwhile.
    journal.cut(journal.size);
    const epoch = currentEpoch(new Markers(journal).timeline());
    const copies = new TreeCopies(layout.trees, journal);
    for (const generation of copies.generations()) if (generation <= epoch.base) copies.remove(generation);
    if (epoch.end - epoch.start >= step) await goAlong({ journal, epoch, copies, step, share });
  } finally {
    journal.close();
  }
}

interface Way extends Spacing {
  readonly journal: Journal;
  readonly epoch: Epoch;
  readonly copies: TreeCopies;
}

async function goAlong({ journal, epoch, copies, step, share }: Way): Promise<void> {
  const now = currentGeneration(epoch);
  const nearest = copies.nearest(epoch, now);
  const since = nearest && segmentsBetween(epoch, nearest.generation, now);
  const tree = (since && nearest?.tree) ?? new OverrideTree();
  const replayer = new Replayer(tree);
  const snapshots = new Map<number, Marker>();
  for (const marker of epoch.markers) if (marker.kind === 'snapshot') snapshots.set(marker.offset, marker);
  let [kept, bytes]: [Gen | undefined, number] = [since && nearest?.generation, 0];
  for (const segment of since ?? liveSegments(epoch, now)) {
    readRecords(journal, segment, { replayer });
    bytes += segment.end - segment.start;
    const marker = snapshots.get(segment.end);
    if (marker === undefined || bytes < Math.max(step, kept === undefined ? 0 : share * copies.sizeOf(kept))) continue;
    if (copies.has(marker.generation)) {
      // It could not be used, and may still be open: the next time it is made.
      copies.remove(marker.generation);
      continue;
    }
    if (!(await copies.keep(tree, marker))) return;
    [kept, bytes] = [marker.generation, 0];
  }
}
