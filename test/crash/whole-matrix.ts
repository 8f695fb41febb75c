/**
 * The whole crash matrix: every order cut before every call that changes something, with half of every write, and with
 * every call failing with EIO and with ENOSPC. In quarters, each a file (`matrix-N.long.ts`), so that they run at once.
 */
import { test } from 'node:test';
import { EIO, ENOSPC } from '../../src/sys/errno.ts';
import { isRoot } from '../support/accounts.ts';
import type { Fault } from './faults.ts';
import { Matrix, type Order } from './matrix.ts';
import {
  commitAndDiscardOrder,
  commitHunksOrder,
  commitOrder,
  commitPartOrder,
  undoKeptOrder,
  undoOrder,
  undoPartOrder,
} from './orders.ts';
import * as session from './session-orders.ts';

/** Two hundred steps. */
const LARGE = { groups: 6, other: isRoot };
const SMALL = { groups: 2, other: isRoot };

const ORDERS: readonly (readonly [string, Order])[] = [
  ['commit', commitOrder(LARGE)],
  ['undo', undoOrder(LARGE)],
  ['undo of what the store has copies of', undoKeptOrder(LARGE)],
  ['commit of paths', commitPartOrder(LARGE)],
  ['undo of a commit of paths', undoPartOrder(LARGE)],
  ['commit of hunks', commitHunksOrder(SMALL)],
  ['commit of hunks that throws others away', commitAndDiscardOrder(SMALL)],
  ['snapshot', session.snapshotOrder()],
  ['travel', session.travelOrder(SMALL)],
  ['travel to before a commit', session.travelPastOrder(SMALL)],
  ['abort', session.abortOrder()],
  ['abort of paths', session.abortPartOrder(SMALL)],
  ['gc', session.gcOrder()],
  ['gc of originals', session.gcOriginalsOrder()],
  ['keeping what was committed', session.keepOrder(SMALL)],
  ['freeing what was undone', session.freeOrder(SMALL)],
];

const FAULTS: readonly (readonly [string, Omit<Fault, 'at'>])[] = [
  ['cut before every change', { does: 'kill' }],
  ['cut in every write', { does: 'tear' }],
  ['with EIO at every call', { does: EIO }],
  ['with ENOSPC at every call', { does: ENOSPC }],
];

const QUARTERS = 4;

/** Every fourth case of each order and fault, from `first` (1 to 4) on. */
export function quarterOfMatrix(first: number): void {
  for (const [title, order] of ORDERS) {
    for (const [how, fault] of FAULTS) {
      test(`${title} ${how}, quarter ${first}`, async (t) => {
        const matrix = new Matrix(order);
        t.after(() => matrix.close());
        await matrix.all(fault, { first, step: QUARTERS });
        t.diagnostic(`${matrix.cases} cases`);
      });
    }
  }
}
