/** Attack from inside: every flood, as root and as an ordinary user, ten seconds each before the first order. */
import { test } from 'node:test';
import { accounts } from '../../support/accounts.ts';
import { FLOODS, underFlood } from './floods.ts';

for (const account of accounts()) {
  for (const flood of Object.keys(FLOODS)) {
    test(`S15: the person's orders are carried out under a flood of ${flood}, as ${account.title}`, async (t) => {
      const { took, most } = await underFlood(t, { account, flood, ms: 10_000 });
      t.diagnostic(`${JSON.stringify(took)}, ${Math.round(most)} MB`);
    });
  }
}
