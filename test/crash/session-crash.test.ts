/** The crash matrix of what leaves the base as it is, and of a commit of hunks: every cut, and a sample of the failing calls. */
import { test } from 'node:test';
import { EIO, ENOSPC } from '../../src/sys/errno.ts';
import { Random } from '../random/random.ts';
import { SEED } from '../random/seed.ts';
import { isRoot } from '../support/accounts.ts';
import { Matrix, type Order } from './matrix.ts';
import { commitAndDiscardOrder, commitHunksOrder } from './orders.ts';
import {
  abortOrder,
  abortPartOrder,
  gcOrder,
  gcOriginalsOrder,
  keepOrder,
  snapshotOrder,
  travelOrder,
  travelPastOrder,
} from './session-orders.ts';

const SIZE = { groups: 1, other: isRoot };
const ORDERS: readonly (readonly [string, Order])[] = [
  ['a snapshot', snapshotOrder()],
  ['a travel', travelOrder(SIZE)],
  ['a travel to before a commit', travelPastOrder(SIZE)],
  ['an abort', abortOrder()],
  ['an abort of paths', abortPartOrder(SIZE)],
  ['a commit of hunks', commitHunksOrder(SIZE)],
  ['a commit of hunks that throws others away', commitAndDiscardOrder(SIZE)],
  ['a gc', gcOrder()],
  ['a gc of originals', gcOriginalsOrder()],
  ['keeping what was committed', keepOrder(SIZE)],
];

for (const [title, order] of ORDERS) {
  test(`${title} that is cut or fails at a system call has happened or not, and the session works`, async (t) => {
    t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
    const random = new Random(SEED);
    const matrix = new Matrix(order);
    t.after(() => matrix.close());
    await matrix.all({ does: 'kill' }, { first: 1, step: 3 });
    for (const errno of [EIO, ENOSPC]) {
      const step = Math.max(3, Math.floor((await matrix.count({ does: errno })) / 12));
      await matrix.all({ does: errno }, { first: 1 + random.below(step), step });
    }
  });
}
