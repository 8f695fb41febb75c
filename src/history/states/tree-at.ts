/** The override tree of a state, made anew from the journal's records. */
import { OverrideTree } from '../../staging/override-tree.ts';
import type { Journal } from '../journal.ts';
import type { StatePoint } from '../ranges.ts';
import { Replayer } from '../replay.ts';
import { liveSegments } from '../segments.ts';

/** Replays what leads to a state of its epoch. Costs what the epoch's live records do. Throws JournalDamaged. */
export function treeAt(journal: Journal, { epoch, generation }: StatePoint): OverrideTree {
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  for (const { start, end } of liveSegments(epoch, generation)) {
    for (const { record } of journal.scan({ from: start, to: end })) replayer.apply(record);
  }
  return tree;
}
