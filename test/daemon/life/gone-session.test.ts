/** A session that is removed, replaced or moved while its daemon lives: the daemon ends, and the next command says what happened. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { ordinary } from '../../support/accounts.ts';
import { eventually, isGone, mountsBelow, processesNaming } from '../../support/leaks.ts';
import { type Session, session } from '../../support/session.ts';

const LONGEST_MS = 10_000;

/** What somebody does on the host, and what the next command says of it. */
const ENDS: Readonly<
  Record<string, { readonly act: (s: Session) => unknown; readonly says: RegExp; readonly runs: boolean }>
> = {
  'rm -rf .yolofs': {
    act: (s) => s.native(['rm', '-rf', '.yolofs']),
    says: /^yolofs: the session in \S+ is gone: what was staged there is lost$/m,
    runs: true,
  },
  'git clean -fdx': {
    act: (s) => s.native(['sh', '-euc', 'git init -q .; git clean -qfdx']),
    says: /^yolofs: run: the session in \S+ is gone: what was staged there is lost\nhint: .*'yolofs init' starts anew$/m,
    runs: false,
  },
  'a removed project': {
    act: (s) => {
      rmSync(s.project, { recursive: true });
      mkdirSync(s.project);
    },
    says: /^yolofs: run: the session in \S+ is gone: what was staged there is lost$/m,
    runs: false,
  },
  'another .yolofs in its place': {
    act: async (s) => {
      await s.native(['rm', '-rf', '.yolofs']);
      await s.native(['sh', '-euc', 'mkdir .yolofs; echo "yolofs journal 2" > .yolofs/journal']);
    },
    says: /^yolofs: run: .*\nhint: .*rm -r \S+\.yolofs$/m,
    runs: false,
  },
};

for (const [title, { act, says, runs }] of Object.entries(ENDS)) {
  test(`D9: after ${title} the daemon ends, nothing stays mounted, and the next command says so`, async (t) => {
    const s = await session(t, { account: ordinary(), noisy: true });
    await s.sh('echo staged > staged; (sleep 100 >/dev/null 2>&1 &)');
    const daemon = await s.daemonPid();
    await act(s);
    assert.ok(await eventually(() => isGone(daemon), LONGEST_MS), 'the daemon lives on');
    assert.ok(await eventually(() => processesNaming(s.root).length === 0 && mountsBelow(s.root).length === 0));
    const next = await s.cli(['run', '--quiet', '--', 'ls', 'staged']);
    assert.match(next.stderr, says);
    assert.equal(next.stderr.includes('ls: '), runs, next.stderr);
    assert.doesNotMatch(
      (await s.cli(['run', '--quiet', '--', 'true'])).stderr,
      /what was staged there is lost$/m,
      'told once',
    );
  });
}

test('D9: git stash -u and git checkout leave a session alone', async (t) => {
  const s = await session(t, { account: ordinary() });
  const git = 'git -c user.name=a -c user.email=a@b';
  const made = await s.native([
    'sh',
    '-euc',
    `git init -q -b main .; ${git} add hello.txt; ${git} commit -qm one; git branch other`,
  ]);
  assert.equal(made.code, 0, made.stderr);
  await s.sh('echo staged > staged');
  const daemon = await s.daemonPid();
  const done = await s.native(['sh', '-euc', `${git} stash -qu; git checkout -q other; ${git} stash pop -q`]);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(await s.sh('cat staged'), 'staged\n');
  assert.equal(await s.daemonPid(), daemon);
});

test('D9: a moved project has its session with it, and its old daemon ends', async (t) => {
  const s = await session(t, { account: ordinary(), noisy: true });
  await s.sh('echo staged > staged');
  const daemon = await s.daemonPid();
  const [store, moved] = [basename(s.layout.store), join(s.root, 'moved')];
  renameSync(s.project, moved);
  const early = await s.cli(['status'], { cwd: moved });
  if (early.code !== 0)
    assert.match(
      early.stderr,
      /^yolofs: status: \S+moved was moved from \S+project, .*\nhint: it ends within seconds .*\n$/,
    );
  assert.ok(await eventually(() => isGone(daemon), LONGEST_MS));
  const { stdout, stderr, code } = await s.cli(['run', '--quiet', '--', 'cat', 'hello.txt'], { cwd: moved });
  assert.deepEqual([code, stdout, stderr], [0, 'base content\n', '']);
  assert.ok(existsSync(join(moved, '.yolofs', store, 'journal')));
  renameSync(moved, s.project);
  await s.cli(['status']);
});

test('D9: init says where no command can run', async (t) => {
  const s = await session(t, { account: ordinary() });
  const shm = join('/dev/shm', basename(s.root));
  t.after(() => rmSync(shm, { recursive: true }));
  await s.native(['mkdir', shm]);
  for (const words of [['init'], ['run', '--', 'true']]) {
    if (words[0] === 'run') writeFileSync(join(shm, '.yolofs.toml'), '');
    const { code, stderr } = await s.cli(words, { cwd: shm });
    assert.deepEqual(
      [code, stderr.split('\n')[0]],
      [1, `yolofs: ${words[0]}: not possible in ${shm}: the view has a /dev of its own`],
    );
  }
});
