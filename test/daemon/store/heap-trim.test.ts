import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { HeapTrim } from '../../../src/daemon/store/heap-trim.ts';
import { heapSize } from '../../../src/sys/memory.ts';

// As a daemon has it from the start.
setFlagsFromString('--expose-gc');
globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction;

const MB = 2 ** 20;

/** Objects of more than a hundred bytes each. */
function objects(count: number): { n: number; more: number[] }[] {
  return Array.from({ length: count }, (_, n) => ({ n, more: [n, n, n, n, n, n] }));
}

test('the heap is given back when nobody waits, as far as nothing lives there', () => {
  let isAlone = false;
  const trim = new HeapTrim(() => isAlone);
  const before = heapSize();
  const kept = objects(10_000);
  let dropped = objects(600_000);
  assert.equal(dropped.length, 600_000);
  dropped = [];
  const grown = heapSize();
  assert.ok(grown > before + 60 * MB, `${grown - before} bytes more`);
  trim.step();
  assert.ok(heapSize() >= grown, 'somebody is there');
  isAlone = true;
  trim.step();
  assert.ok(heapSize() < before + 45 * MB, `${heapSize() - before} bytes stay`);
  const left = heapSize();
  trim.step();
  assert.ok(heapSize() >= left, 'not again for nothing');
  assert.ok(kept.every(({ n, more }, i) => n === i && more.length === 6));
});
