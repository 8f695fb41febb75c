/** How a daemon begins, who it works for, and how it ends. */
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accounts, isRoot } from '../support/accounts.ts';
import { eventually, mountsBelow, noProcessNaming, processesNaming } from '../support/leaks.ts';
import { leaveOut } from '../support/need.ts';
import { BUILT, MAIN as CLI, session } from '../support/session.ts';

const MAIN = join(BUILT, 'src/daemon/main.js');

for (const account of accounts()) {
  test(`kill -9 of the daemon leaves no process and no mount, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    await s.sh('echo staged > staged; (sleep 100 &) >/dev/null 2>&1; (sleep 100 >/dev/null 2>&1 & cat staged)');
    const left = (): string[] => [...processesNaming(s.root).map(({ command }) => command), ...mountsBelow(s.root)];
    assert.ok(left().length > 1);
    await s.killDaemon();
    assert.ok(await eventually(() => left().length === 0), JSON.stringify(left()));
    assert.equal(await s.sh('cat staged'), 'staged\n');
  });
}

test('a second daemon of the same session is refused', async (t) => {
  const s = await session(t);
  await s.sh('true');
  const second = await s.native([process.execPath, MAIN, s.project]);
  assert.deepEqual([second.code, JSON.parse(second.stdout)], [0, { taken: true }]);
  assert.equal(await s.sh('cat hello.txt'), 'base content\n');
});

test('runs that start at once without a daemon share the one that wins', async (t) => {
  const s = await session(t);
  const outputs = await Promise.all([1, 2, 3, 4, 5].map((i) => s.sh(`echo ${i} > file${i}; cat file${i}`)));
  assert.deepEqual(outputs, ['1\n', '2\n', '3\n', '4\n', '5\n']);
  assert.equal(processesNaming(MAIN).filter(({ command }) => command.includes(s.project)).length, 1);
});

test('a daemon whose holder is killed ends, and the next run starts another', async (t) => {
  const s = await session(t, { noisy: true });
  await s.sh('echo staged > staged');
  const daemon = await s.daemonPid();
  const { ok } = (await s.ask({ op: 'enter', command: 'probe' })) as { ok: { holder: number } };
  process.kill(ok.holder, 'SIGKILL');
  assert.ok(await noProcessNaming(s.root), 'something is left');
  assert.equal(await s.sh('cat staged'), 'staged\n');
  assert.notEqual(await s.daemonPid(), daemon);
  assert.match(s.log(), /holds the view has ended/);
});

test('SIGTERM ends the daemon with everything written', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > staged');
  process.kill(await s.daemonPid(), 'SIGTERM');
  assert.ok(await noProcessNaming(s.root), 'something is left');
  assert.deepEqual(await s.changeLines(), ['added staged']);
  assert.equal(await s.sh('cat staged'), 'staged\n');
});

test('a daemon that ends keeps what V8 has compiled of its threads, and the next one runs that while it is whole', async (t) => {
  const s = await session(t);
  const code = join(s.home, '.local/state/yolofs/code');
  /** Which files they are: one that did not count has been put in the place of what was there. */
  const kept = async (): Promise<[name: string, ino: number][]> => {
    await s.sh('cat hello.txt');
    await s.stop();
    const names = readdirSync(code).filter((name) => /^(?:daemon|fuse-thread)\.cjs-/.test(name));
    return names.sort().map((name) => [join(code, name), statSync(join(code, name)).ino]);
  };
  rmSync(code, { recursive: true, force: true });
  const first = await kept();
  assert.deepEqual(
    first.map(([path]) => basename(path).replace(/\.cjs-.*/, '')),
    ['daemon', 'fuse-thread'],
  );
  assert.deepEqual(await kept(), first);
  for (const [path] of first) truncateSync(path, 100_000);
  const again = await kept();
  assert.equal(again.length, 2);
  assert.ok(
    again.every(([path, ino], at) => path === first[at]?.[0] && ino !== first[at]?.[1]),
    'both anew',
  );
});

test('a run whose yolofs is killed leaves its snapshot', async (t) => {
  const s = await session(t);
  await s.sh('true');
  let started = 0;
  const running = s.cli(['run', '--', 'sh', '-c', 'echo staged > staged; echo ready; sleep 20'], {
    onStart: (pid) => {
      started = pid;
    },
    onStdout: () => process.kill(-started, 'SIGKILL'),
  });
  assert.equal((await running).code, 137);
  const snapshots = async (): Promise<unknown[]> => JSON.parse(await s.succeed(['log', '--json'])) as unknown[];
  for (let i = 0; i < 50 && (await snapshots()).length === 0; i++) await sleep(50);
  assert.match(JSON.stringify(await snapshots()), /echo staged/);
});

test('what two runs change at once is told apart', async (t) => {
  const s = await session(t);
  await s.sh('true');
  const run = (name: string): ReturnType<typeof s.cli> =>
    s.cli(['run', '--', 'sh', '-c', `sleep 0.3; mkdir ${name}; echo x > ${name}/file; sleep 0.3`]);
  const [one, two] = await Promise.all([run('one'), run('two')]);
  assert.match(one.stderr, /added +one\/ \(1 file\)/);
  assert.doesNotMatch(one.stderr, /two/);
  assert.match(two.stderr, /added +two\/ \(1 file\)/);
  assert.doesNotMatch(two.stderr, /one/);
});

test('a change of the base outside is seen in the view at once', async (t) => {
  const s = await session(t);
  assert.equal(await s.sh('cat hello.txt; ls'), 'base content\nhello.txt\nmulti.txt\nsubdir\ntest.sh\n');
  writeFileSync(join(s.project, 'hello.txt'), 'changed outside\n');
  writeFileSync(join(s.project, 'outside'), 'made outside\n');
  assert.equal(
    await s.sh('cat hello.txt outside; ls'),
    'changed outside\nmade outside\nhello.txt\nmulti.txt\noutside\nsubdir\ntest.sh\n',
  );
});

test('the daemon keeps no descriptor that its starter had open', async (t) => {
  if (!isRoot) return leaveOut(t, 'only root may look at the daemon');
  const s = await session(t);
  const script = `exec 9>'${s.root}/open'; exec "$@"`;
  assert.equal((await s.native(['bash', '-c', script, 'bash', process.execPath, CLI, 'run', '--', 'true'])).code, 0);
  const directory = `/proc/${await s.daemonPid()}/fd`;
  const open = readdirSync(directory).map((fd) => readlinkSync(join(directory, fd)));
  assert.ok(open.includes(join(s.layout.entry, 'lock')), JSON.stringify(open));
  assert.ok(!open.includes(join(s.root, 'open')));
});
