/**
 * Random operation sequences on the overlay and, as the independent judge, the same ones on a plain directory
 * of the host: every single result (errno) and the final trees must be equal, and the base untouched.
 */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Gen } from '../../src/sys/bytes.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { fill, image, inView, isForTheKernel, native, type Op, op, sorted } from './random-ops.ts';
import { openView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

function runSequence(ops: readonly Op[], maxFiles: number): void {
  const view = openView({ maxFiles });
  try {
    fs.mkdirSync(view.dir, { mode: 0o755 });
    fill(view.dir);
    const judge = `${view.dir}-judge`;
    fs.mkdirSync(judge);
    fill(judge);
    const untouched = sorted(image(view.dir));
    const driver = new ViewDriver(view.overlay);
    for (const [i, op] of ops.entries()) {
      if (op.op === 'snapshot') view.recorder.generation = (view.recorder.generation + 1) as Gen;
      if (isForTheKernel(judge, op)) continue;
      const expected = native(judge, op);
      assert.equal(inView(driver, view.dir, op), expected, `step ${i} ${JSON.stringify(op)}`);
    }
    assert.deepEqual(sorted(driver.image(view.dir)), sorted(image(judge)));
    assert.deepEqual(sorted(image(view.dir)), untouched, 'the base must stay as it was');
  } finally {
    view.close();
  }
}

test('overlay behaves like the host file system under random operations', () => {
  const numRuns = runs(300);
  fc.assert(
    fc.property(fc.array(op, { maxLength: 60 }), fc.constantFrom(2, 64), (ops, maxFiles) => runSequence(ops, maxFiles)),
    { numRuns },
  );
});
