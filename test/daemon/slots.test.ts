/** Work of which only so much is done at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from '../../src/daemon/sockets/slots.ts';

test('Slots does so much at a time, in order, and refuses what would wait beyond the limit', async () => {
  const slots = new Slots(2, 3);
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => (): Promise<void> => {
    log.push(name);
    return new Promise((resolve) => ends.push(resolve));
  };
  const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => slots.take(work(name)));
  assert.deepEqual(
    taken.map((promise) => promise !== undefined),
    [true, true, true, true, true, false],
  );
  await new Promise(setImmediate);
  assert.deepEqual(log, ['a', 'b']);
  ends.shift()?.();
  await new Promise(setImmediate);
  assert.deepEqual(log, ['a', 'b', 'c']);
  for (let i = 0; i < 4; i++) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(taken);
  assert.deepEqual(log, ['a', 'b', 'c', 'd', 'e']);
});

test('Slots goes on after work that failed', async () => {
  const slots = new Slots(1, 1);
  await assert.rejects(slots.take(() => Promise.reject(new Error('no'))) ?? Promise.resolve(), /no/);
  let done = false;
  await slots.take(async () => {
    done = true;
  });
  assert.ok(done);
});
