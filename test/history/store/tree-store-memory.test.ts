import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { initialState } from '../../../src/history/log/session-state.ts';
import { TreeStore } from '../../../src/history/timeline/store/tree-store.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Name } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';
import { dumpTree } from '../dump-tree.ts';
import { scratch } from '../samples.ts';
import { fresh, TIME } from './growing-tree.ts';

/** Kilobytes of the file at `path` that this process has in its memory. */
function resident(path: string): number {
  const [, ...parts] = readFileSync('/proc/self/smaps', 'latin1').split(new RegExp(`^.* ${path}$`, 'm'));
  assert.ok(parts.length > 0, 'it is mapped');
  return parts.reduce((sum, part) => sum + Number(/^Rss: +(\d+)/m.exec(part)?.[1]), 0);
}

test('load() gives the pages that it read back, and they are there again for whoever reads on', (t) => {
  const path = join(scratch(t), 'tree.mdb');
  const meta = { ...initialState(), journalOffset: 1, journalSum: '0123abcd', journalStamp: '' };
  const tree = new OverrideTree();
  const dir = tree.create(tree.place('/dir' as BytePath), fresh(S_IFDIR, 1), TIME);
  for (let n = 0; n < 5000; n++) tree.create({ dir, name: `${n}` as Name }, fresh(S_IFREG, n), TIME);
  const store = TreeStore.open(path);
  t.after(() => store.close());
  assert.ok(store.save(tree, meta));
  const reader = TreeStore.open(path, { readOnly: true });
  t.after(() => reader.close());
  for (let again = 0; again < 2; again++) {
    const loaded = store.load();
    assert.ok(resident(path) < 64, `${resident(path)} kB`);
    assert.deepEqual(loaded && dumpTree(loaded.tree), dumpTree(tree));
  }
  tree.create({ dir, name: 'more' as Name }, fresh(S_IFREG, 1), TIME);
  assert.ok(store.save(tree, meta));
  assert.deepEqual(dumpTree(store.load()?.tree ?? new OverrideTree()), dumpTree(tree));
});
