/** A sample of the crash matrix of commit and undo; all of it is in whole-matrix.ts. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { EIO, ENOSPC } from '../../src/sys/errno.ts';
import { Random } from '../random/random.ts';
import { SEED } from '../random/seed.ts';
import { isRoot } from '../support/accounts.ts';
import { BUILT } from '../support/session.ts';
import { Matrix } from './matrix.ts';
import { commitOrder, commitPartOrder, undoKeptOrder, undoOrder } from './orders.ts';

const MAIN = join(BUILT, 'test/crash/commit-main.js');
/** Two hundred steps. */
const SIZE = { groups: 6, other: isRoot };

for (const [title, order, main] of [
  ['a commit', commitOrder(SIZE), 'commit'],
  ['an undo', undoOrder(SIZE), 'undo'],
  ['an undo of what the store has copies of', undoKeptOrder(SIZE), 'undo'],
  ['a commit of paths', commitPartOrder(SIZE), undefined],
] as const) {
  test(`${title} that is cut or fails at a system call leaves the old or the new tree, and a session that works`, async (t) => {
    t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
    const random = new Random(SEED);
    const matrix = new Matrix(order);
    t.after(() => matrix.close());
    const calls = await matrix.count({ does: EIO });
    const changing = await matrix.count({ does: 'kill' });
    assert.ok(changing > 200, `${changing} calls that change something`);
    if (main !== undefined) await matrix.killProcess([MAIN, main], 1 + random.below(changing));
    for (let i = 0; i < 6; i++) {
      await matrix.take({ does: 'kill', at: 1 + random.below(changing) });
      await matrix.take({ does: EIO, at: 1 + random.below(calls) });
      await matrix.take({ does: ENOSPC, at: 1 + random.below(calls) });
    }
  });
}
