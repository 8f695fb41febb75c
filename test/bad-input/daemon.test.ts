/** Daemons that died, were replaced, or are not alone. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '../support/accounts.ts';
import { noProcessNaming, processesNaming } from '../support/leaks.ts';
import { session } from '../support/session.ts';

for (const account of accounts()) {
  test(`a daemon that was killed is replaced and loses nothing, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('echo staged > staged; rm hello.txt');
    await s.killDaemon();
    assert.ok(existsSync(join(s.layout.entry, 'sock')), 'the test needs a socket that nobody serves');
    assert.deepEqual(await s.changeLines(), ['deleted hello.txt', 'added staged'], 'status without a daemon');
    await s.stop();
    assert.equal(await s.sh('cat staged; ls hello.txt 2>/dev/null || echo gone'), 'staged\ngone\n');
    await s.killDaemon();
    await s.succeed(['snapshot', 'after']);
    await s.killDaemon();
    await s.commit();
    assert.equal((await s.native(['ls'])).stdout, 'multi.txt\nstaged\nsubdir\ntest.sh\n');
  });
}

test('run says so when the daemon dies below the command', async (t) => {
  const s = await session(t);
  await s.sh('true');
  const running = s.cli(['run', '--', 'sh', '-c', 'echo started; sleep 20']);
  await sleep(700);
  await s.killDaemon();
  const result = await running;
  assert.notEqual(result.code, 0);
  assert.match(result.stderr, /^yolofs: run: .*daemon/m);
});

test('two runs at once share one daemon', async (t) => {
  const s = await session(t);
  const results = await Promise.all(
    [1, 2, 3, 4].map((i) => s.cli(['run', '--quiet', '--', 'sh', '-c', `echo ${i} > f${i}; sleep 0.3; cat f*`])),
  );
  assert.deepEqual(
    results.map((result) => result.code),
    [0, 0, 0, 0],
    results.map((result) => result.stderr).join(''),
  );
  assert.deepEqual(await s.changeLines(), ['added f1', 'added f2', 'added f3', 'added f4']);
  const daemons = processesNaming(s.project).filter(({ command }) => /daemon/.test(command));
  assert.equal(daemons.length, 1, JSON.stringify(daemons));
});

test('something else in the place of the socket does not stop a run', async (t) => {
  const s = await session(t);
  writeFileSync(join(s.layout.entry, 'sock'), 'not a socket');
  assert.equal(await s.sh('cat hello.txt'), 'base content\n');
});

test('stop ends the daemon and what still runs in the view', async (t) => {
  const s = await session(t);
  await s.sh('(sleep 60 & ) >/dev/null 2>&1; echo done > done');
  assert.ok(processesNaming(s.root).length > 0);
  await s.stop();
  assert.ok(await noProcessNaming(s.root), JSON.stringify(processesNaming(s.root)));
  assert.deepEqual(await s.changeLines(), ['added done']);
  await s.stop();
});
