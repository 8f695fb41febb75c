/** The tree at a generation, built from the journal alone: what a travel shows. */
import { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { Journal } from '../journal.ts';
import { ContentLine } from '../line/content-line.ts';
import { Replayer } from '../replay.ts';
import { type Epoch, liveRuns, type Segment } from '../segments.ts';

/**
 * A fresh tree with what was staged at a generation of `epoch`; only the segments that make it up are read. All its
 * content is of earlier generations than the present one. Throws JournalDamaged.
 */
export function treeAt(journal: Journal, epoch: Epoch, generation: Gen): OverrideTree {
  return treeOf(journal, liveRuns(epoch, generation));
}

/** What these records make of the base, one run after the other. Throws JournalDamaged. */
export function treeOf(journal: Journal, runs: readonly Pick<Segment, 'start' | 'end'>[]): OverrideTree {
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  const line = new ContentLine();
  for (const { start, end } of runs) {
    for (const read of journal.lines({ from: start, to: end })) {
      if (!line.read(read) || !replayer.applyContent(line)) replayer.apply(journal.decode(read));
    }
  }
  return tree;
}
