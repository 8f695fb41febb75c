/** Each method of `import { Session } from 'yolofs'`, in a process of its own as a program would have it. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { world } from '../ask/world.ts';
import { self } from '../support/accounts.ts';
import { BUILT, type Session, session } from '../support/session.ts';

const ENTRY = join(BUILT, 'src/bin/index.js');

/** Runs a program of `lines` in the project; what it hands to `tell` comes back. */
async function program(s: Session, lines: string, cwd = s.project): Promise<readonly unknown[]> {
  const text = `import { Session, UserError } from ${JSON.stringify(ENTRY)};
const told = [];
const tell = (...values) => told.push(...values);
const codeOf = async (promise) => promise.then(() => 'done', (error) => error instanceof UserError ? error.code : String(error));
${lines}
process.stdout.write(JSON.stringify(told));
`;
  const { code, stdout, stderr } = await s.native([process.execPath, '--input-type=module', '-e', text], { cwd });
  assert.deepEqual([code, stderr], [0, ''], stderr);
  return JSON.parse(stdout) as unknown[];
}

test('run, status, diff, travel, commit, abort and undo do what the commands do', async (t) => {
  const s = await session(t);
  const told = await program(
    s,
    `const session = await Session.open('subdir');
tell(session.project);
const run = await session.run('read line; echo "got $line"; echo oops >&2; echo new > new; rm hello.txt; exit 3', { input: 'in\\n' });
tell(run.exitCode, String(run.stdout), String(run.stderr), run.counts.added, run.changes.map(({ change }) => change).sort());
tell((await session.status()).changes.length, (await session.diff({ paths: ['new'] })).includes('+new'));
const pieces = [];
await session.run(['cat', 'new'], { snapshot: false, cwd: session.project, onOutput: (piece, stream) => pieces.push([stream, String(piece)]) });
tell(pieces);
const { from } = await session.travel(run.before);
tell((await session.status()).changes.length);
await session.travel(from);
tell((await session.commit({ paths: ['new'] })).changes, (await session.abort()).changes, (await session.undo()).changes);`,
  );
  assert.deepEqual(told, [
    s.project,
    ...[3, 'got in\n', 'oops\n', 1, ['added', 'deleted']],
    ...[2, true],
    [['stdout', 'new\n']],
    0,
    ...[1, 1, 1],
  ]);
  assert.equal(readFileSync(join(s.project, 'new'), 'utf8'), 'new\n');
});

test('what fails has a code: no session, usage, a conflict with its details', async (t) => {
  const s = await session(t);
  await s.sh('echo staged >> hello.txt');
  appendFileSync(join(s.project, 'hello.txt'), 'outside\n');
  const told = await program(
    s,
    `const session = await Session.open('.');
tell(await codeOf(Session.open(${JSON.stringify(s.root)})), await codeOf(session.run([])), await codeOf(session.status('99')));
tell(await codeOf(session.diff({ range: '99' })), await codeOf(session.commit()));
await session.commit().catch((error) => tell(error.details.length));`,
  );
  assert.deepEqual(told, ['refused', 'usage', 'refused', 'refused', 'conflict', 1]);
});

test('watch() answers questions', async (t) => {
  const { s, asked } = await world(t, self);
  const told = await program(
    s,
    `const session = await Session.open('.');
const watching = await session.watch(({ path, access }) => { tell([path, access]); return { allow: path.endsWith('one') }; });
const read = async (name) => { const { exitCode, stdout } = await session.run(['cat', ${JSON.stringify(asked)} + '/' + name]); return [exitCode, String(stdout)]; };
tell(await read('one'), await read('two'));
watching.close();
await watching.ended;`,
  );
  assert.deepEqual(told, [
    [join(asked, 'one'), 'read'],
    [join(asked, 'two'), 'read'],
    [0, 'one\n'],
    [1, ''],
  ]);
});

test('open() makes a session where it is told to; abort of a signal ends the command', async (t: TestContext) => {
  const s = await session(t);
  const fresh = join(s.root, 'fresh');
  mkdirSync(fresh);
  writeFileSync(join(fresh, 'file'), 'x');
  const told = await program(
    s,
    `tell(await codeOf(Session.open('.')));
const session = await Session.open('.', { create: true });
const ending = new AbortController();
const running = session.run('echo started; exec sleep 100', { signal: ending.signal, onOutput: () => ending.abort() });
tell((await running).exitCode);
await session.stop();`,
    fresh,
  );
  assert.deepEqual(told, ['refused', 128 + 15]);
  assert.ok(existsSync(join(fresh, '.yolofs')) && !existsSync(join(fresh, '.yolofs.toml')));
});

test('stop resolves when the daemon has ended, also where it keeps first what V8 compiled of it', async (t) => {
  const s = await session(t);
  rmSync(join(s.home, '.local/state/yolofs/code'), { recursive: true, force: true });
  await s.sh('true');
  const daemon = await s.daemonPid();
  const told = await program(
    s,
    `import { readFileSync } from 'node:fs';
const session = await Session.open('.');
await session.stop();
try {
  tell(/^State:\\s+(.)/m.exec(readFileSync('/proc/${daemon}/status', 'utf8'))[1]);
} catch (error) {
  tell(error.code);
}`,
  );
  assert.match(String(told), /^(?:ENOENT|ESRCH|[ZX])$/);
});
