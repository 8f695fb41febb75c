import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Affinity, Following, WINDOW as ONE } from '../../../src/fuse/receive/following.ts';

/** Milliseconds; a machine that stands still for a moment changes nothing here. */
let now = 100;
const clock = (): number => now;

/** Notes what is asked of it; `isGood` says whether following succeeds. */
class NotingAffinity implements Affinity {
  readonly calls: string[] = [];
  isGood = true;
  isHeld = false;

  follow(tid: number): boolean {
    this.calls.push(`follow ${tid}`);
    return this.isGood;
  }

  letGo(): void {
    this.calls.push('let go');
  }
}

function serve(following: Following, count: number, tidOf: (at: number) => number, wasThere = false): void {
  for (let at = 0; at < count; at += 1) following.served(tidOf(at), wasThere);
}

test('Following goes where a caller is that asks again and again, and says so every window', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  // The first window has begun long ago.
  serve(following, 3 * ONE, () => 7);
  assert.deepEqual(affinity.calls, ['follow 7', 'follow 7']);
});

test('Following takes processes that follow each other, and what the kernel asks by itself, for one caller', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  serve(following, 4 * ONE, (at) => (at % 3 === 0 ? 0 : 100 + Math.floor(at / 10)));
  assert.deepEqual(affinity.calls, ['follow 103', 'follow 104']);
});

test('Following takes what is there with the next request, as a RELEASE is, for the same caller', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  serve(following, 3 * ONE, () => 7, true);
  assert.deepEqual(affinity.calls, ['follow 7', 'follow 7']);
});

test('Following lets go when two ask at once, and stays away while they do', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  serve(following, 2 * ONE, () => 7);
  serve(following, 4 * ONE, (at) => 7 + (at % 2), true);
  assert.deepEqual(affinity.calls, ['follow 7', 'let go']);
});

test('Following lets go of a caller that asks seldom, and follows it again when it does not', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  serve(following, 2 * ONE, () => 7);
  now += 40;
  serve(following, ONE, () => 7);
  assert.deepEqual(affinity.calls, ['follow 7', 'let go']);
  serve(following, ONE, () => 7);
  assert.deepEqual(affinity.calls, ['follow 7', 'let go', 'follow 7']);
});

test('Following tries again later where it was no good', () => {
  const affinity = new NotingAffinity();
  affinity.isGood = false;
  const following = new Following(affinity, clock);
  serve(following, ONE, () => 7);
  const tries: number[] = [];
  for (let window = 1; tries.length < 3; window += 1) {
    const before = affinity.calls.length;
    serve(following, ONE, () => 7);
    if (affinity.calls.length > before) tries.push(window);
  }
  assert.deepEqual(tries, [1, 34, 67]);
  assert.ok(!affinity.calls.includes('let go'), 'a follow that fails has let go by itself');
});

test('Following tries ever later what is good only for a moment, and soon what was good for long', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  serve(following, ONE, () => 7);
  /** Windows until it is followed again. */
  function untilNext(): number {
    const before = affinity.calls.length;
    let windows = 0;
    for (; affinity.calls.length === before; windows += 1) serve(following, ONE, () => 7);
    return windows;
  }
  const waits: number[] = [];
  for (let each = 0; each < 3; each += 1) {
    waits.push(untilNext());
    serve(following, ONE, (at) => 7 + (at % 2), true);
  }
  assert.deepEqual(waits, [1, 33, 65]);
  serve(following, (129 + 256) * ONE, () => 7);
  serve(following, ONE, (at) => 7 + (at % 2), true);
  assert.equal(untilNext(), 33);
});

test('Following lets go once when there is nothing to serve', () => {
  const affinity = new NotingAffinity();
  const following = new Following(affinity, clock);
  following.letGo();
  serve(following, 2 * ONE, () => 7);
  following.letGo();
  following.letGo();
  assert.deepEqual(affinity.calls, ['follow 7', 'let go']);
});

/** Is held to its caller's processor ten windows after it was first asked to follow. */
class HoldingAffinity implements Affinity {
  isHeld = false;
  #calm = 0;

  follow(): boolean {
    this.#calm += 1;
    this.isHeld = this.#calm >= 10;
    return true;
  }

  letGo(): void {
    this.#calm = 0;
    this.isHeld = false;
  }
}

/** The share of so many windows that is served on the caller's processor, where a window takes so long there, and 1 ms elsewhere. */
function heldShare(windows: number, ms: number): number {
  const affinity = new HoldingAffinity();
  const following = new Following(affinity, clock);
  let held = 0;
  for (let window = 0; window < windows; window += 1) {
    if (affinity.isHeld) held += 1;
    now += affinity.isHeld ? ms : 1;
    serve(following, ONE, () => 7);
  }
  return held / windows;
}

test('Following stays beside its caller where that is faster, and looks again now and then', () => {
  const share = heldShare(2000, 0.5);
  assert.ok(share > 0.95 && share < 1, `${share} of the windows`);
});

test('Following stays away where it is slower, and looks again now and then', () => {
  const share = heldShare(2000, 1.2);
  assert.ok(share > 0 && share < 0.04, `${share} of the windows`);
});

test('Following takes no pause for a reason to try anew what was slower', () => {
  const affinity = new HoldingAffinity();
  const following = new Following(affinity, clock);
  let held = 0;
  for (let window = 0; window < 1000; window += 1) {
    if (affinity.isHeld) held += 1;
    now += window % 25 === 24 ? 20 : affinity.isHeld ? 1.2 : 1;
    serve(following, ONE, () => 7);
  }
  assert.ok(held > 0 && held < 100, `${held} of 1,000 windows`);
});
