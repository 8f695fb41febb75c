/** What the crash matrix has found, in a small session: the calls at which something was wrong once, all of them. */
import { test } from 'node:test';
import { EIO } from '../../src/sys/errno.ts';
import { isRoot } from '../support/accounts.ts';
import type { Fault } from './faults.ts';
import { Matrix, type Order } from './matrix.ts';
import { commitOrder, commitPartOrder, undoOrder } from './orders.ts';
import { abortOrder } from './session-orders.ts';

const SMALL = { groups: 1, other: isRoot };

/** For the groups that a commit of paths names. */
const LARGER = { ...SMALL, groups: 3 };
const IN_DOUBT = { does: EIO, lasting: true, named: /^(?:fdatasync|ftruncate)$/ } as const;

const FOUND: readonly (readonly [string, Order, Omit<Fault, 'at'>])[] = [
  [
    'an undo killed around a rename of a copy that the backups had (its identity was noted afterwards: it stayed moved)',
    undoOrder(SMALL),
    { does: 'kill', named: /^(?:write|renameat2)$/ },
  ],
  [
    'an undo killed in the midst of a write (notes that followed a torn one were lost)',
    undoOrder(SMALL),
    { does: 'tear', named: /^write$/ },
  ],
  [
    'an undo that cannot be written down is taken back (the view went on with directories that had moved)',
    undoOrder(SMALL),
    { does: EIO, named: /^write$/ },
  ],
  [
    'an undo that cannot remove what the backups had is taken back (the copy stayed in the base)',
    undoOrder(SMALL),
    { does: EIO, named: /^unlinkat$/ },
  ],
  [
    'a commit that cannot put a time back (the directory kept that of the tidying up)',
    commitOrder(SMALL),
    { does: EIO, named: /^utimensat$/ },
  ],
  [
    'a commit that cannot read the journal once it is through (it was told to have failed)',
    commitOrder(SMALL),
    { does: EIO, named: /^pread$/ },
  ],
  [
    'a commit that cannot open what it works in (the next one saw conflicts)',
    commitOrder(SMALL),
    { does: EIO, named: /^openat$/ },
  ],
  [
    'a commit whose record the disk neither keeps nor gives back (it was taken back, and the next start believed the record)',
    commitOrder(SMALL),
    IN_DOUBT,
  ],
  ['a commit of paths whose records the disk neither keeps nor gives back', commitPartOrder(LARGER), IN_DOUBT],
  ['an undo whose record the disk neither keeps nor gives back', undoOrder(SMALL), IN_DOUBT],
  ['an abort whose record the disk neither keeps nor gives back', abortOrder(), IN_DOUBT],
];

for (const [title, order, fault] of FOUND) {
  test(title, async (t) => {
    const matrix = new Matrix(order);
    t.after(() => matrix.close());
    await matrix.all(fault);
  });
}
