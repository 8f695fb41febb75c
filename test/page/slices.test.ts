/** Very much is staged: the page has its first rows, and the server answers, while the rest is read. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageHost } from '../../src/cli/review/page-host.ts';
import type { ReviewReply } from '../../src/page/protocol.ts';
import { reviewSoon } from '../../src/page/server/routes/looking.ts';
import { inSlices } from '../../src/page/server/slices.ts';
import { PageState } from '../../src/page/server/state.ts';
import { self } from '../support/accounts.ts';
import { session } from '../support/session.ts';

test('inSlices() lets others have their turn, and returns what the steps come to', async () => {
  let turns = 0;
  let isOver = false;
  const other = (): void => {
    turns += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const steps = function* (): Generator<void, string> {
    for (let step = 0; step < 4; step++) {
      for (const end = performance.now() + 20; performance.now() < end; );
      yield;
    }
    return 'all';
  };
  assert.equal(await inSlices(steps()), 'all');
  isOver = true;
  assert.ok(turns >= 4, `${turns} turns of others in 4 slices`);
  const failing = function* (): Generator<void, string> {
    yield;
    throw new Error('in the second step');
  };
  await assert.rejects(inSlices(failing()), /in the second step/);
});

test('of very many files the first answer has the first rows of the project, and who waits gets all, with what will run later', async (t) => {
  const s = await session(t, { account: self });
  await s.sh(
    'mkdir many; for i in $(seq 1200); do : > "many/$i"; done; printf "all:\\n" > Makefile; mkdir z; : > z/last',
  );
  const state = new PageState(pageHost(s.layout));
  const ask = async (query: string): Promise<ReviewReply> => {
    const answer = await reviewSoon(state, { query: new URLSearchParams(query) });
    return (answer as { json: ReviewReply }).json;
  };
  try {
    const first = await ask('');
    assert.deepEqual([first.isPartial, first.count, first.entries.length], [true, 1000, 1000]);
    const whole = await ask('whole=1');
    assert.deepEqual([whole.isPartial, whole.count, whole.version], [undefined, 1204, first.version]);
    assert.deepEqual([first.notices.length, whole.notices.length > 0], [0, true]);
    assert.deepEqual(first.entries, whole.entries);
    assert.equal((await ask('')).isPartial, undefined, 'what was read is there as a whole');
  } finally {
    await state.close();
  }
});

test('the first rows do not wait until all names are compared with what is outside, and each of these is a step', async (t) => {
  const s = await session(t, {
    account: self,
    seed: (project) => {
      mkdirSync(join(project, 'many'));
      for (let at = 0; at < 1200; at += 1) writeFileSync(join(project, 'many', `f${at}`), 'old');
    },
  });
  await s.sh('for i in many/*; do echo new > "$i"; done');
  writeFileSync(join(s.project, 'many/f0'), 'edited outside');
  const state = new PageState(pageHost(s.layout));
  const conflictsIn = ({ entries }: ReviewReply): readonly (string | undefined)[] =>
    entries.filter(({ path }) => path.endsWith('many/f0')).map(({ conflict }) => conflict);
  try {
    const [first, whole] = await Promise.all(
      ['', 'whole=1'].map(async (query) => {
        const answer = await reviewSoon(state, { query: new URLSearchParams(query) });
        return (answer as { json: ReviewReply }).json;
      }),
    );
    assert.ok(first !== undefined && whole !== undefined);
    assert.deepEqual([first.isPartial, conflictsIn(first)], [true, [undefined]]);
    assert.deepEqual([whole.isPartial, conflictsIn(whole)], [undefined, ['modified']]);
    const { opened } = await state.inTurn(() => state.model());
    const before = [...(opened?.look().found() ?? [])].findIndex((found) => found !== undefined);
    assert.ok(before >= 1200, `${before} steps before the first`);
  } finally {
    await state.close();
  }
});
