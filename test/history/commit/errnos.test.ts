/** A sample of what errnos.long.ts tries at every call. */
import test from 'node:test';
import { Matrix } from '../../crash/matrix.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';
import { FAULTS, ORDER, titleOf } from './errnos.ts';

const SAMPLE = 3;

test('D3: a commit that is refused a call is as if it had not been, and can be given again', async (t) => {
  t.diagnostic(`YOLOFS_TEST_SEED=${SEED}`);
  const random = new Random(SEED);
  const matrix = new Matrix(ORDER);
  t.after(() => matrix.close());
  const [first] = FAULTS;
  const calls = first === undefined ? 0 : await matrix.count(first);
  for (const fault of FAULTS) {
    t.diagnostic(titleOf(fault));
    for (let i = 0; i < SAMPLE; i++) await matrix.take({ ...fault, at: 1 + random.below(calls) });
  }
});
