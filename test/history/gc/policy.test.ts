import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  chooseDropped,
  commitsOf,
  dropOldest,
  KEEP_ALL,
  type Policy,
  statesWithout,
} from '../../../src/history/gc/policy.ts';
import { Generations } from '../../../src/history/log/generations.ts';
import type { Body } from '../../../src/history/log/record.ts';
import { buildTimeline, type Timeline } from '../../../src/history/timeline/segments.ts';
import type { Gen } from '../../../src/sys/bytes.ts';
import { journalOf, record } from '../samples.ts';

const NONE = { generations: new Generations(), commit: 0 };

/** A timeline from words: P snapshot, T2 travel to 2, K commit, U undo, A abort. */
function told(t: TestContext, story: string): Timeline {
  let [generation, commits] = [0, 0];
  const records = story.split(' ').map((word) => {
    if (/^[PT]/.test(word)) generation += 1;
    if (word === 'K') commits += 1;
    const bodies: Record<string, Body> = {
      P: { tag: 'P', name: '', command: undefined },
      T: { tag: 'T', target: Number(word.slice(1)) as Gen, name: '' },
      K: { tag: 'K', changes: 1, commit: commits, carried: 0 },
      U: { tag: 'U', commit: commits, changes: 1, carried: 0 },
      A: { tag: 'A', changes: 1 },
    };
    return record(bodies[word.charAt(0)] as Body, generation);
  });
  const { journal } = journalOf(t, records);
  return buildTimeline(journal.scan(), { start: 0, end: journal.size });
}

function dropped(t: TestContext, story: string, policy: Policy): [generations: string, commit: number] {
  const { generations, commit } = chooseDropped(told(t, story), policy, NONE);
  return [generations.ranges.map(({ from, to }) => `${from}-${to}`).join(','), commit];
}

test('without being told to, gc gives up nothing', (t) => {
  assert.deepEqual(dropped(t, 'P P T1 P K P A P K P', KEEP_ALL), ['', 0]);
});

test('--keep-last counts generations of all branches, and those that were aborted too', (t) => {
  assert.deepEqual(dropped(t, 'P P P P', { dropAbandoned: false, keepLast: 1 }), ['1-3', 0]);
  assert.deepEqual(dropped(t, 'P P T1 P', { dropAbandoned: false, keepLast: 2 }), ['1-2', 0]);
  assert.deepEqual(dropped(t, 'P P P A P P', { dropAbandoned: false, keepLast: 2 }), ['1-3', 0]);
  assert.deepEqual(dropped(t, 'P P', { dropAbandoned: false, keepLast: 0 }), ['1-2', 0]);
  assert.deepEqual(dropped(t, 'P P', { dropAbandoned: false, keepLast: 9 }), ['', 0]);
});

test('--keep-last gives up originals that only such generations need, but never those of the last commit', (t) => {
  const policy = { dropAbandoned: false, keepLast: 1 };
  assert.deepEqual(dropped(t, 'P K P K P K P', policy), ['1-3', 2]);
  assert.deepEqual(dropped(t, 'P K P K P K', policy), ['1-2', 2]);
  assert.deepEqual(dropped(t, 'P K P K U P', policy), ['1-2', 0]);
  assert.deepEqual(dropped(t, 'P K P K', { ...policy, keepLast: 2 }), ['', 0]);
});

test('N8: what an abort gave up is kept as what commits replaced is: of the last ten, unless it is to go', (t) => {
  const story = (count: number): string => Array.from({ length: count }, () => 'P A').join(' ');
  assert.deepEqual(dropped(t, story(10), KEEP_ALL), ['', 0]);
  assert.deepEqual(dropped(t, `${story(12)} P`, KEEP_ALL), ['1-2', 0]);
  assert.deepEqual(dropped(t, 'P P A P', { dropAbandoned: true }), ['1-2', 0]);
});

test('--drop-abandoned gives up what the present did not come from', (t) => {
  assert.deepEqual(dropped(t, 'P P P T1 P', { dropAbandoned: true }), ['2-3', 0]);
  assert.deepEqual(dropped(t, 'P P P T1 P K P', { dropAbandoned: true }), ['2-3', 0]);
});

test('the originals of ten standing commits are kept, and with older ones go the generations before', (t) => {
  const story = (count: number): string => Array.from({ length: count }, () => 'P K').join(' ');
  assert.deepEqual(dropped(t, story(10), KEEP_ALL), ['', 0]);
  assert.deepEqual(dropped(t, story(12), KEEP_ALL), ['1-2', 2]);
  assert.deepEqual(dropped(t, `${story(12)} U`, KEEP_ALL), ['1-1', 1]);
  assert.deepEqual(
    commitsOf(told(t, 'P K P K U P K')).map(({ isUndone }) => isUndone),
    [false, true, false],
  );
});

test('dropOldest() takes the oldest of those that are left', (t) => {
  const timeline = told(t, 'P P P T1 P');
  const chosen = chooseDropped(timeline, { dropAbandoned: true }, NONE);
  const ranges = (count: number): unknown => dropOldest(timeline, chosen, count).generations.ranges;
  assert.deepEqual(
    [ranges(0), ranges(1), ranges(2)],
    [[{ from: 2, to: 3 }], [{ from: 1, to: 3 }], [{ from: 1, to: 4 }]],
  );
});

test('statesWithout() keeps what commits applied as long as their originals are kept, also when they were undone', () => {
  const { generation, committed } = statesWithout({
    generations: new Generations([{ from: 2 as Gen, to: 3 as Gen }]),
    commit: 1,
  });
  assert.deepEqual(
    [1, 2, 3, 4].map((gen) => generation(gen as Gen)),
    [true, false, false, true],
  );
  assert.deepEqual([1, 2].map(committed), [false, true]);
});
