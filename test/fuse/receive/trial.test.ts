import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Trial } from '../../../src/fuse/receive/trial.ts';

function note(trial: Trial, isBeside: boolean, ...windows: readonly number[]): void {
  for (const ms of windows) trial.note(isBeside, ms);
}

/** So many windows of equal length. */
function equal(count: number, ms: number): number[] {
  return Array.from({ length: count }, () => ms);
}

/** Windows beside the caller until it is to leave, and why. */
function until(trial: Trial, ms: number): string {
  for (let count = 1; ; count += 1) {
    trial.note(true, ms);
    if (trial.leave !== undefined) return `${trial.leave} after ${count}`;
  }
}

test('Trial leaves as soon as eight windows beside the caller took no less than eight apart', () => {
  for (const ms of [0.95, 1, 3]) {
    const trial = new Trial();
    note(trial, false, ...equal(10, 1));
    assert.equal(until(trial, ms), 'slower after 10');
    assert.ok(trial.isSlower);
    note(trial, false, 1);
    assert.equal(trial.leave, undefined);
    assert.ok(trial.isSlower);
  }
});

test('Trial stays where they took less, and compares ever later', () => {
  const trial = new Trial();
  const terms = [1, 2, 3].map(() => {
    note(trial, false, ...equal(10, 1));
    return until(trial, 0.8);
  });
  assert.deepEqual(terms, ['to compare after 64', 'to compare after 128', 'to compare after 256']);
  assert.ok(!trial.isSlower);
  note(trial, false, ...equal(10, 1));
  assert.equal(until(trial, 1), 'slower after 10');
});

test('Trial begins with short terms again when something else is asked', () => {
  const trial = new Trial();
  for (const each of [1, 2, 3]) {
    note(trial, false, ...equal(10, 1));
    assert.match(until(trial, 0.8), /^to compare/, `term ${each}`);
  }
  trial.forget();
  note(trial, false, ...equal(10, 1));
  assert.equal(until(trial, 0.8), 'to compare after 64');
});

test('Trial compares the latest windows apart with the first beside, without those in which it settles', () => {
  const trial = new Trial();
  note(trial, false, 9, 9, ...equal(10, 9), ...equal(8, 1));
  note(trial, true, 9, 9);
  assert.equal(until(trial, 0.8), 'to compare after 62');
});

test('Trial is not misled by single windows in which the machine stood still', () => {
  const trial = new Trial();
  note(trial, false, ...equal(7, 1), 15, 1, 15);
  note(trial, true, 0.8, 0.8, 15, 0.8, 0.8, 15, 0.8, 0.8, 0.8);
  assert.equal(until(trial, 0.8), 'to compare after 55');
});

test('Trial finds nothing where there was not enough to compare with, and tries it again soon', () => {
  const trial = new Trial();
  note(trial, false, ...equal(9, 1));
  assert.equal(until(trial, 3), 'to compare after 32');
  assert.ok(!trial.isSlower);
});
