import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HistoryView } from './history-view.ts';
import { fill, step, take } from './view-steps.ts';

const RUNS = Number(process.env.YOLOFS_MODEL_RUNS ?? 200);

test('replay() and the tree store give the tree that the live view had, whatever was done', async () => {
  const steps = fc.array(step, { maxLength: 80, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const view = new HistoryView(fill);
      try {
        for (const each of all) await take(view, each);
        const replayed = await view.seeFromDisk({ store: false });
        const stored = await view.seeFromDisk({ store: true });
        const live = view.see();
        assert.deepEqual(replayed, live);
        assert.deepEqual(stored, live);
        view.history.flush(view.tree);
        assert.deepEqual(await view.seeFromDisk({ store: true }), live);
        assert.deepEqual(view.notes, []);
      } finally {
        await view.close();
      }
    }),
    { numRuns: RUNS },
  );
});
