import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { exec } from '../support/exec.ts';
import { has } from '../support/need.ts';
import { BUILT, session } from '../support/session.ts';

const DOCTOR = [process.execPath, join(BUILT, 'src/cli/main.js'), 'doctor'];
const CAGE = [
  'processes',
  'process list',
  'mounts',
  'kernel settings',
  'devices',
  'privileges',
  'host sockets',
  'capabilities',
  'system calls',
  'abstract sockets',
];
const PROMISES = ['view', 'real files', 'next command', 'session', 'killed daemon', 'commit', 'abort', 'stop'];

for (const account of accounts()) {
  test(`yolofs doctor proves every promise and leaves nothing behind, as ${account.title}`, async (t) => {
    // Of its own: other suites try this, too.
    const tmp = mkdtempSync('/var/tmp/yolofs-test-');
    t.after(() => rmSync(tmp, { recursive: true }));
    chmodSync(tmp, 0o1777);
    // Of root's; the PATH of whoever has become another user leads there.
    const closed = mkdtempSync('/var/tmp/yolofs-test-');
    t.after(() => rmSync(closed, { recursive: true }));
    const env = { TMPDIR: tmp, PATH: `${closed}/bin:${process.env.PATH}` };
    const result = await exec([...DOCTOR, '--json'], { account, cwd: '/', env });
    assert.deepEqual([result.code, result.stderr], [0, ''], result.stdout);
    const rows = JSON.parse(result.stdout) as { name: string; ok: boolean; required: boolean }[];
    assert.deepEqual(
      rows.filter(({ ok, required }) => required && !ok),
      [],
    );
    // Whoever runs this may have sources.
    const names = rows.map(({ name }) => name).filter((name) => name !== 'source');
    assert.deepEqual(names.slice(-CAGE.length - PROMISES.length), [...CAGE, ...PROMISES]);
    assert.deepEqual(readdirSync(tmp), []);
  });
}

test('yolofs doctor tells of a session that is lost, and tries all the same', async (t) => {
  const s = await session(t);
  await s.sh(': > staged');
  await s.succeed(['stop']);
  rmSync(s.layout.dir, { recursive: true });
  rmSync(join(s.project, '.yolofs.toml'), { force: true });
  for (const time of ['once', 'again']) {
    const { code, stdout, stderr } = await s.cli(['doctor']);
    assert.deepEqual([code, stderr], [0, ''], time);
    assert.match(stdout, /^note {6}session +the session in .* is gone: what was staged there is lost$/m, time);
    assert.match(stdout, /^ok {8}commit +makes the changes real$/m, time);
  }
});

test('yolofs doctor says what is missing, how to get it, and exits 1', async (t) => {
  if (process.getuid?.() !== 0 || !has(t, ['unshare', 'mount'])) return;
  // A host without the device: another one in its place, for this process tree only.
  const script = 'mount --bind /dev/null /dev/fuse && exec "$@"';
  const result = await exec(['unshare', '--mount', 'sh', '-c', script, 'sh', ...DOCTOR], { cwd: '/' });
  assert.equal(result.code, 1);
  assert.match(
    result.stdout,
    /^missing {3}\/dev\/fuse +something else than the FUSE device\n {10}→ load the kernel module/m,
  );
  assert.match(result.stdout, /^missing {3}mount of a view +not tried, since one before does not hold$/m);
  assert.match(result.stdout, /^missing {3}view .*/m);
  assert.match(result.stdout, /^missing {3}commit +not tried, since one before does not hold$/m);
  assert.match(result.stderr, /^yolofs: doctor: \d+ of \d+ checks failed on this host\n$/);
});
