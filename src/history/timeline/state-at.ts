/** The tree at a generation, built from the journal alone: what a travel shows. */
import { OverrideTree } from '../../staging/override-tree.ts';
import type { Gen } from '../../sys/bytes.ts';
import type { Journal } from '../log/journal.ts';
import { readRecords } from './replay.ts';
import { Replayer } from './replayer.ts';
import { type Epoch, liveRuns, type Run, runsBetween } from './segments.ts';
import { TreeCopies } from './tree-copies.ts';

/**
 * A fresh tree with what was staged at a generation of `epoch`; only the segments that make it up are read, and of these what
 * comes after the nearest copy in `trees`, if there is one. All its content is of earlier generations than the present one.
 * Throws JournalDamaged.
 */
export function treeAt(journal: Journal, epoch: Epoch, generation: Gen, trees?: string): OverrideTree {
  const nearest = trees === undefined ? undefined : new TreeCopies(trees, journal).nearest(epoch, generation);
  const runs = nearest && runsBetween(epoch, nearest.generation, generation);
  return runs === undefined ? treeOf(journal, liveRuns(epoch, generation)) : treeOf(journal, runs, nearest?.tree);
}

/** What these records make of the base, or of a tree, one run after the other. Throws JournalDamaged. */
export function treeOf(journal: Journal, runs: readonly Run[], tree = new OverrideTree()): OverrideTree {
  const replayer = new Replayer(tree);
  for (const run of runs) readRecords(journal, run, { replayer });
  return tree;
}
