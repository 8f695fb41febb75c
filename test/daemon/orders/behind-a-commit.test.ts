/** Orders that reach the FUSE thread together with one for which it stops serving. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FuseWorker, startFuseThread } from '../../../src/daemon/fuse-worker.ts';
import { ownerOfView } from '../../../src/daemon/life/own-rights.ts';
import { layoutOf } from '../../history/registry/layouts.ts';

test('an order that came together with a commit is carried out after it', async (t) => {
  const project = fs.mkdtempSync('/var/tmp/yolofs-test-orders-');
  t.after(() => fs.rmSync(project, { recursive: true }));
  const layout = layoutOf(project);
  fs.mkdirSync(layout.dir);
  const options = { layout, owner: ownerOfView(), durable: false, maxFiles: 8, rules: [] };
  const news = { changed: () => undefined, asking: () => undefined };
  const worker = new FuseWorker(options, news, startFuseThread());
  // Before the thread has loaded the session: it finds both when it looks for the first time.
  const commit = worker.order('commit', { paths: [], wishes: { ours: [], theirs: [], merge: false } });
  const stats = worker.order('stats', null);
  const { changes } = await commit;
  const answer = await Promise.race([stats, sleep(5000, 'none' as const, { ref: false })]);
  await Promise.all([worker.order('stop', null), worker.ended]);
  assert.deepEqual([changes, answer], [0, { opcodes: {}, nodes: 1 }]);
});
