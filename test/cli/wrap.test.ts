/** `yolofs wrap` with what is no agent we know, and what it says when there is nothing to run. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';

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

test('wrap takes a new view only when nothing runs in the present one', async (t) => {
  const s = await session(t);
  const bin = join(s.root, 'bin');
  mkdirSync(bin);
  symlinkSync('/bin/true', join(bin, 'cursor-agent'));
  const env = { PATH: `${bin}:${process.env.PATH}` };
  await s.sh('sleep 60 </dev/null >/dev/null 2>&1 &');
  const refused = await s.cli(['wrap', 'cursor'], { env });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^yolofs: wrap: something still runs in the view.*\nhint: .*'yolofs stop'\n$/);
  await s.stop();
  await s.succeed(['wrap', 'cursor'], { env });
  // What it keeps outside, and what the session has instead, is there in a view that runs on.
  await s.sh('echo chat > ~/.cursor/chats/one; echo own > ~/.cursor/projects/two');
  assert.equal(readFileSync(join(s.home, '.cursor/chats/one'), 'utf8'), 'chat\n');
  assert.deepEqual(readdirSync(join(s.home, '.cursor/projects')), []);
  assert.deepEqual(await s.changeLines(), []);
});
