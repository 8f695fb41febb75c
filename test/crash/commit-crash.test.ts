/** A sample of the crash matrix of commit and undo; all of it is in commit-crash.long.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EIO, ENOSPC } from '../../src/sys/errno.ts';
import { isRoot } from '../support/accounts.ts';
import { Random } from '../support/random.ts';
import { CommitMatrix } from './commit-matrix.ts';

const KILLS = 4;
const FAILURES = 6;

test('a commit or an undo that is cut or fails at a system call leaves the old or the new tree, and a session that works', {
  timeout: 300_000,
}, async (t) => {
  const seed = Number(process.env.YOLOFS_TEST_SEED ?? Date.now() % 100_000);
  t.diagnostic(`YOLOFS_TEST_SEED=${seed}`);
  const random = new Random(seed);
  const matrix = new CommitMatrix(isRoot);
  try {
    const { steps, calls, changing } = await matrix.prepare();
    assert.ok(steps >= 200, `${steps} steps`);
    for (const what of ['commit', 'undo'] as const) {
      for (let i = 0; i < KILLS; i++) await matrix.kill(what, 1 + random.below(changing[what]));
      for (let i = 0; i < FAILURES; i++) {
        await matrix.fail(what, 1 + random.below(calls[what]), random.below(2) === 0 ? EIO : ENOSPC);
      }
    }
  } finally {
    matrix.remove();
  }
});
