import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import test from 'node:test';
import { HostTree } from '../../../src/staging/host-tree.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

test('unwatched() forgets that a directory is watched, until it is watched anew', (t) => {
  const dir = mkdtempSync('/var/tmp/yolofs-host-tree-') as BytePath;
  const base = new HostTree({ hidden: [], empty: [], watch: () => true });
  t.after(() => {
    base.close();
    rmSync(dir, { recursive: true });
  });
  assert.deepEqual([base.isWatched(dir), base.watch(dir), base.isWatched(dir)], [false, true, true]);
  base.unwatched(dir);
  assert.deepEqual([base.isWatched(dir), base.watch(dir), base.isWatched(dir)], [false, true, true]);
});
