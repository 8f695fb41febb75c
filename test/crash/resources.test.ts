/** What runs out or breaks below a session: the agent's call gets the error, the session goes on. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isRoot } from '../support/accounts.ts';
import { type Disk, loopDisk } from '../support/disk.ts';
import { exec } from '../support/exec.ts';
import { leaveOut } from '../support/need.ts';
import { BUILT, MAIN, type Session, session } from '../support/session.ts';

interface Fill {
  readonly call: string;
  readonly code: string;
  readonly accepted: number;
}

test('write() on a full disk gets ENOSPC, and the session goes on when there is room', {
  timeout: 60_000,
}, async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount a small disk');
  const { s } = await sessionOnDisk(t);
  await s.sh('echo kept > before');
  const fill = await fillUp(s, 'big');
  assert.equal(fill.code, 'ENOSPC', JSON.stringify(fill));
  // No snapshot may hold on to the files, so that deleting them makes room.
  const reading = await s.succeed(['run', '--quiet', '--no-snapshot', '--', 'cat', 'before', 'hello.txt']);
  assert.equal(reading, 'kept\nbase content\n', 'reading no longer works');
  const small = await fillUp(s, 'small');
  assert.ok(['ENOSPC', 'none'].includes(small.code), JSON.stringify(small));
  await s.sh('rm -f big small');
  await s.sh('echo after > after; cat after');
  assert.deepEqual(await s.changeLines(), ['added after', 'added before']);
  await s.commit();
  assert.equal((await s.native(['cat', 'before', 'after'])).stdout, 'kept\nafter\n');
});

test('gc after an abort on a disk that snapshots have filled makes room again', { timeout: 60_000 }, async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount a small disk');
  const { s } = await sessionOnDisk(t);
  for (const i of [1, 2, 3, 4, 5])
    await s.cli(['run', '--quiet', '--', 'sh', '-c', `head -c 6000000 /dev/zero > f${i}`]);
  const full = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'rm f*; head -c 6000000 /dev/zero > g']);
  assert.notEqual(full.code, 0, 'the disk is too large for this test');
  await s.abort();
  // What was aborted is kept for an undo until then.
  await s.succeed(['gc', '--drop-abandoned', '--yes']);
  assert.equal(
    await s.sh('echo after > after; head -c 6000000 /dev/zero > g; ls'),
    'after\ng\nhello.txt\nmulti.txt\nsubdir\ntest.sh\n',
  );
});

test('write() on a disk filled from outside gets ENOSPC, and nothing that was staged suffers', {
  timeout: 60_000,
}, async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount a small disk');
  const { s, disk } = await sessionOnDisk(t);
  await s.sh('head -c 300000 /dev/urandom > mine; cp mine copy; echo changed > hello.txt');
  const filler = join(disk.mountPoint, 'filler');
  // Twice: the first sync returns what delayed allocation had set aside.
  for (const _ of [1, 2]) {
    await exec(['dd', 'if=/dev/zero', `of=${filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc', 'status=none']);
    await exec(['sync']);
  }
  const codes = await s.sh(
    'for i in 1 2 3; do { head -c 2000000 /dev/zero > f$i; } 2>/dev/null || echo failed; rm -f f$i || echo kept; done; mv mine moved || echo unmoved',
  );
  assert.equal(codes, 'failed\nfailed\nfailed\n');
  assert.equal(await s.sh('cmp copy moved; cat hello.txt'), 'changed\n');
  await s.cli(['stop']);
  rmSync(filler);
  assert.equal(
    await s.sh('cmp copy moved 2>/dev/null || cmp copy mine; cat hello.txt; echo more > more; cat more'),
    'changed\nmore\n',
  );
  await s.succeed(['status']);
});

test('write() into a store that turned read-only gets EROFS, and reading goes on', { timeout: 60_000 }, async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may mount a small disk');
  const { s, disk } = await sessionOnDisk(t);
  await s.sh('echo staged > staged; sync');
  disk.fail();
  const fill = await fillUp(s, 'hello.txt');
  assert.equal(fill.code, 'EROFS', JSON.stringify(fill));
  assert.equal(await s.sh('cat staged multi.txt'), 'staged\nline1\nline2\n');
  const touched = await s.cli(['run', '--quiet', '--', 'mkdir', 'new']);
  assert.match(touched.stderr, /Read-only file system/);
  assert.deepEqual(await s.changeLines(), ['added staged']);
});

test('open() of more files than the daemon may have does not end the session', { timeout: 60_000 }, async (t) => {
  const s = await session(t, { seed: manyFiles });
  // Descriptors above the limit that this test has inherited itself would be in the way.
  const script =
    'for f in /proc/$$/fd/*; do n=$(basename $f); [ "$n" -le 9 ] || eval "exec $n>&-"; done; ulimit -n 128; exec "$@"';
  const started = await s.native([
    'bash',
    '-c',
    script,
    'bash',
    process.execPath,
    MAIN,
    'run',
    '--quiet',
    '--',
    'true',
  ]);
  assert.equal(started.code, 0, started.stderr);
  const pid = await s.daemonPid();
  const failures = JSON.parse(await s.program('crash/crowd-main.js', [s.project, '400'])) as Record<string, number>;
  const unexpected = Object.keys(failures).filter((code) => code !== 'EMFILE' && code !== 'ENFILE');
  assert.deepEqual(unexpected, [], JSON.stringify(failures));
  assert.equal(await s.daemonPid(), pid, 'the daemon was replaced');
  assert.equal(await s.sh('echo fine > fine; cat fine base2'), 'fine\nwritten 2');
});

/** A session on a small disk of its own. */
async function sessionOnDisk(t: TestContext): Promise<{ s: Session; disk: Disk }> {
  const disk = await loopDisk(24);
  try {
    return { s: await session(t, { at: disk.mountPoint, noisy: true }), disk };
  } finally {
    // Hooks run in the order of their registration: the session ends first.
    t.after(() => disk.remove());
  }
}

async function fillUp(s: Session, name: string): Promise<Fill> {
  const argv = [process.execPath, join(BUILT, 'test/crash/fill-main.js'), join(s.project, name), String(40 << 20)];
  return JSON.parse(await s.succeed(['run', '--quiet', '--no-snapshot', '--', ...argv])) as Fill;
}

function manyFiles(project: string): void {
  for (let i = 0; i < 400; i += 2) writeFileSync(join(project, `base${i}`), 'written ?');
}
