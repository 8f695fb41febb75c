/** The installed program leaves a run to the session's daemon and starts the command itself; whatever is in the way, Node does all of it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { accounts, isRoot, ordinary } from '../../support/accounts.ts';
import type { ExecOptions, Result } from '../../support/exec.ts';
import { eventually } from '../../support/leaks.ts';
import { giveTo, PROGRAM, type Session, session } from '../../support/session.ts';

for (const account of accounts()) {
  describe(`the launcher of a run, as ${account.title}`, () => {
    test('needs no Node; words, stdin, exit code, variables and what it tells are the same', async (t) => {
      const s = await session(t, { account });
      await s.sh(':');
      const only = join(s.root, 'only-perl');
      mkdirSync(only);
      // setpriv(1) is for the test itself, which runs as another account.
      for (const name of ['perl', 'setpriv']) symlinkSync(`/usr/bin/${name}`, join(only, name));
      const input = randomBytes(1_000_000);
      const script = '/usr/bin/sha256sum; printf "%s|" "$@" "$A" "$PERL_BADLANG" "$YOLOFS_VIEW"; echo e >&2; exit 7';
      const words = ['/bin/sh', '-c', script, 'sh', 'a b', '', "it's\n$x", 'é'];
      const env = { PATH: only, A: ' a=b\n', PERL_BADLANG: '1', YOLOFS_VIEW: '' };
      const raw = await s.native(words, { input, env: { ...env, YOLOFS_VIEW: '1' } });
      assert.deepEqual(await run(s, ['--quiet', '--', ...words], { input, env }), raw);

      const told = await run(s, ['-c', 'echo more >> hello.txt']);
      assert.match(told.stderr, /^yolofs: 1 modified\n {2}modified +hello\.txt\nsnapshot 1; /);
      const again = await s.native([process.execPath, PROGRAM, 'run', '-c', 'echo more >> hello.txt']);
      assert.equal(again.stderr.replaceAll(/\d+/g, 'N'), told.stderr.replaceAll(/\d+/g, 'N'));
      assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
    });

    test('passes signals to the command alone, and outlives the daemon with a word', async (t) => {
      const s = await session(t, { account, noisy: true });
      await s.sh(':');
      const trap = `trap 'echo got; exit 5' TERM; trap : INT; echo ready; sleep 30 > /dev/null 2>&1 & wait; wait`;
      const ended = await during(s, trap, (pid) => {
        process.kill(pid, 'SIGINT');
        process.kill(pid, 'SIGTERM');
      });
      assert.deepEqual(ended, { code: 5, stdout: 'ready\ngot\n', stderr: '' });
      const daemon = await s.daemonPid();
      // A program that is being loaded out of the view when that ends has something to say, too.
      const lost = await during(s, 'sleep 30 & sleep 0.5; echo ready; wait', () => process.kill(daemon, 'SIGKILL'));
      assert.equal(lost.code, 1);
      assert.match(lost.stderr, /^yolofs: run: the session's daemon has ended\nhint: /);
      assert.equal((await run(s, ['--quiet', '-c', 'echo on'])).stdout, 'on\n');
    });
  });
}

describe('a launcher that is not understood', () => {
  for (const answer of ['', 'elsewhere\n', 'what?\n', 'en']) {
    test(`becomes Node, with its stdin: ${JSON.stringify(answer)}`, async (t) => {
      const s = await session(t);
      const greetings = await listen(t, s, (socket) => socket.end(answer));
      const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'x', cwd: s.project };
      const command = `echo '${'long '.repeat(30_000)}'`;
      const input = JSON.stringify({ ...event, tool_input: { command: 'true', note: command } });
      const said = await s.native([PROGRAM, 'hook', 'claude'], { input });
      assert.deepEqual([said.code, said.stderr], [0, '']);
      const { hookSpecificOutput: told } = JSON.parse(said.stdout) as { hookSpecificOutput: { updatedInput: object } };
      assert.deepEqual({ ...told.updatedInput, command: '' }, { command: '', note: command });
      assert.equal(greetings.length, 1, 'it was asked');
    });
  }

  test('S13: ends at a SIGTERM, also where nobody answers', async (t) => {
    const script = Buffer.from('exit 0').toString('hex');
    for (const answer of ['', `start ${script}   \n`]) {
      const s = await session(t);
      let isFirst = true;
      let reached: (pid: number) => void = () => undefined;
      const started = new Promise<number>((resolve) => {
        reached = resolve;
      });
      const greetings = await listen(t, s, (socket) => {
        if (isFirst) socket.write(answer);
        isFirst = false;
      });
      const ended = run(s, ['--', 'true'], { onStart: reached, timeout: 10_000 });
      const pid = await started;
      assert.ok(await eventually(() => greetings.length >= (answer === '' ? 1 : 2), 10_000), 'it was asked');
      process.kill(pid, 'SIGTERM');
      assert.equal((await ended).code, 143);
    }
  });

  test('does not talk to another user', async (t) => {
    if (!isRoot) return;
    const account = ordinary();
    const s = await session(t, { account });
    const greetings = await listen(t, s, (socket) => socket.end('start\n'));
    await giveTo(account, join(s.project, '.yolofs'));
    const said = await s.native([PROGRAM, 'hook', 'claude'], { input: '{' });
    assert.match(said.stdout, /"permissionDecision":"deny"/);
    assert.deepEqual(greetings, []);
  });
});

function run(s: Session, words: readonly string[], options: ExecOptions = {}): Promise<Result> {
  return s.native([PROGRAM, 'run', ...words], options);
}

/** Runs a text, and does something to the launcher once it has said that it is ready. */
function during(s: Session, text: string, act: (pid: number) => void): Promise<Result> {
  let pid = 0;
  const onStart = (started: number): void => {
    pid = started;
  };
  return run(s, ['--quiet', '-c', text], {
    onStart,
    onStdout: (piece) => {
      if (piece.includes('ready')) act(pid);
    },
  });
}

/** A stranger in the place of the session's launch server; what it is told. */
async function listen(t: TestContext, s: Session, onGreeting: (socket: Socket) => void): Promise<string[]> {
  const greetings: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      if (piece.includes('\n')) {
        greetings.push(`${piece}`);
        onGreeting(socket);
      }
    });
  });
  mkdirSync(join(s.project, '.yolofs'), { recursive: true, mode: 0o700 });
  await new Promise<void>((resolve) => server.listen(join(s.layout.entry, 'launch'), resolve));
  t.after(() => server.close());
  return greetings;
}
