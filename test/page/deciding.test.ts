import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type {
  AuditReply,
  BlameReply,
  CommitReply,
  CompareReply,
  PlanReply,
  TimelineReply,
  UndoReply,
} from '../../src/page/protocol.ts';
import { self } from '../support/accounts.ts';
import { type Session, session } from '../support/session.ts';
import { withPage } from './page.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`);

function seed(project: string): void {
  writeFileSync(join(project, 'long.txt'), textWith({}));
  writeFileSync(join(project, 'short.txt'), 'a\nb\nc\n');
  writeFileSync(join(project, 'left.txt'), 'as it was\n');
}

function textWith(changed: Readonly<Record<number, string>>): string {
  return `${LINES.map((line, index) => changed[index + 1] ?? line).join('\n')}\n`;
}

function base(s: Session, name: string): string {
  return readFileSync(join(s.project, name), 'utf8');
}

const EDITS = [
  'sed -i "s/^line 5$/five/; s/^line 30$/thirty/; s/^line 55$/fifty-five/" long.txt',
  'printf "A\\nb\\nC\\n" > short.txt',
  'echo changed > left.txt; mkdir d; echo new > d/new.txt; echo bad > bad.txt',
].join('\n');

test('the page commits the hunks, lines and files that were taken, discards what was rejected, and undo brings it back', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh(EDITS);
  await withPage(s, async (page) => {
    await page.login();
    const [long, short] = [await page.file('/long.txt'), await page.file('/short.txt')];
    assert.deepEqual(
      long.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith(' '))),
      [
        ['-line 5', '+five'],
        ['-line 30', '+thirty'],
        ['-line 55', '+fifty-five'],
      ],
    );
    const [first, second] = long.hunks.map(({ key }) => key ?? '');
    await page.decide('take', [{ id: long.entry.id, keys: [first ?? ''] }, { id: await page.idOf('/d') }]);
    const decided = await page.decide('reject', [
      { id: long.entry.id, keys: [second ?? ''] },
      { id: await page.idOf('/bad.txt') },
    ]);
    assert.deepEqual([decided.entries[long.entry.id], decided.outdated], ['mixed', []]);
    // -a, -b… of one hunk: its changed lines are -a +A -c +C.
    const [hunk] = short.hunks;
    await page.decide('take', [{ id: short.entry.id, key: hunk?.key ?? '', lines: [1, 2] }]);
    assert.deepEqual(
      (await page.file('/short.txt')).hunks.map(({ choice, taken, rejected }) => [choice, taken, rejected]),
      [['mixed', [1, 2], []]],
    );
    const plan = await page.post<PlanReply>('/api/plan', {});
    assert.deepEqual(
      [plan.counts, plan.problem, plan.inseparable],
      [{ take: 2, leave: 1, reject: 1, mixed: 2 }, undefined, []],
    );
    const done = await page.post<CommitReply>('/api/commit', { hash: plan.hash });
    assert.deepEqual([done.number, done.committed, done.discarded], [1, 4, 1]);
    assert.equal(base(s, 'long.txt'), textWith({ 5: 'five' }));
    assert.equal(base(s, 'short.txt'), 'A\nb\nc\n');
    assert.equal(base(s, 'd/new.txt'), 'new\n');
    assert.equal(base(s, 'left.txt'), 'as it was\n');
    assert.equal(
      await s.sh('cat long.txt short.txt left.txt'),
      `${textWith({ 5: 'five', 55: 'fifty-five' })}A\nb\nC\nchanged\n`,
    );
    assert.equal(await s.sh('ls'), 'd\nleft.txt\nlong.txt\nshort.txt\n');
    await page.post<UndoReply>('/api/undo', {});
    const { what } = await page.post<UndoReply>('/api/undo', {});
    assert.equal(what, 'commit 1');
    assert.equal(base(s, 'long.txt'), textWith({}));
    assert.equal(existsSync(join(s.project, 'd')), false);
  });
});

test('a decision survives what does not touch it and falls where its text has changed; an old plan does nothing', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh(EDITS);
  await withPage(s, async (page) => {
    await page.login();
    const { entry, hunks } = await page.file('/long.txt');
    const [first = '', second = ''] = hunks.map(({ key }) => key ?? '');
    await page.decide('take', [{ id: entry.id, keys: [first, second] }, { id: await page.idOf('/short.txt') }]);
    const { hash } = await page.post<PlanReply>('/api/plan', {});
    await s.sh('sed -i "s/^thirty$/30/" long.txt; echo more > later.txt');
    const refused = await page.send('/api/commit', page.posting({ hash }));
    assert.deepEqual([refused.status, JSON.parse(refused.text).error.code], [409, 'outdated']);
    assert.equal(base(s, 'long.txt'), textWith({}));
    const review = await page.review();
    assert.deepEqual(
      review.fallen.map(({ path }) => path),
      [join(s.project, 'long.txt')],
    );
    assert.deepEqual(
      (await page.file('/long.txt')).hunks.map(({ choice }) => choice),
      ['take', 'leave', 'leave'],
    );
    const again = await page.post<PlanReply>('/api/plan', {});
    assert.notEqual(again.hash, hash);
    await page.post<CommitReply>('/api/commit', { hash: again.hash });
    assert.equal(base(s, 'long.txt'), textWith({ 5: 'five' }));
    assert.equal(base(s, 'short.txt'), 'A\nb\nC\n');
    assert.equal(existsSync(join(s.project, 'later.txt')), false);
  });
});

test('what was rejected never lands, also of a file that somebody has changed outside', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh(EDITS);
  await withPage(s, async (page) => {
    await page.login();
    const { entry, hunks } = await page.file('/long.txt');
    const [first = '', second = '', third = ''] = hunks.map(({ key }) => key ?? '');
    await page.decide('take', [{ id: entry.id, keys: [first] }]);
    await page.decide('reject', [{ id: entry.id, keys: [second, third] }]);
    const outside = textWith({ 45: 'from outside' });
    writeFileSync(join(s.project, 'long.txt'), outside);
    const plan = await page.post<PlanReply>('/api/plan', {});
    assert.equal(plan.problem?.code, 'conflict');
    const refused = await page.send('/api/commit', page.posting({ hash: plan.hash }));
    assert.notEqual(refused.status, 200);
    assert.deepEqual([base(s, 'long.txt'), (await page.review()).counts.mixed], [outside, 1]);
    const ours = await page.post<PlanReply>('/api/plan', { ours: [entry.id] });
    await page.post<CommitReply>('/api/commit', { hash: ours.hash });
    assert.equal(base(s, 'long.txt'), textWith({ 5: 'five', 45: 'from outside' }));
    // What was outside is left out of the view, as nobody has decided that.
    assert.equal(await s.sh('cat long.txt'), textWith({ 5: 'five' }));
  });
});

test('of a version that is not the latest nothing is decided where something has changed since', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh(EDITS);
  await withPage(s, async (page) => {
    await page.login();
    const { version } = await page.review();
    const [short, left] = [await page.idOf('/short.txt'), await page.idOf('/left.txt')];
    await s.sh('echo again > left.txt');
    await page.post('/api/plan', {});
    const targets = [{ id: short }, { id: left }, { id: '0123456789abcdef' }];
    const decided = await page.post<{ entries: object; outdated: string[] }>('/api/decide', {
      version,
      decision: 'take',
      targets,
    });
    assert.deepEqual([decided.entries, decided.outdated], [{ [short]: 'take' }, [left, '0123456789abcdef']]);
  });
});

test('the timeline, a comparison, the audit of a file and a travel', async (t) => {
  const s = await session(t, { seed, account: self });
  await s.sh('echo one > left.txt');
  await s.sh('echo two > left.txt; echo new > new.txt');
  await withPage(s, async (page) => {
    await page.login();
    const { entries } = await page.get<TimelineReply>('/api/timeline');
    assert.deepEqual(
      entries.map(({ generation, kind, parent, live, kept }) => ({ generation, kind, parent, live, kept })),
      [
        { generation: 1, kind: 'snapshot', parent: 0, live: true, kept: true },
        { generation: 2, kind: 'snapshot', parent: 1, live: true, kept: true },
      ],
    );
    const compared = await page.get<CompareReply>('/api/compare?a=1&b=2');
    assert.deepEqual(
      compared.entries.map(({ change, path }) => [change, path]),
      [
        ['modified', join(s.project, 'left.txt')],
        ['added', join(s.project, 'new.txt')],
      ],
    );
    const id = compared.entries[0]?.id ?? '';
    const { hunks, sections } = await page.get<{ hunks: { lines: string[]; key?: string }[]; sections: object[] }>(
      `/api/file?id=${id}&a=1&b=2`,
    );
    assert.deepEqual([hunks.map(({ lines, key }) => [lines, key]), sections], [[[['-one', '+two'], undefined]], []]);
    const { records } = await page.get<AuditReply>(`/api/audit?id=${id}`);
    assert.match(records[0]?.command ?? '', /echo two > left\.txt/);
    const blame = await page.get<BlameReply>(`/api/blame?id=${id}`);
    assert.deepEqual(
      blame.ranges.map(({ start, count, generation, command }) => [
        start,
        count,
        generation,
        command?.includes('echo two'),
      ]),
      [[1, 1, 2, true]],
    );
    assert.match((await page.file('/left.txt')).hunks[0]?.command ?? '', /echo two > left\.txt/);
    await page.post('/api/travel', { generation: 1 });
    assert.deepEqual(
      (await page.review()).entries.map(({ path }) => path),
      [join(s.project, 'left.txt')],
    );
    assert.equal(await s.sh('cat left.txt'), 'one\n');
  });
});

test('of very many files all are committed as the snapshot of the plan has them, or none', async (t) => {
  const s = await session(t, { account: self });
  await s.sh('mkdir many; for i in $(seq 2001); do echo "$i" > "many/$i"; done');
  await withPage(s, async (page) => {
    await page.login();
    await page.decide('take', [{ group: 'project' }]);
    const old = await page.post<PlanReply>('/api/plan', {});
    assert.deepEqual([old.counts.take, old.stepCount], [2002, 2002]);
    await s.sh('echo other > many/7');
    const refused = await page.send('/api/commit', page.posting({ hash: old.hash }));
    assert.deepEqual([refused.status, existsSync(join(s.project, 'many'))], [409, false]);
    assert.deepEqual((await page.review()).fallen.length > 0, true);
    await page.decide('take', [{ group: 'project' }]);
    const { hash } = await page.post<PlanReply>('/api/plan', {});
    const { committed } = await page.post<CommitReply>('/api/commit', { hash });
    assert.deepEqual([committed, base(s, 'many/7'), base(s, 'many/2001')], [2002, 'other\n', '2001\n']);
    assert.equal((await page.review()).count, 0);
  });
});
