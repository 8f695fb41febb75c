/** The parts of the daemon that work without one. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { errorOf, failureOf } from '../../src/daemon/failure.ts';
import { takeLock } from '../../src/daemon/life/lock.ts';
import { Turns } from '../../src/daemon/life/turns.ts';
import type { Failure } from '../../src/daemon/protocol.ts';
import { Attributions } from '../../src/daemon/runs/attribution.ts';
import { Runs } from '../../src/daemon/runs/runs.ts';
import { parseRequest } from '../../src/daemon/sockets/control.ts';
import { parseGuestRequest } from '../../src/daemon/sockets/guest.ts';
import { firstBelow } from '../../src/daemon/tmp/private-tmp.ts';
import { Forgetter } from '../../src/daemon/view/invalidate.ts';
import type { KernelNotifier } from '../../src/fuse/notify.ts';
import type { Gen, Name, NodeId } from '../../src/sys/bytes.ts';
import { EIO, SystemError } from '../../src/sys/errno.ts';
import { UserError } from '../../src/sys/user-error.ts';

/** A process table: pid -> parent. Names are `p<pid>`. */
function attributions(parents: Record<number, number>): Attributions {
  return new Attributions((pid) => {
    const parent = parents[pid];
    return parent === undefined ? undefined : { parent, name: `p${pid}` };
  });
}

test('Attributions finds the run among the ancestors of a process', () => {
  const table = attributions({ 100: 1, 200: 100, 201: 200, 300: 100, 301: 300, 302: 301 });
  table.update(
    [
      { run: 1, command: 'make', pid: 200 },
      { run: 2, command: 'make', pid: 300 },
    ],
    50,
  );
  assert.deepEqual([table.of(201).run, table.of(201).name], [1, 'p201']);
  assert.equal(table.of(302).run, 2);
  assert.equal(table.of(200).run, 1);
});

test('Attributions names the only run for whoever cannot be told, and none of several', () => {
  const table = attributions({ 10: 1 });
  table.update([{ run: 7, command: 'make', pid: 0 }], 50);
  assert.deepEqual([table.of(0).run, table.of(10).run, table.of(999).run], [7, 7, 7]);
  assert.equal(table.of(999).name, undefined);
  table.update(
    [
      { run: 7, command: 'make', pid: 0 },
      { run: 8, command: 'make', pid: 0 },
    ],
    50,
  );
  assert.deepEqual([table.of(0).run, table.of(10).run, table.of(999).run], [0, 0, 0]);
});

test('Attributions does not give an orphan to the run that happens to be active', () => {
  const table = attributions({ 50: 40, 60: 50, 61: 60 });
  table.update([{ run: 3, command: 'make', pid: 70 }], 50);
  assert.deepEqual([table.of(60).run, table.of(61).run], [0, 0]);
});

test('Attributions ends on a process table that goes in circles', () => {
  const table = attributions({ 5: 6, 6: 5 });
  table.update([{ run: 3, command: 'make', pid: 70 }], 50);
  assert.equal(table.of(5).run, 3);
});

test('Runs numbers go on, and every change is told', () => {
  const told: string[] = [];
  const runs = new Runs(4, (active) => told.push(JSON.stringify(active)));
  const first = runs.begin('a', { offset: 0, before: 2 as Gen });
  runs.started(first, 99);
  const second = runs.begin('b', { offset: 10, before: 2 as Gen });
  runs.end(first);
  runs.end(first);
  assert.deepEqual([first.number, second.number, runs.size], [5, 6, 1]);
  assert.deepEqual([first.beside, second.beside], [true, true]);
  runs.end(second);
  assert.equal(runs.begin('c', { offset: 10, before: 3 as Gen }).beside, false);
  assert.deepEqual(told.at(3), '[{"run":6,"command":"b","pid":0}]');
  assert.equal(told.length, 6);
});

test('Turns does one thing after the other, also after a failure', async () => {
  const turns = new Turns();
  const order: number[] = [];
  const work = (n: number, ms: number): Promise<void> =>
    turns.take(async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      order.push(n);
      if (n === 1) throw new Error('one');
    });
  const first = work(1, 20);
  const second = work(2, 0);
  assert.ok(turns.isBusy);
  await assert.rejects(first, { message: 'one' });
  await second;
  assert.deepEqual(order, [1, 2]);
  assert.ok(!turns.isBusy);
});

test('Turns does brief work in the pause of another turn, and goes on when it is done', async () => {
  const turns = new Turns();
  const order: string[] = [];
  let answer = (_: string): void => undefined;
  const asked = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const say = async (word: string): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(word);
  };
  const long = turns.take(async () => {
    order.push(await turns.pause(asked));
    await say('long');
  });
  const next = turns.take(() => say('next'));
  await turns.takeBrief(() => say('brief'));
  const failed = turns.takeBrief(() => Promise.reject(new Error('no')));
  await assert.rejects(failed, { message: 'no' });
  let last = Promise.resolve();
  await new Promise<void>((begun) => {
    last = turns.takeBrief(() => {
      begun();
      return say('last');
    });
  });
  answer('answer');
  await Promise.all([long, next, last]);
  assert.deepEqual(order, ['brief', 'last', 'answer', 'long', 'next']);
  assert.ok(!turns.isBusy);
});

test('parseRequest() takes what the protocol has, and nothing else', () => {
  assert.deepEqual(parseRequest('{"op":"enter","command":"x"}'), { op: 'enter', command: 'x' });
  assert.deepEqual(parseRequest('{"op":"leave"}'), { op: 'leave' });
  for (const text of [
    '',
    'x',
    'null',
    '3',
    '[]',
    '{}',
    '{"op":"toString"}',
    '{"op":"enter"}',
    '{"op":"commit","dryRun":1}',
  ]) {
    assert.throws(() => parseRequest(text), UserError, text);
  }
});

test('parseGuestRequest() allows the commands that only look, in their own session', () => {
  const parse = (words: unknown): unknown => parseGuestRequest(JSON.stringify({ words, cwd: '/p' }));
  assert.deepEqual(parse(['status', '--json']), { words: ['status', '--json'], cwd: '/p', there: [] });
  for (const words of [
    ['commit'],
    ['status', 'a\0b'],
    ['--session', '/x', 'status'],
    ['status', '--session=/x'],
    [],
    'status',
    [3],
  ]) {
    assert.equal(parse(words), undefined, JSON.stringify(words));
  }
  for (const text of ['x', '', 'null', '3', '{"words":["log"]}', '{"words":["log"],"cwd":"/","there":[3]}'])
    assert.equal(parseGuestRequest(text), undefined, text);
  assert.deepEqual(parseGuestRequest('{"commitRequest":"m","op":"commit"}'), { commitRequest: 'm' });
  for (const text of ['{"commitRequest":3}', '{"commitRequest":"m","words":["commit"],"cwd":"/"}'])
    assert.equal(parseGuestRequest(text), undefined, text);
});

test('firstBelow() is the first name on the way to a path', () => {
  assert.deepEqual(firstBelow('/tmp', '/tmp/a/b'), ['a']);
  assert.deepEqual(firstBelow('/tmp', '/tmp/a'), ['a']);
  for (const path of ['/tmp', '/tmpx/a', '/', undefined]) assert.deepEqual(firstBelow('/tmp', path), []);
});

test('takeLock() is taken once', (t) => {
  const dir = mkdtempSync('/var/tmp/yolofs-lock-');
  t.after(() => rmSync(dir, { recursive: true }));
  assert.equal(takeLock(`${dir}/lock`), true);
  assert.equal(takeLock(`${dir}/lock`), false);
  assert.throws(() => takeLock(`${dir}/missing/lock`), SystemError);
});

test('failureOf() keeps what people and programs are told on the way to a client', () => {
  const refused = { code: 'refused', message: 'what: why', hint: 'hint' };
  const system = { code: 'system', errno: 'EIO', message: 'write: input/output error (EIO)' };
  const conflict = { code: 'conflict', message: 'm', details: ['a: modified'] };
  assert.deepEqual(failureOf(new UserError('what: why', 'hint')), refused);
  assert.deepEqual(failureOf(new SystemError('write', EIO)), system);
  assert.deepEqual(failureOf(new UserError('m', undefined, { code: 'conflict', details: ['a: modified'] })), conflict);
  for (const failure of [refused, system, conflict]) {
    const received = JSON.parse(JSON.stringify(failure)) as Failure;
    assert.deepEqual(failureOf(errorOf(received)), failure, 'once more through a socket');
  }
  const later = { code: 'of a later version', message: 'm' } as unknown as Failure;
  assert.equal(errorOf(later).code, 'refused');
});

test('Forgetter sends one at a time, what still waits only once, and what comes while it is sent once more', async () => {
  const sent: string[] = [];
  const under: (() => void)[] = [];
  let most = 0;
  const begin = (what: string): Promise<void> => {
    sent.push(what);
    return new Promise((resolve) => {
      most = Math.max(most, under.push(resolve));
    });
  };
  const notifier: KernelNotifier = {
    invalEntry: (parent, name) => begin(`${parent}/${name}`),
    invalInode: (nodeId) => begin(String(nodeId)),
    many: () => Promise.reject(new Error('not used')),
  };
  const forgetter = new Forgetter(new Map([[3, notifier]]), () => undefined);
  const dir = { kind: 'inode', nodeId: 7 as NodeId } as const;
  const entry = { kind: 'entry', parent: 7 as NodeId, name: 'f' as Name } as const;
  for (let i = 0; i < 1000; i++) forgetter.forget([dir, entry]);
  for (let i = 0; i < 5; i++) {
    under.pop()?.();
    await new Promise(setImmediate);
  }
  assert.deepEqual([sent, most], [['7', '7/f', '7'], 1]);
});
