/** The queue of questions: one for many, decided once, bounded, fair. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastingState } from '../../../src/rules/questions/lasting.ts';
import { MOST_QUESTIONS, MOST_WAITING, type QuestionId } from '../../../src/rules/questions/questions.ts';
import { answerOf, isAtLeastAsStrict, type State } from '../../../src/rules/states.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';
import { Table } from './table.ts';

const write = (path: string, op: 'create' | 'open' | 'rename' = 'open') => ({ path, access: 'write', op }) as const;

test('many that want the same are one question, and one answer is for all of them', () => {
  const table = new Table();
  const tickets = Array.from({ length: 50 }, (_, i) => table.request(100 + i, '/a'));
  assert.deepEqual(table.heard, ['1 opened read /a']);
  assert.equal(table.questions.waiting, 50);
  assert.ok(table.answer(1, true));
  assert.deepEqual(
    [...table.done],
    tickets.map((ticket) => [ticket, 'pass']),
  );
  assert.equal(table.questions.waiting, 0);
  assert.equal(table.decided.length, 1);
});

test('reading and changing a path are two questions', () => {
  const table = new Table();
  table.request(1, '/a');
  table.request(2, write('/a'));
  table.answer(1, true);
  table.answer(2, false);
  assert.deepEqual([...table.done.values()], ['pass', 'refuse']);
});

test('an answer is for those who wait: who comes later is a question again', () => {
  const table = new Table();
  table.request(1, '/a');
  table.answer(1, true);
  table.request(2, '/a');
  table.request(1, '/a');
  assert.deepEqual(table.heard, ['1 opened read /a', '1 allowed person', '2 opened read /a']);
});

test('the first answer counts, a second one finds nothing', () => {
  const table = new Table();
  const ticket = table.request(1, '/a');
  assert.ok(table.answer(1, false));
  assert.equal(table.answer(1, true), false);
  assert.equal(table.answer(7, true), false);
  assert.equal(table.done.get(ticket), 'refuse');
  assert.equal(table.decided.length, 1);
});

test('a request that wants two things is two questions, one after the other, each asked once', () => {
  const table = new Table();
  const ticket = table.request(1, write('/a', 'rename'), write('/b', 'rename'));
  assert.deepEqual(
    table.questions.open.map(({ path }) => path),
    ['/a'],
  );
  table.now = 900;
  table.answer(1, true);
  assert.deepEqual(
    table.questions.open.map(({ path }) => path),
    ['/b'],
  );
  table.now = 1800;
  table.answer(2, true);
  assert.equal(table.done.get(ticket), 'pass');
});

test('the one who may create a file opens it without a second question; another thread, or later, asks', () => {
  const table = new Table();
  table.request(1, write('/new', 'create'));
  table.answer(1, true);
  table.now = 1500;
  assert.equal(table.done.get(table.request(1, write('/new'))), 'pass');
  assert.equal(table.done.get(table.request(1, '/new')), 'pass');
  table.request(2, write('/new'));
  table.request(1, write('/other'));
  table.now = 2500;
  table.request(1, write('/new'));
  assert.deepEqual(
    table.questions.open.map(({ path, pid }) => `${path} ${pid}`),
    ['/new 2', '/other 1'],
  );
  assert.equal(table.pending, 3);
});

test('a refusal is for that request alone', () => {
  const table = new Table();
  table.request(1, write('/a'));
  table.answer(1, false);
  table.request(1, write('/a'));
  assert.equal(table.questions.open.length, 1);
});

test('with nobody to ask the default counts at once, also for what is open when the last one leaves', () => {
  for (const allow of [false, true]) {
    const table = new Table({ timeout: 1000, allow });
    const first = table.request(1, '/a');
    table.isHeard = false;
    table.questions.heardChanged();
    const second = table.request(2, '/b');
    const verdict = allow ? 'pass' : 'refuse';
    assert.deepEqual([table.done.get(first), table.done.get(second)], [verdict, verdict]);
    assert.deepEqual(
      table.decided.map(({ by }) => by.kind),
      ['nobody', 'nobody'],
    );
    assert.equal(table.questions.waiting, 0);
  }
});

test('a question times out after its time and not before; those asked later have theirs', () => {
  const table = new Table();
  const first = table.request(1, '/a');
  table.now = 600;
  const second = table.request(2, '/b');
  assert.equal(table.questions.expire(), 400);
  table.now = 1000;
  assert.equal(table.questions.expire(), 600);
  assert.equal(table.done.get(first), 'refuse');
  assert.equal(table.done.get(second), undefined);
  table.questions.configure({ timeout: 300, allow: true });
  assert.equal(table.questions.expire(), -1);
  assert.equal(table.done.get(second), 'pass', 'new settings count for open questions');
  assert.deepEqual(
    table.decided.map(({ by }) => by.kind),
    ['timeout', 'timeout'],
  );
});

test('who hangs up denies what he was asked, and nothing else', () => {
  const table = new Table();
  const first = table.request(1, '/a');
  const second = table.request(2, '/b');
  table.questions.giveUp([1 as QuestionId, 99 as QuestionId], 'hung-up');
  assert.equal(table.done.get(first), 'refuse');
  assert.equal(table.done.get(second), undefined);
  assert.equal(table.decided[0]?.by.kind, 'hung-up');
});

test('an interrupted request leaves its question, which goes with the last one', () => {
  const table = new Table();
  const [a, b] = [table.request(1, '/a'), table.request(2, '/a')];
  table.interrupt(a);
  assert.deepEqual(table.heard, ['1 opened read /a']);
  table.interrupt(b);
  assert.equal(table.questions.expire(), 300);
  table.now = 300;
  assert.equal(table.questions.expire(), -1);
  assert.deepEqual(table.heard, ['1 opened read /a', '1 withdrawn']);
  assert.equal(table.answer(1, true), false);
  assert.deepEqual([table.questions.waiting, table.decided.length], [0, 0]);
});

test('a program that tries again after a signal finds its question as it was', () => {
  const table = new Table();
  for (let i = 0; i < 5; i++) {
    table.interrupt(table.request(1, '/a'));
    table.now += 100;
    table.questions.expire();
  }
  const ticket = table.request(1, '/a');
  table.now = 900;
  table.questions.expire();
  assert.deepEqual(table.heard, ['1 opened read /a']);
  table.answer(1, true);
  assert.equal(table.done.get(ticket), 'pass');
  table.request(1, '/b');
  table.now = 5000;
  table.questions.expire();
  assert.equal(table.heard.at(-1), '2 denied timeout', 'that time is not prolonged');
});

test('an answer for always names the path or a directory above it', () => {
  const table = new Table();
  table.request(1, '/home/a/file');
  for (const wrong of ['/home/a/fil', '/home/b', '/home/a/file/x']) assert.equal(table.answer(1, true, wrong), false);
  assert.ok(table.answer(1, true, '/home/a'));
  assert.equal(table.decided[0]?.always, '/home/a');
});

test('who asks before an answer for always is a rule is held, and no question again', () => {
  const table = new Table();
  table.request(1, '/d/a');
  table.answer(1, true, '/d');
  const held = [table.request(2, '/d/a'), table.request(3, '/d/b')];
  const other = table.request(4, '/e');
  assert.deepEqual(table.heard.slice(2), ['2 opened read /e']);
  table.allowed.add('/d/a').add('/d/b');
  table.questions.remembered('/d' as BytePath);
  assert.deepEqual(
    held.map((ticket) => table.done.get(ticket)),
    ['pass', 'pass'],
  );
  assert.equal(table.done.get(other), undefined);
});

test('a rule that does not come is not waited for for ever, and an interrupted request not at all', () => {
  const table = new Table({ timeout: 60_000, allow: false });
  table.request(1, '/a');
  table.answer(1, true, '/a');
  table.interrupt(table.request(2, '/a'));
  table.request(3, '/a');
  assert.equal(table.questions.waiting, 1);
  assert.equal(table.questions.expire(), 10_000);
  table.now = 10_000;
  table.questions.expire();
  assert.deepEqual(table.heard.slice(2), ['2 opened read /a']);
});

test('a changed rule decides what waited for a person; the rest stays open under its number', () => {
  const table = new Table();
  const [a, b] = [table.request(1, '/a'), table.request(2, '/b')];
  table.allowed.add('/a');
  table.questions.rulesChanged();
  assert.equal(table.done.get(a), 'pass');
  assert.equal(table.done.get(b), undefined);
  assert.deepEqual(table.heard, ['1 opened read /a', '2 opened read /b', '1 withdrawn']);
  assert.ok(table.answer(2, true));
});

test('a decision that cannot be written down is a refusal', () => {
  const table = new Table();
  table.canRecord = false;
  const ticket = table.request(1, '/a');
  table.answer(1, true);
  assert.equal(table.done.get(ticket), 'refuse');
  assert.equal(table.heard.at(-1), '1 denied person');
});

test('a flood is refused at once beyond a number of questions and of requests, and costs those before nothing', () => {
  const table = new Table();
  for (let i = 0; i < 3000; i++) table.request(i + 1, `/flood/${i}`);
  assert.equal(table.questions.open.length, MOST_QUESTIONS);
  assert.equal(table.done.size, 3000 - MOST_QUESTIONS);
  for (let i = 0; i < 5000; i++) table.request(10_000 + i, '/flood/0');
  assert.equal(table.questions.waiting, MOST_WAITING);
  assert.ok(table.decided.every(({ by }) => by.kind === 'too-many'));
  for (const { id } of table.questions.open) assert.ok(table.answer(id, true));
  assert.deepEqual([table.questions.waiting, table.pending], [0, 0]);
});

test('a lasting answer says the same next time, and nothing laxer of the other kind of access', () => {
  const cases: [State, 'read' | 'write', boolean, State][] = [
    ['ask', 'read', true, 'ask-write'],
    ['ask', 'read', false, 'deny'],
    ['ask', 'write', true, 'allow'],
    ['ask', 'write', false, 'ask-read'],
    ['ask-write', 'write', true, 'allow'],
    ['ask-write', 'write', false, 'read-only'],
    ['ask-read', 'read', true, 'read-only'],
    ['ask-read', 'read', false, 'deny'],
  ];
  for (const [state, access, allow, expected] of cases) {
    const lasting = lastingState(state, access, allow);
    assert.equal(lasting, expected);
    assert.equal(answerOf(lasting, access), allow ? 'pass' : 'refuse', `${state} ${access} ${allow}`);
    if (!allow) assert.ok(isAtLeastAsStrict(lasting, state), `${state} ${access} denied: ${lasting}`);
    // Who may change a file may read it.
    if (allow && access === 'read') assert.equal(answerOf(lasting, 'write'), answerOf(state, 'write'));
  }
});
