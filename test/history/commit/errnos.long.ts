/** D3: each call of a commit that changes something is refused, for each reason. */
import test from 'node:test';
import { Matrix } from '../../crash/matrix.ts';
import { FAULTS, ORDER, titleOf } from './errnos.ts';

for (const fault of FAULTS) {
  test(`D3: a commit with ${titleOf(fault)}, whichever it is, is as if it had not been`, async (t) => {
    const matrix = new Matrix(ORDER);
    t.after(() => matrix.close());
    await matrix.all(fault);
    t.diagnostic(`${matrix.cases} cases`);
  });
}
