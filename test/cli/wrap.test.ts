/** `yolofs wrap` with what is no agent we know, and what it says when there is nothing to run. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accounts, become } from '../support/accounts.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { MAIN, type Session, session } from '../support/session.ts';

test('wrap runs any command in the view, with its exit code and a summary', async (t) => {
  const s = await session(t);
  const { code, stdout, stderr } = await s.cli(['wrap', 'sh', '-c', 'echo out; echo new > new.txt; exit 7']);
  assert.equal(code, 7);
  assert.equal(stdout, 'out\n');
  assert.match(stderr, /added +new\.txt/);
  assert.deepEqual(await s.changeLines(), ['added new.txt']);
});

test('wrap of what is not installed says how to get it', async (t) => {
  const s = await session(t);
  const env = { PATH: '/usr/bin:/bin' };
  const agent = await s.cli(['wrap', 'copilot'], { env });
  assert.equal(agent.code, 1);
  assert.match(
    agent.stderr,
    /^yolofs: wrap: copilot: not found in PATH\nhint: 'npm install -g @github\/copilot' installs it\n$/,
  );
  const other = await s.cli(['wrap', 'no-such-agent'], { env });
  assert.equal(other.code, 1);
  assert.match(
    other.stderr,
    /no-such-agent: no such agent or program\nhint: agents with a profile: claude, codex, gemini/,
  );
});

for (const account of accounts()) {
  test(`N5: wrap goes beside what runs in the view already, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const bin = join(s.root, 'bin');
    mkdirSync(bin);
    symlinkSync('/bin/sh', join(bin, 'cursor-agent'));
    writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const watching = await watcher(t, s);
    // Another process of the view, from before: it has to see what is mounted later.
    await s.sh(
      '(until [ -e go ]; do sleep 0.1; done; echo old > ~/.cursor/chats/old; echo done > seen) </dev/null >/dev/null 2>&1 &',
    );
    const daemon = await s.daemonPid();

    await s.succeed(['wrap', 'cursor', '-c', 'echo chat > ~/.cursor/chats/one; echo own > ~/.cursor/projects/two'], {
      env,
    });
    assert.equal(readFileSync(join(s.home, '.cursor/chats/one'), 'utf8'), 'chat\n');
    assert.deepEqual(readdirSync(join(s.home, '.cursor/projects')), []);
    assert.deepEqual(await s.changeLines(), []);
    assert.equal(await s.sh('cat ~/.cursor/projects/two'), 'own\n');
    await s.sh('touch go; until [ -e seen ]; do sleep 0.1; done');
    assert.equal(readFileSync(join(s.home, '.cursor/chats/old'), 'utf8'), 'old\n');

    await s.succeed(['wrap', 'codex'], { env });
    assert.match(await s.sh('cat /proc/self/mountinfo'), / \S*\/home\/\.codex\/sessions /);
    assert.equal(await s.daemonPid(), daemon);
    assert.equal(watching.exitCode, null);
    await s.stop();
    // A new view has the same.
    assert.equal(await s.sh('cat ~/.cursor/projects/two ~/.cursor/chats/one'), 'own\nchat\n');
  });
}

/** `yolofs watch`, which ends with the test; it has begun to listen. */
async function watcher(t: TestContext, s: Session): Promise<ChildProcess> {
  const [command = '', ...args] = [...become(s.account), process.execPath, MAIN, 'watch'];
  const env = { ...CLEAN_ENV, HOME: s.home };
  const child = spawn(command, args, { cwd: s.project, env, stdio: ['pipe', 'ignore', 'pipe'] });
  t.after(() => child.kill());
  const [said] = await once(child.stderr, 'data');
  assert.match(String(said), /^waiting for questions/);
  return child;
}
