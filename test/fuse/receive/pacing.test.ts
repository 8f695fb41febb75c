import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarlyReads, IdleClock, SpinBudget } from '../../../src/fuse/receive/pacing.ts';

/** What the budget is after each of these sleeps. */
function sleeps(budget: SpinBudget, ...waits: number[]): number[] {
  return waits.map((waited) => {
    budget.learn(waited, false);
    return budget.current;
  });
}

/** An idle function that counts its calls and asks for no other. */
function counting(): { idle(): number; calls: number } {
  return {
    calls: 0,
    idle() {
      this.calls++;
      return -1;
    },
  };
}

test('SpinBudget does not spin while sleeps are short or are pauses', () => {
  assert.deepEqual(sleeps(new SpinBudget(), 5, 19, 20, 251, 100_000), [0, 0, 0, 0, 0]);
});

test('SpinBudget spins once a sleep was as long as a wake-up, and goes on while that finds requests', () => {
  const budget = new SpinBudget();
  assert.deepEqual(sleeps(budget, 60), [100]);
  for (let i = 0; i < 10; i++) budget.learn(15, true);
  assert.equal(budget.current, 100);
});

test('SpinBudget gives up after a spin in vain, each time for twice as many sleeps', () => {
  const budget = new SpinBudget();
  sleeps(budget, 60);
  const skipped = [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256].map(() => {
    sleeps(budget, 160);
    let count = 0;
    while (sleeps(budget, 60)[0] === 0) count++;
    return count;
  });
  assert.deepEqual(skipped, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
});

test('SpinBudget takes a request found long after for one in vain: somebody else had the processor', () => {
  const budget = new SpinBudget();
  sleeps(budget, 60);
  budget.learn(3000, true);
  assert.equal(budget.current, 0);
});

test('SpinBudget forgets its failures when a spin succeeds', () => {
  const budget = new SpinBudget();
  sleeps(budget, 60, 160, 60, 60, 160, 60, 60, 60);
  assert.equal(budget.current, 100);
  budget.learn(15, true);
  assert.deepEqual(sleeps(budget, 160, 60, 60), [0, 0, 100]);
});

test('IdleClock without an idle function lets the session sleep without end', () => {
  assert.equal(new IdleClock({}).run(), -1);
});

test('IdleClock calls idle at once, then not again before it is asked for or 100 ms after new work', () => {
  const owner = counting();
  const clock = new IdleClock(owner);
  assert.equal(clock.run(), -1);
  assert.equal(clock.run(), -1);
  assert.equal(owner.calls, 1);
  clock.touch();
  const sleep = clock.run();
  assert.equal(owner.calls, 1);
  assert.ok(sleep > 50 && sleep <= 100, `${sleep} ms`);
});

test('IdleClock sleeps for as long as idle said', () => {
  const clock = new IdleClock({ idle: () => 30 });
  const sleep = clock.run();
  assert.ok(sleep > 20 && sleep <= 31, `${sleep} ms`);
});

test('IdleClock never asks for a sleep of 0, which would spin', () => {
  assert.equal(new IdleClock({ idle: () => 0 }).run(), 1);
});

test('IdleClock calls idle under load only when a second has passed', () => {
  const owner = counting();
  const clock = new IdleClock(owner);
  clock.runIfOverdue();
  clock.runIfOverdue();
  assert.equal(owner.calls, 1);
});

/** How many requests it then waits for without a look. */
function skipped(early: EarlyReads): number {
  let count = 0;
  while (!early.isWorth()) count++;
  return count;
}

test('EarlyReads looks ever more seldom while nothing is there', () => {
  const early = new EarlyReads();
  const waits = [1, 2, 4, 8, 16, 32, 64, 64].map(() => {
    early.learn(false);
    return skipped(early);
  });
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 64]);
});

test('EarlyReads looks each time once something was there', () => {
  const early = new EarlyReads();
  for (const _ of [1, 2, 3]) early.learn(false);
  early.learn(true);
  assert.ok(early.isWorth());
  early.learn(false);
  assert.equal(skipped(early), 1);
});
