/** What somebody changed outside while it was staged: for each file the page says which of both is to stand. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CommitReply, PlanReply } from '../../src/page/protocol.ts';
import { self } from '../support/accounts.ts';
import { session } from '../support/session.ts';
import { withPage } from './page.ts';

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const text = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;

test('of files that somebody changed outside, each is written over, left as it is, or merged', async (t) => {
  const names = ['ours.txt', 'theirs.txt', 'both.txt', 'alone.txt'];
  const seed = (project: string): void => {
    for (const name of names) writeFileSync(join(project, name), text());
  };
  const s = await session(t, { seed, account: self });
  await s.sh(`sed -i 's/^line 3$/three/' ${names.join(' ')}`);
  for (const name of names.slice(0, 3)) writeFileSync(join(s.project, name), text({ 18: 'outside' }));
  await withPage(s, async (page) => {
    await page.login();
    await page.decide('take', [{ group: 'project' }]);
    const first = await page.post<PlanReply>('/api/plan', {});
    assert.equal(first.problem?.code, 'conflict');
    assert.deepEqual(
      first.conflicts.map(({ path, outside }) => [path, outside]),
      ['both.txt', 'ours.txt', 'theirs.txt'].map((name) => [join(s.project, name), 'modified']),
    );
    const refused = await page.send('/api/commit', page.posting({ hash: first.hash }));
    assert.equal(refused.status, 409);
    const [ours, theirs] = [await page.idOf('/ours.txt'), await page.idOf('/theirs.txt')];
    const plan = await page.post<PlanReply>('/api/plan', { ours: [ours], theirs: [theirs], merge: true });
    assert.deepEqual([plan.problem, plan.hash === first.hash], [undefined, false]);
    await page.post<CommitReply>('/api/commit', { hash: plan.hash });
    const base = names.map((name) => [name, readFileSync(join(s.project, name), 'utf8')] as const);
    assert.deepEqual(Object.fromEntries(base), {
      'ours.txt': text({ 3: 'three' }),
      'theirs.txt': text({ 18: 'outside' }),
      'both.txt': text({ 3: 'three', 18: 'outside' }),
      'alone.txt': text({ 3: 'three' }),
    });
    assert.equal((await page.review()).count, 0);
    assert.equal(await s.sh('cat ours.txt theirs.txt both.txt alone.txt'), base.map(([, now]) => now).join(''));
  });
});
