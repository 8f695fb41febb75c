/** D2: on a full disk, and at the quota, the view shows what the store has, and no writer is told that all is well when it is not. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isRoot } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';
import { type Session, session } from '../support/session.ts';
import { fillDisk, fillQuota } from './rounds.ts';

/** Who appends to one of these has the store copy all of it, for which it has no room when `big` is there. */
const LARGE = ['large1', 'large2'];
const CONTENT = 'x'.repeat(300_000);
const FILL = 'head -c 900000 /dev/zero > big';
const REFUSED = 'cannot store all that was written in the view: no space left on device (ENOSPC); incomplete: ';
const REMEDY = "; the quota (1.0 MiB) is used up: 'yolofs gc --max-size SIZE' or a larger one makes room";

function smallStore(t: TestContext): Promise<Session> {
  return session(t, {
    config: '[session]\nquota = "1 MiB"\n',
    noisy: true,
    seed: (project) => {
      for (const name of LARGE) writeFileSync(join(project, name), CONTENT);
    },
  });
}

test('D2: a writer that does not ask is told of by the summary, and commit has what the view shows', async (t) => {
  const s = await smallStore(t);
  // The shell's own echo does not look at what becomes of the redirection.
  const script = `${FILL}; echo more >> large1; echo more >> large2; echo done`;
  const { stdout, stderr } = await s.cli(['run', '--', 'sh', '-c', script]);
  assert.equal(stdout, 'done\n');
  assert.equal(stderr.slice(0, stderr.indexOf('\n')), `yolofs: ${REFUSED}large1, large2${REMEDY}`);
  const shown = await s.tree({ skip: ['^\\.yolofs'] });
  assert.equal(await s.sh('cat large1 large2'), CONTENT + CONTENT);
  assert.deepEqual(await s.changeLines(), ['added big']);
  await s.commit();
  assert.deepEqual(await s.baseTree({ skip: ['^\\.yolofs'] }), shown);
});

test('D2: status and the commit name what was cut short until it is written again, also after the daemon was killed', async (t) => {
  const s = await smallStore(t);
  const write = (name: string): string => `head -c 300000 /dev/zero > ${name} || true`;
  await s.sh([FILL, write('half'), write('other')].join('\n'));
  const named = async (words: readonly string[]): Promise<string[]> =>
    [
      ...(await s.succeed(words)).matchAll(
        /^ {2}(\S+) {2}cut short: not all that was written to it could be stored$/gm,
      ),
    ].map(([, name]) => name ?? '');
  assert.deepEqual(await named(['status']), ['half', 'other']);
  await s.killDaemon();
  assert.deepEqual(await named(['commit', '--dry-run']), ['half', 'other']);
  await s.sh('rm big; head -c 3000 /dev/zero > half');
  assert.deepEqual(await named(['status']), ['other']);
});

test('D2: a commit that finds out itself that something was not stored refuses once and names it', async (t) => {
  const s = await smallStore(t);
  await s.sh(`mkfifo end; ${FILL}`);
  // Still under way, so there is no summary; the kernel holds what it wrote until somebody asks.
  const script = 'exec 3>>large1; echo more >&3; echo written; read end < end';
  let written: () => void = () => undefined;
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const running = s.cli(['run', '--', 'bash', '-c', script], { onStdout: () => written() });
  await isWritten;
  const refused = await s.cli(['commit', '--yes']);
  assert.equal(refused.code, 1);
  assert.equal(refused.stderr.slice(0, refused.stderr.indexOf('\n')), `yolofs: commit: ${REFUSED}large1${REMEDY}`);
  assert.equal((await s.native(['ls', 'big'])).code, 2, 'nothing was committed');
  await s.sh('echo > end; rm end');
  assert.equal((await running).stderr, '', 'told already');
  await s.commit();
  assert.equal((await s.native(['cat', 'large1'])).stdout, CONTENT);
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
