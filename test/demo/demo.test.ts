import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { exec } from '../support/exec.ts';
import { BUILT } from '../support/session.ts';

for (const account of accounts()) {
  test(`npm run demo proves every claim it makes, as ${account.title}`, async () => {
    const argv = [process.execPath, join(BUILT, 'test/demo/demo.js')];
    const { code, stdout, stderr } = await exec(argv, { account, timeout: 180_000 });
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.equal(stdout.match(/^ {2}✓ /gm)?.length, 14);
    assert.match(stdout, /Every claim held\.\n$/);
  });
}
