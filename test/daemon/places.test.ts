/** Places that are not simply staged: the private /tmp, and paths that are passed through. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import { assertRefused } from '../support/refusal.ts';
import { giveTo, session, writeUserConfig } from '../support/session.ts';

for (const account of accounts()) {
  test(`/tmp is the session's own and lives as long as it, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const host = mkdtempSync('/tmp/yolofs-host-');
    t.after(() => rmSync(host, { recursive: true }));
    assert.equal(await s.sh(`ls -A /tmp; mkdir -m 700 /tmp/a; echo kept > /tmp/a/b; stat -c %a /tmp`), '1777\n');
    assert.equal(await s.sh('cat /tmp/a/b'), 'kept\n');
    await s.killDaemon();
    assert.equal(await s.sh('cat /tmp/a/b'), 'kept\n', 'after a restart of the daemon');
    await s.stop();
    assert.equal(await s.sh('ls -A /tmp'), '', 'after a stop');
    assert.ok(!existsSync('/tmp/a'));
    assert.deepEqual(await s.changeLines(), [], 'files in /tmp are not staged');
  });

  test(`a project below /tmp is staged like any other, as ${account.title}`, async (t) => {
    const s = await session(t, { account, at: '/tmp' });
    assert.equal(
      await s.sh('pwd; cat hello.txt; echo new > new; rm hello.txt; ls'),
      `${s.project}
base content
multi.txt
new
subdir
test.sh
`,
    );
    assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    assert.deepEqual(await s.changeLines(), ['deleted hello.txt', 'added new']);
    assert.equal(await s.sh('cd /tmp; echo mine > mine; ls'), `mine\n${s.root.slice('/tmp/'.length)}\n`);
    await s.commit();
    assert.equal(readFileSync(join(s.project, 'new'), 'utf8'), 'new\n');
    assert.ok(!existsSync('/tmp/mine'));
  });

  test(`a direct path is the real one, and nothing else is, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const direct = join(s.root, 'direct');
    mkdirSync(direct);
    writeFileSync(join(direct, 'file'), 'old\n');
    await giveTo(account, direct);
    writeUserConfig(s.home, `default_rules = false\n[session]\ndirect = ["${direct}"]\n`, account);
    assert.equal(await s.sh(`cat ${direct}/file; echo new > ${direct}/file; echo x > ${s.root}/beside`), 'old\n');
    assert.equal(readFileSync(join(direct, 'file'), 'utf8'), 'new\n');
    assert.ok(!existsSync(join(s.root, 'beside')));
    assert.deepEqual(await s.changeLines(), [`added ${s.root}/beside`]);
  });

  test(`a direct path stays the real one when all around it is given up, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const direct = join(s.root, 'direct');
    mkdirSync(direct);
    await giveTo(account, direct);
    writeUserConfig(s.home, `default_rules = false\n[session]\ndirect = ["${direct}"]\n`, account);
    for (const argv of [
      ['travel', '0'],
      ['abort', '--yes'],
    ]) {
      await s.sh(`echo x > ${s.root}/beside; echo x > beside`);
      await s.succeed(argv);
      await s.sh(`echo x > ${direct}/${argv[0]}`);
      assert.ok(existsSync(join(direct, argv[0] ?? '')), argv[0]);
    }
    assert.deepEqual(await s.changeLines(), []);
  });
}

test('a direct path in the home directory may be written with a tilde', async (t) => {
  const s = await session(t);
  mkdirSync(join(s.home, 'cache'));
  writeUserConfig(s.home, 'default_rules = false\n[session]\ndirect = ["~/cache"]\n', s.account);
  await s.sh('echo x > "$HOME/cache/file"');
  assert.equal(readFileSync(join(s.home, 'cache/file'), 'utf8'), 'x\n');
});

test('run refuses direct paths that are missing or would open the session', async (t) => {
  const s = await session(t);
  await s.sh('true');
  await s.stop();
  for (const [path, why] of [
    ['/nonexistent', /nonexistent.*does not exist/],
    ['/', /contains the project/],
    [s.root, /contains the project/],
    [s.project, /contains the project/],
    ['/proc', /one of its own/],
  ] as const) {
    writeUserConfig(s.home, `default_rules = false\n[session]\ndirect = ["${path}"]\n`, s.account);
    assertRefused(await s.cli(['run', '--', 'true']), why);
  }
  writeUserConfig(s.home, 'default_rules = false\n', s.account);
  // A project's file passes nothing through, and that is said once.
  writeFileSync(join(s.project, '.yolofs.toml'), `[session]\ndirect = ["${s.project}/.yolofs/lock", "${s.home}"]\n`);
  const { code, stderr } = await s.cli(['run', '--', 'sh', '-c', '! test -e .yolofs && touch ~/made']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^yolofs: \S*\.yolofs\.toml: 'direct' would loosen, which a project's file cannot; .*$/m);
  assert.ok(!existsSync(join(s.home, 'made')), 'S2: what a project calls direct is staged');
  assert.doesNotMatch((await s.cli(['run', '--', 'true'])).stderr, /would loosen/);
});

test('a symlink staged in the way of a direct path is refused, not followed', async (t) => {
  const s = await session(t);
  mkdirSync(join(s.root, 'a/direct'), { recursive: true });
  mkdirSync(join(s.root, 'b'));
  await s.sh(`cd ${s.root}; mv a c; ln -s b a`);
  await s.stop();
  writeUserConfig(s.home, `default_rules = false\n[session]\ndirect = ["${s.root}/a/direct"]\n`, s.account);
  assertRefused(await s.cli(['run', '--', 'true']), /symbolic link/);
  writeUserConfig(s.home, 'default_rules = false\n', s.account);
  assert.equal(await s.sh(`readlink ${s.root}/a`), 'b\n');
});

test('a project may have any name, and a path longer than a socket address holds', async (t) => {
  for (const name of [
    ' two  words\t',
    'line\nbreak',
    '$HOME `id` *?[a]',
    'quo\'te"s\\',
    'ünïcode',
    'deep/'.repeat(60),
  ]) {
    const root = mkdtempSync('/var/tmp/yolofs-name-');
    const at = join(root, name);
    mkdirSync(at, { recursive: true });
    const s = await session(t, { at });
    t.after(() => rmSync(root, { recursive: true }));
    assert.equal(
      await s.sh(
        'cat hello.txt; echo new > new; echo x > /tmp/x; ls /sys/class >/dev/null; ! mkdir /sys/fs/cgroup/x 2>/dev/null',
      ),
      'base content\n',
    );
    assert.equal((await s.changes()).length, 1, name);
  }
});

test('run in a directory that the view does not have says so', async (t) => {
  const s = await session(t);
  const host = mkdtempSync('/tmp/yolofs-host-');
  t.after(() => rmSync(host, { recursive: true }));
  const result = await s.cli(['--session', s.project, 'run', '--', 'true'], { cwd: host });
  assertRefused(result, /no such directory in the view/);
});
