/** The tree at a generation, built from the journal alone: what a travel shows. */
import { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { Journal } from '../journal.ts';
import { readRecords } from '../replay.ts';
import { Replayer } from '../replayer.ts';
import { type Epoch, liveRuns, type Run } from '../segments.ts';

/**
 * A fresh tree with what was staged at a generation of `epoch`; only the segments that make it up are read. All its
 * content is of earlier generations than the present one. Throws JournalDamaged.
 */
export function treeAt(journal: Journal, epoch: Epoch, generation: Gen): OverrideTree {
  return treeOf(journal, liveRuns(epoch, generation));
}

/** What these records make of the base, one run after the other. Throws JournalDamaged. */
export function treeOf(journal: Journal, runs: readonly Run[]): OverrideTree {
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  for (const run of runs) readRecords(journal, run, { replayer });
  return tree;
}
