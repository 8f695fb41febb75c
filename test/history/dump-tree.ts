/** An override tree as text, to compare: the same for trees that show the same. */
import { treeLines } from '../../src/daemon/debug/dump-tree.ts';
import type { OverrideTree } from '../../src/staging/override-tree.ts';

export function dumpTree(tree: OverrideTree): string {
  return `${[...treeLines(tree)].join('\n')}\n`;
}
