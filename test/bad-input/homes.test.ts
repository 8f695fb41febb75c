/** Homes that are none, and hosts that lack what is not needed: one clear line, or it works. */
import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Account, isRoot, ordinary } from '../support/accounts.ts';
import { exec } from '../support/exec.ts';
import { has, leaveOut } from '../support/need.ts';
import { assertRefused } from '../support/refusal.ts';
import { MAIN } from '../support/session.ts';

const YOLOFS = [process.execPath, MAIN];
/** A user that /etc/passwd does not know, as containers have them. */
const NOBODY: Account = { title: 'a user without a name', uid: 42424, gid: 42424 };

interface Row {
  readonly name: string;
  readonly ok: boolean;
  readonly required: boolean;
  readonly found: string;
}

for (const [title, env] of [
  ['unset', {}],
  ['empty', { HOME: '' }],
  ['/', { HOME: '/' }],
] as const) {
  test(`a user without a name whose HOME is ${title} is told so in one line`, async (t) => {
    if (!isRoot) return leaveOut(t, 'only root can be somebody else');
    assertRefused(
      await exec([...YOLOFS, 'run', '--', 'true'], { account: NOBODY, cwd: '/tmp', env }),
      /no home directory/,
    );
    const { stdout } = await exec([...YOLOFS, 'doctor'], { account: NOBODY, cwd: '/', env });
    assert.match(stdout, /^missing {3}home directory +you have no home directory: .*\n {10}→ set HOME /m);
  });
}

test('a home directory that is not there is told with what else could be named', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root can be somebody else');
  const cwd = mkdtempSync('/var/tmp/yolofs-test-');
  t.after(() => rmSync(cwd, { recursive: true }));
  chownSync(cwd, NOBODY.uid, NOBODY.gid);
  const result = await exec([...YOLOFS, 'init'], { account: NOBODY, cwd, env: { HOME: '/nonexistent/home' } });
  assertRefused(result, /\/nonexistent/);
  assert.match(result.stderr, /^hint: .*XDG_STATE_HOME may name another place$/m);
});

/** What is not well by `doctor`, below `wrapper`, which root runs; in a /tmp that it makes first. */
async function faults(wrapper: string): Promise<{ faults: Row[]; complaint: string }> {
  const { uid, gid } = ordinary();
  const home = mkdtempSync('/var/tmp/yolofs-test-');
  chownSync(home, uid, gid);
  const become = `exec setpriv --reuid=${uid} --regid=${gid} --clear-groups -- "$@"`;
  const namespace = [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    '--',
    'sh',
    '-euc',
    `${wrapper}; ${become}`,
    'sh',
  ];
  try {
    const result = await exec([...namespace, ...YOLOFS, 'doctor', '--json'], { cwd: '/', env: { HOME: home } });
    const rows = JSON.parse(result.stdout) as Row[];
    return { faults: rows.filter(({ ok, required }) => required && !ok), complaint: result.stderr };
  } finally {
    rmSync(home, { recursive: true });
  }
}

test('doctor tries everything where /tmp is read-only', async (t) => {
  if (!isRoot || !has(t, ['unshare', 'setpriv'])) return leaveOut(t, 'only root can mount');
  assert.deepEqual(await faults('mount -t tmpfs -o ro none /tmp'), { faults: [], complaint: '' });
});

test('doctor asks for no program that Perl stands for', async (t) => {
  if (!isRoot || !has(t, ['perl', 'unshare', 'setpriv'])) return leaveOut(t, 'only root can mount');
  const hide = ['unshare', 'nsenter', 'pivot_root', 'mountpoint'].map(
    (name) => `for f in /usr/bin/${name} /usr/sbin/${name}; do [ ! -e $f ] || mount --bind /dev/null $f; done`,
  );
  assert.deepEqual(await faults(hide.join('; ')), { faults: [], complaint: '' });
});

test('setup is for root, and shows what it would do to everybody', async () => {
  const refused = await exec([...YOLOFS, 'setup'], {
    account: ordinary(),
    cwd: '/',
    env: { HOME: join('/', 'nonexistent') },
  });
  assertRefused(refused, /takes root/);
  const { stdout, code } = await exec([...YOLOFS, 'setup', '--print'], { account: ordinary(), cwd: '/' });
  assert.equal(code, 0);
  assert.match(stdout, /^install -o root -g root -m 755 .*\/holder' \/usr\/local\/libexec\/yolofs\/holder$/m);
  assert.match(
    stdout,
    /^profile yolofs-holder \/usr\/local\/libexec\/yolofs\/holder flags=\(attach_disconnected\) \{\n {2}userns,$/m,
  );
  assert.match(stdout, /^apparmor_parser --replace \/etc\/apparmor.d\/yolofs-holder$/m);
});
