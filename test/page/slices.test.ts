/** Very much is staged: the page has its first rows, and the server answers, while the rest is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuestionsReply, ReviewReply } from '../../src/page/protocol.ts';
import { inSlices } from '../../src/page/server/slices.ts';
import { self } from '../support/accounts.ts';
import { session } from '../support/session.ts';
import { withPage } from './page.ts';

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

test('of very many files the first answer has the first rows of the project, the next one all, with what will run later', async (t) => {
  const s = await session(t, { account: self, rules: 'default' });
  await s.sh(
    'mkdir many; for i in $(seq 1200); do : > "many/$i"; done; printf "all:\n" > Makefile; mkdir z; : > z/last',
  );
  await withPage(s, async (page) => {
    await page.login();
    const first = await page.get<ReviewReply>('/api/review');
    const second = await page.get<ReviewReply>('/api/review');
    assert.deepEqual([first.isPartial, first.count, first.entries.length], [true, 1000, 1000]);
    assert.deepEqual([second.isPartial, second.count, second.version], [undefined, 1204, first.version]);
    assert.deepEqual([first.notices.length, second.notices.length > 0], [0, true]);
    assert.deepEqual(first.entries, second.entries);
    // What was shown first can be decided once all is read.
    const last = first.entries.at(-1);
    assert.ok(last);
    const decided = await page.post<{ outdated: string[] }>('/api/decide', {
      ...{ version: first.version, decision: 'take', targets: [{ id: last.id }] },
    });
    assert.deepEqual(decided.outdated, []);
    assert.equal((await page.get<QuestionsReply>('/api/questions')).questions.length, 0);
    assert.equal((await page.review()).counts.take, 1);
  });
});
