/** Wrong places, wrong words, wrong configuration. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { become, isRoot, ordinary } from '../support/accounts.ts';
import { leaveOut } from '../support/need.ts';
import { plainDirectory } from '../support/plain.ts';
import { assertRefused, assertRefusedAsJson } from '../support/refusal.ts';
import { MAIN, Session, session } from '../support/session.ts';
import { assertSameTree } from '../support/tree.ts';

/** Every command that works on a session, with arguments that are right. */
const COMMANDS = [
  ['run', '--', 'true'],
  ['run', '-c', 'true'],
  ['status'],
  ['status', '--json'],
  ['diff'],
  ['log'],
  ['audit'],
  ['snapshot', 'name'],
  ['commit', '--yes'],
  ['abort', '--yes'],
  ['stop'],
  ['du'],
];

for (const argv of COMMANDS) {
  test(`${argv.join(' ')} outside a session says so and makes none`, async (t) => {
    const place = plainDirectory(ordinary());
    t.after(() => place.remove());
    const s = new Session(place, ordinary());
    const result = await s.cli(argv);
    const assertOne = argv.includes('--json') ? assertRefusedAsJson : assertRefused;
    assertOne(result, /not a session/);
    assert.match(result.stderr, /hint: .*yolofs init/);
    assert.ok(!existsSync(join(s.project, '.yolofs')));
    assertOne(await s.cli([...argv.slice(0, 1), '--session', '/nonexistent', ...argv.slice(1)]), /nonexistent/);
  });
}

const CONFIGS: readonly { readonly title: string; readonly text: string; readonly says: RegExp }[] = [
  { title: 'broken syntax', text: '# one\n[session]\ndirect = [\n\n', says: /\.yolofs\.toml:(3|4|5)/ },
  { title: 'an unknown key', text: '[session]\n\ndirekt = []\n', says: /\.yolofs\.toml:3.*direkt/ },
  { title: 'an unknown table', text: '\n[sesion]\n', says: /\.yolofs\.toml:2.*sesion/ },
  { title: 'a wrong type', text: '[session]\ndirect = "/etc"\n', says: /\.yolofs\.toml:2.*direct/ },
  {
    title: 'a wrong word',
    text: '[session]\n# durable\ndurability = "forever"\n',
    says: /\.yolofs\.toml:3.*durability/,
  },
  {
    title: 'a relative direct path',
    text: '[session]\ndirect = [\n  "/ok",\n  "not/absolute",\n]\n',
    says: /\.yolofs\.toml:[24].*not\/absolute/,
  },
];

for (const { title, text, says } of CONFIGS) {
  test(`run names the line of ${title} in .yolofs.toml`, async (t) => {
    const s = await session(t);
    writeFileSync(join(s.project, '.yolofs.toml'), text);
    const before = await s.baseTree({ mtime: true, ino: true });
    assertRefused(await s.cli(['run', '--', 'sh', '-c', 'echo ran > hello.txt']), says);
    assertSameTree(await s.baseTree({ mtime: true, ino: true }), before, 'something has changed');
  });
}

test('wrong words on the command line exit 2', async (t) => {
  const s = await session(t);
  for (const argv of [
    ['nonsense'],
    ['run'],
    ['run', '--nonsense', '--', 'true'],
    ['status', '--jsn'],
    ['snapshot', 'a', 'b'],
    ['init', 'a', 'b'],
  ]) {
    const result = await s.cli(argv);
    assert.equal(result.code, 2, `${argv.join(' ')}: exit ${result.code}\n${result.stdout}${result.stderr}`);
    assert.equal(result.stdout, '', argv.join(' '));
    assert.match(result.stderr, /^yolofs: .+/, argv.join(' '));
  }
});

test('an empty path, a variable without a value, is not the present directory', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > staged');
  const log = await s.succeed(['log', '--json']);
  for (const argv of [
    ['commit', '--yes', ''],
    ['commit', '--yes', '--theirs', ''],
    ['abort', '--yes', 'staged', ''],
    ['diff', '--', ''],
    ['audit', '--', ''],
    ['rule', 'set', '', 'allow'],
    ['rule', 'unset', ''],
    ['rule', 'explain', ''],
  ]) {
    const result = await s.cli(argv);
    assert.deepEqual([result.code, result.stdout], [2, ''], argv.join(' '));
    assert.match(result.stderr, /^yolofs: \w+: a path is empty\nhint: 'yolofs \w+ --help' tells how it is used\n$/);
  }
  assert.deepEqual(await s.changeLines(), ['added staged']);
  assert.equal(await s.succeed(['log', '--json']), log);
});

test('a snapshot cannot be called a number, which would mean a generation', async (t) => {
  const s = await session(t);
  assertRefused(await s.cli(['snapshot', '7']), /^yolofs: snapshot: the name is a number: '7' means a generation$/);
  assertRefused(await s.cli(['run', '--name', '7', '--', 'touch', 'made']), /the name is a number/);
  assert.deepEqual(await s.changeLines(), []);
});

test('yolofs inside the view shows and snapshots, and refuses all else', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > staged');
  const inside = (argv: readonly string[]): ReturnType<Session['cli']> =>
    s.cli(['run', '--quiet', '--', process.execPath, MAIN, ...argv]);
  for (const argv of [
    ['commit', '--yes'],
    ['abort', '--yes'],
    ['stop'],
    ['run', '--', 'true'],
    ['init'],
    ['shell'],
    ['du'],
  ]) {
    const result = await inside(argv);
    assertRefused(result, /inside the view/);
  }
  assertRefused(await inside(['status', '--session', '/tmp']), /^yolofs: status: --session is not possible inside/);
  assert.match((await inside(['status'])).stdout, /staged/);
  assert.match((await inside(['diff'])).stdout, /\+staged/);
  assert.equal((await inside(['log'])).code, 0);
  assert.equal((await inside(['snapshot', 'from inside'])).code, 0);
  assert.deepEqual(await s.changeLines(), ['added staged']);
  assert.equal(
    (await s.baseTree()).some((entry) => entry.path === 'staged'),
    false,
  );
});

test('the view cannot be reached from outside, and .yolofs not from inside', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > staged');
  assert.equal((await s.native(['ls', '-A', s.layout.mount])).stdout, '');
  assert.equal((await s.native(['grep', '-c', s.root, '/proc/self/mountinfo'])).stdout.trim(), '0');
  const inside = await s.cli([
    'run',
    '--quiet',
    '--',
    'sh',
    '-c',
    'ls -A; ls .yolofs; cat .yolofs/*/journal; mkdir .yolofs; echo x > .yolofs/journal',
  ]);
  assert.doesNotMatch(inside.stdout, /journal|tree\.mdb|^\.yolofs$/m);
  assert.deepEqual(await s.changeLines(), ['added staged']);
});

test('init says where what is staged is kept if the project may not be written, and run says of a store that may not be', async (t) => {
  const place = plainDirectory(ordinary());
  const s = new Session(place, ordinary());
  t.after(async () => {
    await s.cli(['stop']);
    place.remove();
  });
  writeFileSync(join(s.project, 'file'), 'content\n');
  const closed = join(s.home, 'closed');
  mkdirSync(closed, { mode: 0o555 });
  chownSync(closed, s.account.uid, s.account.gid);
  const { code, stderr } = await s.cli(['init'], { cwd: closed });
  assert.match(stderr, /^what is staged is kept in \S*\/yolofs\/sessions\/path-[0-9a-f]{32}: /);
  assert.equal(code, 0);
  await s.succeed(['init']);
  chmodSync(s.layout.store, 0o500);
  assertRefused(await s.cli(['run', '--', 'true']), /\.yolofs/);
  chmodSync(s.layout.store, 0o700);
  await s.succeed(['run', '--', 'true']);
});

test('run on a read-only file system says so', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may bind a directory read-only for itself');
  const s = await session(t);
  const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && exec "$@"';
  const wrapper = ['unshare', '--mount', '--propagation', 'private', '--', 'sh', '-euc', script, s.project];
  const result = await s.native([...wrapper, ...become(s.account), process.execPath, MAIN, 'run', '--', 'true']);
  assertRefused(result, /Read-only file system|EROFS/);
});

test('run works with a home directory that is missing or read-only', async (t) => {
  const s = await session(t, { account: ordinary() });
  const state = { XDG_STATE_HOME: join(s.home, '.local/state') };
  assert.equal(await s.sh('cat hello.txt', { env: { ...state, HOME: '/nonexistent' } }), 'base content\n');
  await s.stop();
  const home = join(s.root, 'locked');
  mkdirSync(home);
  chmodSync(home, 0o555);
  assert.equal(await s.sh('cat hello.txt', { env: { ...state, HOME: home } }), 'base content\n');
  // Sessions are registered somewhere.
  rmSync(join(s.project, '.yolofs'), { recursive: true });
  await s.stop();
  const { stderr } = await s.cli(['run', '--', 'true'], { env: { HOME: home } });
  assert.match(stderr, /cannot make .*locked.*: permission denied .*\nhint: .*XDG_STATE_HOME/);
});
