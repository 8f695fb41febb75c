/** What the daemon does after a time, seen from beside it: these run alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../support/accounts.ts';
import { eventually, processesNaming } from '../support/leaks.ts';
import { session } from '../support/session.ts';

for (const account of accounts()) {
  test(`a process left in the background goes on after its run, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('(sleep 0.5; echo late > late) >/dev/null 2>&1 &');
    assert.equal(await s.sh('sleep 1.5; cat late'), 'late\n');
    assert.deepEqual(await s.changeLines(), ['added late']);
  });

  test(`orphans of a run are buried when they end, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('for i in 1 2 3 4 5 6 7 8; do (sleep 0.3 &); done >/dev/null 2>&1');
    await sleep(700);
    assert.equal(await s.sh('grep -l "^State:.Z" /proc/[0-9]*/status || echo none'), 'none\n');
  });

  test(`an idle daemon ends by itself, but not while something runs in the view, as ${account.title}`, async (t) => {
    const s = await session(t, { account, config: '[daemon]\nidle_minutes = 0.02\n' });
    await s.sh('(sleep 3 &) >/dev/null 2>&1');
    const isAlive = (): boolean => processesNaming(s.project).some(({ command }) => /daemon\/main/.test(command));
    await sleep(2200);
    assert.ok(isAlive(), 'it did not wait for the background process');
    assert.ok(await eventually(() => !isAlive(), 6000), 'it is still there');
  });
}
