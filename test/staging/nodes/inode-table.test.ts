/** Node ids: each is given again once the kernel has forgotten it, and whoever keeps something by id hears of it before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InodeTable } from '../../../src/staging/inode-table.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { BytePath, Ino, Name, NodeId } from '../../../src/sys/bytes.ts';
import { ESTALE } from '../../../src/sys/errno.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';

test('forget() frees the id of an inode, and of one out of use, with the last lookup, and it is given again', () => {
  const tree = new OverrideTree();
  const table = new InodeTable(tree.root);
  const freed: NodeId[] = [];
  table.whenFreed((nodeId) => freed.push(nodeId));
  const [one, other] = ['a', 'b'].map((name, i) =>
    tree.scaffold({ dir: tree.root, name: name as Name }, S_IFREG, (i + 2) as Ino),
  );
  assert.ok(one !== undefined && other !== undefined);
  const id = table.ref(one);
  table.ref(one);
  assert.equal(table.forget(id, 1), undefined);
  assert.deepEqual(freed, []);
  assert.equal(table.forget(id, 1), one);
  assert.deepEqual(freed, [id]);
  assert.equal(table.ref(other), id, 'the same id');
  table.retire(other, ESTALE);
  assert.equal(table.whyRetired(id), ESTALE);
  assert.notEqual(table.ref(one), id, 'the kernel still has it');
  assert.equal(table.forget(id, 1), other);
  assert.deepEqual([table.whyRetired(id), freed], [undefined, [id, id]]);
  assert.equal(table.ref(other), id);
});

test('directory() goes through all inodes once for all directories that have moved, or that nobody knows, while that is remembered', () => {
  const tree = new OverrideTree();
  const table = new InodeTable(tree.root);
  const moved = tree.scaffold({ dir: tree.root, name: 'here' as Name }, S_IFDIR, 2 as Ino);
  moved.base = '/there' as BytePath;
  table.ref(moved);
  const { live } = table;
  let walks = 0;
  table.live = function* () {
    walks += 1;
    yield* live.call(table);
  };
  const searched = {};
  for (let i = 0; i < 3; i++) {
    assert.equal(table.directory('/there' as BytePath, searched), moved);
    assert.equal(table.directory(`/nowhere${i}` as BytePath, searched), undefined);
  }
  assert.equal(walks, 1);
  moved.base = '/here' as BytePath;
  assert.equal(
    table.directory('/here' as BytePath, searched),
    moved,
    'where it is at its own path no search is needed',
  );
  assert.equal(walks, 1);
  assert.equal(table.directory('/there' as BytePath), undefined, 'nothing is remembered by itself');
});

test('directory() means one that has lost its place only where no other has the same base entry', () => {
  const tree = new OverrideTree();
  const table = new InodeTable(tree.root);
  const [lost, moved] = ['lost', 'here'].map((name, i) =>
    tree.scaffold({ dir: tree.root, name: name as Name }, S_IFDIR, (i + 2) as Ino),
  );
  assert.ok(lost !== undefined && moved !== undefined);
  for (const inode of [lost, moved]) {
    inode.base = '/there' as BytePath;
    table.ref(inode);
  }
  tree.root.children?.delete('lost' as Name);
  lost.parent = undefined;
  assert.equal(table.directory('/there' as BytePath), moved);
  table.forget(moved.nodeId, 1);
  assert.equal(table.directory('/there' as BytePath), lost);
});
