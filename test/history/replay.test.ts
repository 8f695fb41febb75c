import assert from 'node:assert/strict';
import { linkSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Body } from '../../src/history/log/record.ts';
import { FIRST_INO, initialState, type SessionState } from '../../src/history/log/session-state.ts';
import { replay } from '../../src/history/timeline/replay.ts';
import { OverrideTree } from '../../src/staging/override-tree.ts';
import type { BytePath, Gen } from '../../src/sys/bytes.ts';
import { S_IFREG } from '../../src/sys/stat.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { dumpTree } from './dump-tree.ts';
import { HistoryView } from './history-view.ts';
import { journalOf, newFile, record, snapshot } from './samples.ts';
import { fill, step, take } from './view-steps.ts';

const RUNS = runs(200);

test('replay() and the tree store give the tree that the live view had, whatever was done', async () => {
  const steps = fc.array(step, { maxLength: 80, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const view = new HistoryView(fill);
      try {
        for (const each of all) await take(view, each);
        const replayed = await view.seeFromDisk({ store: false });
        const stored = await view.seeFromDisk({ store: true });
        const live = view.see();
        assert.deepEqual(replayed, live);
        assert.deepEqual(stored, live);
        view.history.flush(view.tree);
        assert.deepEqual(await view.seeFromDisk({ store: true }), live);
        assert.deepEqual(view.notes, []);
      } finally {
        await view.close();
      }
    }),
    { numRuns: RUNS },
  );
});

function replayed(
  t: TestContext,
  story: readonly [Body, number?][],
): { dump: string; state: SessionState; emptied: boolean } {
  const records = story.map(([body, generation]) => record(body, generation ?? 0));
  const { journal } = journalOf(t, records);
  const tree = new OverrideTree();
  const state = initialState();
  const emptied = replay(journal, tree, state);
  return { dump: dumpTree(tree), state, emptied };
}

const namesIn = (dump: string): string[] => [...dump.matchAll(/^ +(\S+) #/gm)].map((match) => match[1] ?? '');

test('replay() keeps count of everything the journal names, also of what is gone', (t) => {
  const { dump, state, emptied } = replayed(t, [
    [newFile('/a', 7)],
    [snapshot('one'), 1],
    [newFile('/b', 9), 1],
    [{ tag: 'K', changes: 2 }, 1],
    [newFile('/c', 8), 1],
  ]);
  assert.deepEqual(namesIn(dump), ['c']);
  assert.equal(emptied, true);
  assert.deepEqual([state.generation, state.nextObject, state.nextIno], [1, 10, FIRST_INO + 10]);
  assert.equal(state.changedSinceMarker, true);
});

test('replay() of a tail goes on where the tree is', (t) => {
  const { journal } = journalOf(t, [record(newFile('/a', 1))]);
  const tree = new OverrideTree();
  const state = initialState();
  assert.equal(replay(journal, tree, state), false);
  assert.equal(state.journalOffset, journal.size);
  journal.append(record(snapshot('one'), 1));
  journal.append(record(newFile('/b', 2), 1));
  assert.equal(replay(journal, tree, state), false);
  assert.deepEqual(namesIn(dumpTree(tree)), ['a', 'b']);
  journal.append(record({ tag: 'A', changes: 2 }, 1));
  journal.append(record(newFile('/c', 3), 1));
  assert.equal(replay(journal, tree, state), true);
  assert.deepEqual(namesIn(dumpTree(tree)), ['c']);
});

test('replay() follows travels, to dead generations too, from the start or as a tail', (t) => {
  const story: [Body, number?][] = [
    [newFile('/a', 1)],
    [snapshot('one'), 1],
    [newFile('/b', 2), 1],
    [snapshot('two'), 2],
    [{ tag: 'T', target: 1 as Gen, name: '' }, 3],
    [newFile('/c', 3), 3],
  ];
  assert.deepEqual(namesIn(replayed(t, story).dump), ['a', 'c']);
  assert.deepEqual(namesIn(replayed(t, [...story, [{ tag: 'T', target: 2 as Gen, name: '' }, 4]]).dump), ['a', 'b']);
  for (let known = 0; known <= story.length; known++) {
    const { journal } = journalOf(
      t,
      story.slice(0, known).map(([body, generation]) => record(body, generation ?? 0)),
    );
    const tree = new OverrideTree();
    const state = initialState();
    replay(journal, tree, state);
    for (const [body, generation] of story.slice(known)) journal.append(record(body, generation ?? 0));
    replay(journal, tree, state);
    assert.deepEqual(namesIn(dumpTree(tree)), ['a', 'c'], `after ${known} records`);
    assert.equal(state.generation, 3);
    assert.equal(state.nextObject, 4);
  }
});

test('replay() finds one file behind the names that the base has for it', async () => {
  const view = new HistoryView((dir) => {
    writeFileSync(`${dir}/first`, 'text');
    linkSync(`${dir}/first`, `${dir}/second`);
  });
  try {
    const at = (name: string): BytePath => `${view.dir}/${name}` as BytePath;
    view.driver.chmod(at('first'), 0o600);
    // Only now is the second name looked at; then it is the one that moves, and the first one goes.
    view.driver.rename(at('second'), at('third'));
    view.driver.unlink(at('first'));
    view.driver.write(at('third'), 0, 'TEXT');
    const seen = await view.seeFromDisk({ store: false });
    assert.deepEqual(seen, view.see());
    assert.deepEqual(
      [...(seen.image as Map<string, { nlink: number; content: string; mode: number }>)],
      [['third', { type: S_IFREG, mode: 0o600, nlink: 1, content: 'TEXT' }]],
    );
  } finally {
    await view.close();
  }
});
