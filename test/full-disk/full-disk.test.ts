/** D2: on a full disk, and at the quota, the view shows what the store has, and no writer is told that all is well when it is not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRoot } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';
import { session } from '../support/session.ts';
import { fillDisk, fillQuota } from './rounds.ts';

test('D2: a writer that does not ask is told of by the summary, and commit has what the view shows', async (t) => {
  const s = await session(t, { config: '[session]\nquota = "1 MiB"\n', noisy: true });
  // The shell's own echo does not look at what becomes of the redirection.
  const script = 'head -c 1048000 /dev/zero > big; echo more >> hello.txt; echo more >> multi.txt; echo done';
  const { stdout, stderr } = await s.cli(['run', '--', 'sh', '-c', script]);
  assert.equal(stdout, 'done\n');
  const told = 'yolofs: cannot store all that was written in the view: no space left on device (ENOSPC); incomplete: ';
  assert.equal(stderr.slice(0, stderr.indexOf('\n')), `${told}hello.txt, multi.txt`);
  const shown = await s.tree({ skip: ['^\\.yolofs'] });
  assert.equal(await s.sh('cat hello.txt multi.txt'), 'base content\nline1\nline2\n');
  assert.deepEqual(await s.changeLines(), ['added big']);
  await s.commit();
  assert.deepEqual(await s.baseTree({ skip: ['^\\.yolofs'] }), shown);
});

test('D2: a commit that finds out itself that something was not stored refuses once and names it', async (t) => {
  const s = await session(t, { config: '[session]\nquota = "1 MiB"\n', noisy: true });
  await s.sh('mkfifo end; head -c 1048000 /dev/zero > big');
  // Still under way, so there is no summary; the kernel holds what it wrote until somebody asks.
  const script = 'exec 3>>hello.txt; echo more >&3; echo written; read end < end';
  let written: () => void = () => undefined;
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const running = s.cli(['run', '--', 'bash', '-c', script], { onStdout: () => written() });
  await isWritten;
  const refused = await s.cli(['commit', '--yes']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^yolofs: commit: cannot store all .* \(ENOSPC\); incomplete: hello.txt\n/);
  assert.equal((await s.native(['ls', 'big'])).code, 2, 'nothing was committed');
  await s.sh('echo > end; rm end');
  assert.equal((await running).stderr, '', 'told already');
  await s.commit();
  assert.equal((await s.native(['cat', 'hello.txt'])).stdout, 'base content\n');
});

test('D2: after each of 5 rounds on a full disk view, commit and restart are the same, byte for byte', {
  timeout: 120_000,
}, async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount a small disk');
  await fillDisk(t, { count: 5, part: 0 });
});

test('D2: after each of 5 rounds at the quota view, commit and restart are the same, byte for byte', {
  timeout: 120_000,
}, async (t) => {
  await fillQuota(t, { count: 5, part: 0 });
});
