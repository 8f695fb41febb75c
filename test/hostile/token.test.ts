/** The token of a session, and the registry, are nowhere in the view: not in what the kernel tells, not in what is said. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { accounts, ordinary } from '../support/accounts.ts';
import { giveTo, MAIN, session } from '../support/session.ts';

const YOLOFS = `${process.execPath} ${MAIN}`;
const LOOK = [
  'cat /proc/self/mountinfo /proc/mounts /proc/*/cmdline /proc/*/environ /proc/net/unix; env',
  'ls -laR /dev; readlink /proc/*/fd/* /proc/*/cwd /proc/*/root /proc/*/map_files/*',
  `${['status', 'log', 'audit', 'diff', 'commit'].map((command) => `${YOLOFS} ${command}`).join('; ')}; ls -la . .yolofs`,
].join('; ');

for (const account of accounts()) {
  test(`S1: nothing in the view tells the token, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('echo x > staged; mkdir -p ~/own');
    const token = basename(s.layout.store);
    const { stdout, stderr } = await s.cli(['run', '--quiet', '-c', `{ ${LOOK}; } 2>&1 | tr '\\0' '\\n'`]);
    assert.match(stdout, new RegExp(basename(s.layout.entry)), 'mountinfo shows what is mounted');
    assert.equal(`${stdout}${stderr}`.includes(token), false);
    // What goes wrong outside is told inside.
    chmodSync(s.layout.journal, 0);
    const failed = await s.cli(['run', '--quiet', '--no-snapshot', '-c', `${YOLOFS} log 2>&1; ${YOLOFS} diff 2>&1`]);
    chmodSync(s.layout.journal, 0o600);
    assert.equal(`${failed.stdout}${failed.stderr}`.includes(token), false, failed.stdout);
    if (account.uid !== 0) assert.match(failed.stdout, /\.yolofs\/…\/journal/);
  });
}

test('S1: the registry is out of sight, wherever XDG_STATE_HOME is, and no rule shows it', async (t) => {
  const s = await session(t, {
    account: ordinary(),
    rules: 'default_rules = false\n[rules]\n"~/.local/state/yolofs" = "allow"\n',
  });
  const hidden =
    'ls -a ~/.local/state; cat "$D"/sessions/*/session; mkdir -p "$D/x"; echo x > "$D/sessions/x"; mv ~/.local/state ~/gone; ls "$D"';
  const look = async (env: Record<string, string>): Promise<string> => {
    const { stdout, stderr } = await s.cli(['run', '--quiet', '-c', `{ ${hidden}; } 2>&1 || true`], { env });
    return `${stdout}${stderr}`;
  };
  const told = await look({ D: join(s.home, '.local/state/yolofs') });
  assert.doesNotMatch(told, /yolofs session 1|^yolofs$/m);
  assert.match(told, /No such file or directory/);
  assert.deepEqual(
    (await s.changes()).filter(({ path }) => path.includes('.local')),
    [],
  );
  const explained = await s.succeed(['rule', 'explain', join(s.home, '.local/state/yolofs/sessions')]);
  assert.match(explained, /: hidden\n/);
  await s.stop();

  // In the project, with a session of its own.
  const state = join(s.project, 'state');
  mkdirSync(state);
  await giveTo(ordinary(), state);
  const project = join(s.root, 'other');
  mkdirSync(project);
  await giveTo(ordinary(), project);
  const env = { XDG_STATE_HOME: state, D: join(state, 'yolofs') };
  await s.native(['rm', '-r', '.yolofs']);
  assert.equal((await s.cli(['init'], { env })).code, 0);
  const inside = await look(env);
  assert.doesNotMatch(inside, /yolofs session 1/);
  const changed = JSON.parse(await s.succeed(['status', '--json'], { env })) as { changes: { path: string }[] };
  assert.deepEqual(
    changed.changes.filter(({ path }) => path.startsWith(state)),
    [],
  );
  assert.ok(existsSync(join(state, 'yolofs/sessions')));
  await s.succeed(['stop'], { env });
});

test('S1: a session whose project is the home has its registry hidden, too', async (t) => {
  const s = await session(t, { account: ordinary() });
  const cwd = s.home;
  assert.equal((await s.cli(['init'], { cwd })).code, 0);
  const inside = await s.cli(
    ['run', '--quiet', '-c', 'ls -a .local/state; ls .local/state/yolofs; echo ok > new; true'],
    { cwd },
  );
  assert.doesNotMatch(inside.stdout, /yolofs/);
  assert.match(inside.stderr, /No such file/);
  await s.succeed(['commit', '--yes'], { cwd });
  assert.ok(existsSync(join(s.home, 'new')));
  await s.succeed(['stop'], { cwd });
});
