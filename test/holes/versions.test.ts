/** Holes 1 to 4 of the reference system (yolofs.md 9.1): versions and travel. Each fails on what it does. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Markers } from '../../src/history/timeline/markers.ts';
import { currentEpoch } from '../../src/history/timeline/segments.ts';
import { treeAt } from '../../src/history/timeline/state-at.ts';
import type { BytePath, Gen } from '../../src/sys/bytes.ts';
import { HistoryView } from '../history/history-view.ts';
import { session } from '../support/session.ts';
import { assertSameTree } from '../support/tree.ts';

test('hole 1: a write after a travel is recorded, and leaves the snapshot it started from as it was', async (t) => {
  const s = await session(t);
  await s.sh('echo one > file; echo new > born');
  const first = await s.tree({ mtime: true });
  await s.sh('echo two > file');
  await s.succeed(['travel', '1']);
  const { stderr } = await s.cli(['run', '-c', 'echo three >> file; echo four >> born; echo five >> hello.txt']);
  assert.match(stderr, /born/);
  const generation = JSON.parse(await s.succeed(['status', '--json'])) as { generation: number };
  assert.equal(generation.generation, 4, 'the run took no snapshot');
  await s.succeed(['travel', '1']);
  assertSameTree(await s.tree({ mtime: true }), first, 'generation 1 has changed');
  await s.killDaemon();
  assertSameTree(await s.tree({ mtime: true }), first, 'generation 1 has changed after a kill');
  await s.succeed(['travel', '4']);
  assert.equal(await s.sh('cat file born hello.txt'), 'one\nthree\nnew\nfour\nbase content\nfive\n');
});

test('hole 3: generations are not limited to 65,535', async () => {
  const view = new HistoryView(() => undefined);
  try {
    const at = `${view.dir}/file` as BytePath;
    view.driver.create(at, 0o644);
    view.driver.write(at, 0, 'first');
    for (let i = 0; i < 70_000; i++) view.history.snapshot('');
    view.driver.write(at, 0, 'later');
    assert.equal(view.history.generation, 70_000);
    await view.restart();
    assert.equal(view.history.generation, 70_000);
    const { journal } = view.history;
    const tree = treeAt(journal, currentEpoch(new Markers(journal).timeline()), 66_000 as Gen);
    const [object] = [...tree.dirtyInodes].flatMap(({ staged }) => (staged?.object ? [staged.object] : []));
    assert.equal(object, 1, 'generation 66,000 has another content');
  } finally {
    await view.close();
  }
});

test('hole 3: a tree that is deep, wide and long in its names comes back with a travel', async (t) => {
  const s = await session(t);
  const deep = Array.from({ length: 60 }, (_, i) => `directory-${i}`).join('/');
  await s.sh(`mkdir -p ${deep}; echo deep > ${deep}/file; mkdir wide; cd wide; seq 70000 | xargs touch`, {
    timeout: 120_000,
  });
  await s.sh(`rm -r wide directory-0`, { timeout: 120_000 });
  await s.succeed(['travel', '1'], { timeout: 120_000 });
  assert.equal(await s.sh(`cat ${deep}/file; ls wide | wc -l`), 'deep\n70000\n');
});

test('hole 4: opening a file of a snapshot for writing copies nothing; the first write does', async (t) => {
  const s = await session(t);
  await s.sh('head -c 100000 /dev/zero > big');
  const objects = (): number =>
    readdirSync(join(s.layout.store, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\/\d+$/.test(name),
    ).length;
  const before = objects();
  await s.sh(': >> big; : >> hello.txt');
  assert.equal(objects(), before);
  assert.deepEqual(await s.changeLines(), ['added big']);
  await s.sh('printf x >> big');
  assert.equal(objects(), before + 1);
});
