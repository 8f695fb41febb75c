import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Following, type Place } from '../../../src/fuse/receive/following.ts';

/** Notes what is asked of it; `isGood` says whether following succeeds. */
class NotingPlace implements Place {
  readonly calls: string[] = [];
  isGood = true;

  follow(tid: number): boolean {
    this.calls.push(`follow ${tid}`);
    return this.isGood;
  }

  letGo(): void {
    this.calls.push('let go');
  }
}

const ONE = 32;

function serve(following: Following, count: number, tidOf: (at: number) => number, wasThere = false): void {
  for (let at = 0; at < count; at += 1) following.served(tidOf(at), wasThere);
}

test('Following goes where a caller is that asks again and again, and looks where it is every 32 requests', () => {
  const place = new NotingPlace();
  const following = new Following(place);
  // The first window has begun long ago.
  serve(following, 3 * ONE, () => 7);
  assert.deepEqual(place.calls, ['follow 7', 'follow 7']);
});

test('Following takes processes that follow each other, and what the kernel asks by itself, for one caller', () => {
  const place = new NotingPlace();
  const following = new Following(place);
  serve(following, 4 * ONE, (at) => (at % 3 === 0 ? 0 : 100 + Math.floor(at / 20)));
  assert.deepEqual(place.calls, ['follow 103', 'follow 104']);
});

test('Following takes what is there with the next request, as a RELEASE is, for the same caller', () => {
  const place = new NotingPlace();
  const following = new Following(place);
  serve(following, 3 * ONE, () => 7, true);
  assert.deepEqual(place.calls, ['follow 7', 'follow 7']);
});

test('Following lets go when two ask at once, and stays away while they do', () => {
  const place = new NotingPlace();
  const following = new Following(place);
  serve(following, 2 * ONE, () => 7);
  serve(following, 4 * ONE, (at) => 7 + (at % 2), true);
  assert.deepEqual(place.calls, ['follow 7', 'let go']);
});

test('Following lets go of a caller that asks seldom', (t) => {
  const place = new NotingPlace();
  const following = new Following(place);
  serve(following, 2 * ONE, () => 7);
  const now = performance.now();
  t.mock.method(performance, 'now', () => now + 40);
  serve(following, ONE, () => 7);
  assert.deepEqual(place.calls, ['follow 7', 'let go']);
});

test('Following tries again later, ever later, where it was no good', () => {
  const place = new NotingPlace();
  place.isGood = false;
  const following = new Following(place);
  serve(following, ONE, () => 7);
  const tries: number[] = [];
  for (let window = 1; tries.length < 4; window += 1) {
    const before = place.calls.length;
    serve(following, ONE, () => 7);
    if (place.calls.length > before) tries.push(window);
  }
  assert.deepEqual(tries, [1, 6, 15, 32]);
  assert.ok(!place.calls.includes('let go'), 'a follow that fails has let go by itself');
});

test('Following lets go once when there is nothing to serve', () => {
  const place = new NotingPlace();
  const following = new Following(place);
  following.letGo();
  serve(following, 2 * ONE, () => 7);
  following.letGo();
  following.letGo();
  assert.deepEqual(place.calls, ['follow 7', 'let go']);
});
