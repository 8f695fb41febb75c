/** What the bundles of a daemon's threads load besides themselves. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUILT } from '../../support/session.ts';

test('the FUSE thread loads LMDB, and the main thread, which opens no store, does not', () => {
  const loads = (bundle: string): boolean => readFileSync(join(BUILT, 'src/bin', bundle), 'utf8').includes('("lmdb")');
  assert.deepEqual(['fuse-thread.cjs', 'daemon.cjs'].map(loads), [true, false]);
});
