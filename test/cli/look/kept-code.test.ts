/** What V8 has compiled for a command that looks at a session is kept for the next, as for any other command. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { session } from '../../support/session.ts';

test('status, diff and log keep what V8 has compiled for them', async (t) => {
  const s = await session(t, { account: ordinary() });
  await s.sh('echo staged > new');
  const code = join(s.home, '.local/state/yolofs/code');
  const kept = (): string[] => readdirSync(code).filter((name) => name.startsWith('all.cjs-'));
  for (const command of ['status', 'diff', 'log']) {
    for (const name of kept()) rmSync(join(code, name));
    const { stdout } = await s.cli([command]);
    assert.match(stdout, /new/, command);
    assert.equal(kept().length, 1, command);
  }
});
