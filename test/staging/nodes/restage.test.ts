/** What the kernel must hear of when what a commit had made the base's is staged again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContentFiles } from '../../../src/staging/content-files.ts';
import type { Core } from '../../../src/staging/core.ts';
import type { Inode } from '../../../src/staging/inode.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import { restage } from '../../../src/staging/switch/restage.ts';
import type { BytePath, Ino } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';

/** A tree with a directory, and two files in it, of these numbers. */
function tree(numbers: readonly [number, number], isStaged: boolean): { tree: OverrideTree; nodes: Inode[] } {
  const made = new OverrideTree();
  const nodes = [
    made.resolve('/dir' as BytePath, S_IFDIR, 10 as Ino),
    ...numbers.map((ino, i) => made.resolve(`/dir/${i}` as BytePath, S_IFREG, ino as Ino)),
  ];
  for (const node of isStaged ? nodes : []) made.stage(node);
  return { tree: made, nodes };
}

test('restage() tells of directories, and of files that get another number', () => {
  const live = tree([11, 12], false);
  const dropped: Inode[] = [];
  const files = { drop: (inode: Inode) => dropped.push(inode) } as unknown as ContentFiles;
  const core = { tree: live.tree, layers: { files } } as unknown as Core;
  const target = tree([11, 13], true);
  const { elsewhere, changed, original } = restage(core, target.tree, new Map());
  const [dir, first, second] = live.nodes;
  assert.deepEqual(changed, [dir, second]);
  assert.deepEqual([elsewhere, dropped, original], [[], [first, second], [first, second]]);
  assert.deepEqual(
    live.nodes.map(({ ino, staged }) => [ino, staged]),
    target.nodes.map(({ ino, staged }) => [ino, staged]),
  );
});
