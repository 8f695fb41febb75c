/** `yolofs wrap` with what is no agent we know, and what it says when there is nothing to run. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accounts, become } from '../support/accounts.ts';
import { CLEAN_ENV } from '../support/exec.ts';
import { eventually, processesNaming } from '../support/leaks.ts';
import { MAIN, type Session, session } from '../support/session.ts';

test('wrap runs any command in the view, with its exit code and a summary', async (t) => {
  const s = await session(t);
  const { code, stdout, stderr } = await s.cli(['wrap', 'sh', '-c', 'echo out; echo new > new.txt; exit 7']);
  assert.equal(code, 7);
  assert.equal(stdout, 'out\n');
  assert.match(stderr, /added +new\.txt/);
  assert.deepEqual(await s.changeLines(), ['added new.txt']);
});

test('a program without a profile keeps what is called after it, and secrets stay closed to it', async (t) => {
  const s = await session(t, { rules: 'default' });
  const bin = join(s.root, 'bin');
  mkdirSync(bin);
  const script = `for dir in .goose .config/goose .local/share/goose/sessions .local/state/goose .other .config/other
    do mkdir -p ~/$dir && echo x > ~/$dir/file; done 2>&1; cat ~/.local/share/goose/secrets.yaml 2>&1`;
  writeFileSync(join(bin, 'goose'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  mkdirSync(join(s.home, '.local/share/goose'), { recursive: true });
  writeFileSync(join(s.home, '.local/share/goose/secrets.yaml'), 'OPENAI_API_KEY: x\n', { mode: 0o644 });
  const { stdout } = await s.cli(['wrap', 'goose'], { env: { PATH: `${bin}:/usr/bin:/bin` } });
  assert.deepEqual(stdout.match(/\/home\/[^:'’]*/g), [
    '/home/.config/goose',
    '/home/.other',
    '/home/.config/other',
    '/home/.local/share/goose/secrets.yaml',
  ]);
  const staged = (await s.changeLines()).filter((line) => line.endsWith('/file'));
  assert.deepEqual(
    staged.map((line) => line.slice(line.indexOf('/home/') + '/home/'.length)),
    ['.goose/file', '.local/share/goose/sessions/file', '.local/state/goose/file'],
  );
});

test('wrap of what is not installed says how to get it', async (t) => {
  const s = await session(t);
  const env = { PATH: '/usr/bin:/bin' };
  const agent = await s.cli(['wrap', 'copilot'], { env });
  assert.equal(agent.code, 1);
  assert.match(
    agent.stderr,
    /^yolofs: wrap: copilot: not found in PATH\nhint: 'npm install -g @github\/copilot' installs it\n$/,
  );
  const other = await s.cli(['wrap', 'no-such-agent'], { env });
  assert.equal(other.code, 1);
  assert.match(
    other.stderr,
    /no-such-agent: no such agent or program\nhint: agents with a profile: claude, codex, gemini/,
  );
});

test('N14: wrap says of a file of the agent why it was not applied, and how a person applies it', async (t) => {
  const s = await session(t);
  const { env } = fakeAgents(s);
  const { stderr } = await s.cli(['wrap', 'claude', '-c', `echo '{"mcpServers":{"x":{}}}' > ~/.claude.json`], { env });
  const file = join(s.home, '.claude.json');
  const said = `yolofs: ${file}, which the agent keeps for itself, stays staged, as a person should look at it (changes mcpServers): 'yolofs commit ${file}' applies it`;
  assert.ok(stderr.split('\n').includes(said), stderr);
  await s.succeed(['commit', '--yes', file]);
  assert.match(readFileSync(file, 'utf8'), /mcpServers/);
});

for (const account of accounts()) {
  test(`N5: wrap goes beside what runs in the view already, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const { env, transcripts } = fakeAgents(s);
    const direct = join(s.home, transcripts);
    const watching = await watcher(t, s);
    // Another process of the view, from before: it has to see what is mounted later.
    await s.sh(
      `(until [ -e go ]; do sleep 0.1; done; echo old > ~/${transcripts}/old; echo done > seen) </dev/null >/dev/null 2>&1 &`,
    );
    const daemon = await s.daemonPid();

    await s.succeed(['wrap', 'claude', '-c', `echo chat > ~/${transcripts}/one; echo own > ~/.claude/plans/two`], {
      env,
    });
    assert.equal(readFileSync(join(direct, 'one'), 'utf8'), 'chat\n');
    assert.deepEqual(readdirSync(join(s.home, '.claude/plans')), []);
    assert.deepEqual(await s.changeLines(), []);
    assert.equal(await s.sh('cat ~/.claude/plans/two'), 'own\n');
    await s.sh('touch go; until [ -e seen ]; do sleep 0.1; done');
    assert.equal(readFileSync(join(direct, 'old'), 'utf8'), 'old\n');

    await s.succeed(['wrap', 'codex'], { env });
    assert.match(await s.sh('cat /proc/self/mountinfo'), / \S*\/home\/\.codex\/log /);
    assert.equal(await s.daemonPid(), daemon);
    assert.equal(watching.exitCode, null);
    await s.stop();
    // A new view has the same.
    assert.equal(await s.sh(`cat ~/.claude/plans/two ~/${transcripts}/one`), 'own\nchat\n');
  });
}

/** What stands for the links, fifos and files that a process makes which goes on after the agent. */
const LATE = `mkfifo ~/DIR/late.fifo; ln -s ~/.bashrc ~/DIR/late.jsonl; echo kept > ~/DIR/late.txt`;

for (const account of accounts()) {
  test(`S4: the end of a wrapped agent is the end of its processes, and of the links they made, as ${account.title}`, async (t) => {
    const s = await session(t, { account, noisy: true });
    const { env, transcripts } = fakeAgents(s);
    const direct = join(s.home, transcripts);
    const make = LATE.replaceAll('DIR', transcripts);
    // Each way out: a session of its own, an orphan of an orphan, one that ignores signals, one that forks without end.
    const loop = `trap '' HUP INT TERM; while :; do sleep 0.02; [ -e ~/${transcripts}/late.txt ] || { ${make}; }; done`;
    const leave = `setsid sh -c '(${loop.replaceAll("'", "'\\''")}) & (sleep 1000 &) & (while :; do sleep 0.05; sleep 100 & done) &' </dev/null >/dev/null 2>&1 & until [ -e ~/${transcripts}/late.txt ]; do sleep 0.02; done`;
    const wrapped = await s.cli(['wrap', 'claude', '-c', `${leave}; exit 3`], { env });
    assert.equal(wrapped.code, 3, wrapped.stderr);
    assert.match(wrapped.stderr, /removed .*late\.fifo: not a file\n/);
    assert.match(wrapped.stderr, /removed .*late\.jsonl: not a file\n/);
    assert.deepEqual(readdirSync(direct), ['late.txt', 'memory']);
    assert.equal(await s.sh('ps -A -o args= | grep -c "[s]leep" || true'), '0\n');

    // A wrap that is killed takes them along, too; what they made is swept at the next start, or at the end of the daemon.
    rmSync(join(direct, 'late.txt'));
    const killed = start(s, ['wrap', 'claude', '-c', `${leave}; sleep 1000`], env);
    assert.ok(await eventually(() => existsSync(join(direct, 'late.txt'))));
    killed.kill('SIGKILL');
    assert.ok(await eventually(() => processesNaming(s.root).every(({ command }) => !/sleep|late/.test(command))));
    assert.equal(lstatSync(join(direct, 'late.jsonl')).isSymbolicLink(), true);
    await s.stop();
    assert.deepEqual(readdirSync(direct), ['late.txt', 'memory']);
  });

  test(`S4: a directory in which a person has links is not passed through, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const { env, transcripts } = fakeAgents(s);
    await s.native(['sh', '-c', `mkdir -p ~/${transcripts} && ln -s ~/elsewhere ~/${transcripts}/mine`]);
    const { stderr } = await s.cli(['wrap', 'claude', '-c', `echo x > ~/${transcripts}/staged`], { env });
    assert.match(stderr, /is staged: .*mine is not a file/);
    assert.deepEqual(readdirSync(join(s.home, transcripts)), ['memory', 'mine']);
  });
}

/** Agents that are a shell: `env` to find them by, and where, below the home directory, Claude Code's transcripts of this project are. */
function fakeAgents(s: Session): { env: Record<string, string>; transcripts: string } {
  const bin = join(s.root, 'bin');
  mkdirSync(bin);
  // Its first two words are the settings of the run.
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\nshift 2\nexec sh "$@"\n', { mode: 0o755 });
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\n', { mode: 0o755 });
  const transcripts = `.claude/projects/${s.project.replace(/[^A-Za-z0-9]/g, '-')}`;
  return { env: { PATH: `${bin}:${process.env.PATH}` }, transcripts };
}

function start(s: Session, args: readonly string[], env: Record<string, string>): ChildProcess {
  const [command = '', ...words] = [...become(s.account), process.execPath, MAIN, ...args];
  const environment = { ...CLEAN_ENV, HOME: s.home, YOLOFS_TEST_ROOT: s.root, ...env };
  return spawn(command, words, { cwd: s.project, env: environment, stdio: 'ignore' });
}

/** `yolofs watch`, which ends with the test; it has begun to listen. */
async function watcher(t: TestContext, s: Session): Promise<ChildProcess> {
  const [command = '', ...args] = [...become(s.account), process.execPath, MAIN, 'watch'];
  const env = { ...CLEAN_ENV, HOME: s.home };
  const child = spawn(command, args, { cwd: s.project, env, stdio: ['pipe', 'ignore', 'pipe'] });
  t.after(() => child.kill());
  const [said] = await once(child.stderr, 'data');
  assert.match(String(said), /^waiting for questions/);
  return child;
}
