import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { boundHeap } from '../../../src/daemon/life/bound-heap.ts';
import type { Sizes } from './heap-trim-main.ts';

const MB = 2 ** 20;

test('the heap of a thread of the daemon is given back when nobody waits, as far as nothing lives there', async () => {
  // As a daemon has it from the start: only threads that are started afterwards follow it.
  setFlagsFromString('--expose-gc');
  boundHeap();
  const thread = new Worker(new URL('heap-trim-main.js', import.meta.url));
  const [{ before, grown, notAlone, trimmed, again, kept, resident }] = (await once(thread, 'message')) as [Sizes];
  assert.ok(grown > before + 60 * MB, `${grown - before} bytes more`);
  assert.ok(notAlone >= grown, 'somebody is there');
  assert.ok(trimmed < before + 24 * MB, `${trimmed - before} bytes stay`);
  assert.ok(again >= trimmed, 'not again for nothing');
  assert.equal(kept, 10_000);
  const givenBack = resident.grown - resident.trimmed;
  assert.ok(givenBack > (grown - before) / 2, `of ${grown - before} bytes ${givenBack} went back to the system`);
});
