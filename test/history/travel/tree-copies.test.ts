/** Copies of trees that travels start from: the state is the one that all records give, or the copy is not used. */
import assert from 'node:assert/strict';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { copyTrees } from '../../../src/history/timeline/copy-trees.ts';
import { Markers } from '../../../src/history/timeline/markers.ts';
import { currentEpoch, type Epoch } from '../../../src/history/timeline/segments.ts';
import { treeAt } from '../../../src/history/timeline/state-at.ts';
import { TreeCopies } from '../../../src/history/timeline/tree-copies.ts';
import type { Gen } from '../../../src/sys/bytes.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { dumpTree } from '../dump-tree.ts';
import { HistoryView } from '../history-view.ts';
import { fill, step, take } from '../view-steps.ts';

const EACH = { step: 0, share: 0 };

/** Steps, and between them a snapshot with copies made or a travel by way of these. */
const move = fc.record({ kind: fc.constantFrom('keep', 'keep', 'travel', 'reset'), to: fc.nat(999) });
const story = fc.array(fc.oneof({ weight: 5, arbitrary: step }, { weight: 3, arbitrary: move }), {
  maxLength: 60,
  size: 'max',
});

function epochOf({ history }: HistoryView): Epoch {
  return currentEpoch(new Markers(history.journal).timeline());
}

/** As the daemon does it, with the copies. */
function travel(view: HistoryView, to: number): void {
  view.history.snapshot('before');
  const epoch = epochOf(view);
  const target = (epoch.base + (to % (view.history.generation - epoch.base + 1))) as Gen;
  const tree = treeAt(view.history.journal, epoch, target, view.layout.trees);
  assert.equal(typeof view.history.travel(target, ''), 'object');
  view.overlay.treeSwitch.show(tree);
}

function reset(view: HistoryView): void {
  view.history.snapshot('before abort');
  assert.equal(view.history.recordReset('A', 1), 0);
  view.overlay.treeSwitch.discard();
  view.history.emptied(view.tree);
  view.history.snapshot('abort');
}

/** That each state of the epoch is the same with and without copies; how many used one. */
function compare(view: HistoryView): number {
  const [{ journal, generation }, { trees }, epoch] = [view.history, view.layout, epochOf(view)];
  let used = 0;
  for (let at = epoch.base; at <= generation; at = (at + 1) as Gen) {
    const plain = dumpTree(treeAt(journal, epoch, at));
    assert.equal(dumpTree(treeAt(journal, epoch, at, trees)), plain, `generation ${at}`);
    if (new TreeCopies(trees, journal).nearest(epoch, at) !== undefined) used += 1;
  }
  return used;
}

test('treeAt() gives with copies what all records give, whatever was done, travelled and given up', async () => {
  let used = 0;
  const property = fc.asyncProperty(story, async (all) => {
    const view = new HistoryView(fill);
    try {
      for (const each of all) {
        if (each.kind === 'keep') {
          view.history.snapshot('kept');
          await copyTrees(view.layout, EACH);
        } else if (each.kind === 'travel') travel(view, Number(each.to));
        else if (each.kind === 'reset') reset(view);
        else await take(view, each as Parameters<typeof take>[1]);
      }
      used += compare(view);
      await view.restart();
      used += compare(view);
    } finally {
      await view.close();
    }
  });
  await fc.assert(property, { numRuns: runs(40) });
  assert.ok(used > 0, 'copies were used');
});

test('a copy that is torn, of another journal or of another generation is not used', async () => {
  const view = new HistoryView(fill);
  try {
    for (const name of ['d', 'e']) {
      await take(view, { kind: 'create', path: name });
      view.history.snapshot(name);
    }
    await copyTrees(view.layout, EACH);
    const { trees } = view.layout;
    const files = (): string[] => readdirSync(trees).filter((name) => name.endsWith('.mdb'));
    assert.deepEqual(files(), ['1.mdb', '2.mdb']);
    const isUsed = (at: number): boolean =>
      new TreeCopies(trees, view.history.journal).nearest(epochOf(view), at as Gen) !== undefined;
    assert.deepEqual([isUsed(1), isUsed(2)], [true, true]);
    truncateSync(`${trees}/1.mdb`, 4096);
    writeFileSync(`${trees}/2.mdb`, 'no tree');
    assert.deepEqual([isUsed(1), isUsed(2)], [false, false]);
    assert.equal(compare(view), 0);
    await copyTrees(view.layout, EACH);
    assert.deepEqual(files(), [], 'what cannot be used goes');
    await copyTrees(view.layout, EACH);
    assert.deepEqual([files(), isUsed(1), isUsed(2)], [['1.mdb', '2.mdb'], true, true]);
    reset(view);
    await copyTrees(view.layout, EACH);
    assert.deepEqual(files(), ['4.mdb'], 'those of an epoch that is over go');
  } finally {
    await view.close();
  }
});
