/** S15, attack from inside: the person's orders are carried out under floods. All of them, and longer, in flood.long.ts. */
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { underFlood } from './floods.ts';

for (const flood of ['deep paths', 'sockets', '/tmp']) {
  test(`S15: status, abort and stop answer within five seconds under a flood of ${flood}`, async (t) => {
    const { took, most } = await underFlood(t, { account: ordinary(), flood, ms: 1500 });
    t.diagnostic(`${JSON.stringify(took)}, ${Math.round(most)} MB`);
  });
}
