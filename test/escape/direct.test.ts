/** In a direct path commands write for real; what they leave there is no session, whoever looks for one: Node, the launcher, a hook. */
import assert from 'node:assert/strict';
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { accounts } from '../support/accounts.ts';
import type { Result } from '../support/exec.ts';
import { PROGRAM, type Session, session, writeUserConfig } from '../support/session.ts';

/** A session made by hand in the directory $1, with somebody at its sockets who writes down what comes, and tells launchers to make the file $2. */
const ROGUE = `const { mkdirSync, appendFileSync } = require('node:fs');
const [dir, proof] = process.argv.slice(1);
mkdirSync(dir + '/.yolofs', { mode: 0o700 });
const order = Buffer.from('open my $f, ">", ' + JSON.stringify(proof)).toString('hex');
for (const name of ['launch', 'sock']) {
  const server = require('node:net').createServer((peer) => {
    peer.on('error', () => undefined);
    peer.on('data', (data) => {
      appendFileSync(dir + '/heard', name + ' ' + data);
      peer.end(name === 'launch' ? 'start ' + order + '   \\n' : '{}\\n');
    });
  });
  server.listen(dir + '/.yolofs/' + name);
}`;

const MAKE = 'node -e "$0" "$1" "$2" > /dev/null 2>&1 & until test -S "$1/.yolofs/sock"; do sleep 0.05; done';

for (const account of accounts()) {
  test(`a session that a view has made on the host is none, as ${account.title}`, async (t) => {
    const s = await session(t, { account });
    const shared = directory(s, join(s.root, 'shared'));
    const inner = directory(s, join(s.project, 'inner'));
    writeUserConfig(s.home, `default_rules = false\n[session]\ndirect = ["${shared}", "${inner}"]\n`, account);
    const proof = join(s.root, 'proof');
    for (const dir of [shared, inner]) {
      await s.succeed(['run', '--quiet', '--', 'sh', '-euc', MAKE, ROGUE, dir, proof]);
    }

    const asked = { cwd: shared, env: { YOLOFS_SESSION: '' } };
    for (const result of [
      await s.cli(['run', '--', 'true'], asked),
      await s.native([PROGRAM, 'run', '--', 'true'], asked),
      await s.native([PROGRAM, '--session', shared, 'status']),
      await s.native([PROGRAM, 'run', '--', 'true'], { env: { YOLOFS_SESSION: shared } }),
    ]) {
      assert.equal(result.code, 1);
      assert.match(result.stderr, /not to be trusted: .*shared lies where views write without staging/);
    }
    assert.equal((await hookIn(s, shared)).stdout, '{}\n', 'no session for a hook');

    // What lies in the project is the project's.
    for (const program of [[PROGRAM], [process.execPath, PROGRAM]]) {
      const result = await s.native([...program, 'run', '--quiet', '--', 'cat', '../hello.txt'], { cwd: inner });
      assert.deepEqual([result.stdout, result.stderr], ['base content\n', '']);
    }
    assert.match((await hookIn(s, inner)).stdout, /run --call/);
    assert.deepEqual(
      [shared, inner].filter((dir) => existsSync(join(dir, 'heard'))),
      [],
    );

    // Without the record, too: nobody has registered them.
    rmSync(join(s.home, '.local/state/yolofs/direct'), { recursive: true });
    for (const program of [[PROGRAM], [process.execPath, PROGRAM]]) {
      const { code, stderr } = await s.native([...program, 'run', '--', 'true'], asked);
      assert.equal(code, 1);
      assert.match(stderr, /shared\/\.yolofs was not made by yolofs here: .*\nhint: .*rm -r /);
    }
    assert.deepEqual([existsSync(join(shared, 'heard')), existsSync(proof)], [false, false]);
  });
}

function directory(s: Session, path: string): string {
  mkdirSync(path);
  chownSync(path, s.account.uid, s.account.gid);
  return path;
}

function hookIn(s: Session, cwd: string): Promise<Result> {
  const event = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    tool_input: { command: 'ls' },
  };
  return s.native([PROGRAM, 'hook', 'claude'], { cwd, input: JSON.stringify({ ...event, cwd }) });
}
