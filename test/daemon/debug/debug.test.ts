/** `yolofs debug`: a live daemon from inside, which goes on whatever becomes of who looks on. */
import assert from 'node:assert/strict';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ThreadStats, WaitingFor } from '../../../src/daemon/debug/messages.ts';
import { TraceSink } from '../../../src/sys/trace.ts';
import { listen } from '../../ask/front.ts';
import { world } from '../../ask/world.ts';
import { self } from '../../support/accounts.ts';
import { assertRefused } from '../../support/refusal.ts';
import { MAIN, type Session, session } from '../../support/session.ts';

async function stats(s: Session, ...words: readonly string[]): Promise<ThreadStats> {
  return JSON.parse(await s.succeed(['debug', 'stats', '--json', ...words])) as ThreadStats;
}

test('debug stats counts requests by kind; times and bytes only while they are measured', async (t) => {
  const s = await session(t);
  assertRefused(await s.cli(['debug', 'stats']), /no daemon is running/);
  await s.sh('true');
  const before = await stats(s, '--measure', 'on');
  assert.deepEqual(
    before.requests.filter((row) => row.requests !== undefined),
    [],
  );
  await s.sh('echo 12345 > new; mkdir dir');
  const now = await stats(s);
  const mkdir = now.requests.find(({ op }) => op === 'MKDIR');
  assert.deepEqual([mkdir?.total, mkdir?.requests, mkdir?.answered], [1, 1, 1]);
  assert.ok((mkdir?.microseconds ?? 0) > 0 && (mkdir?.slowest ?? 0) > 0);
  assert.deepEqual([mkdir?.received, mkdir?.sent], [40 + 8 + 'dir'.length + 1, 16 + 128], 'header, struct and name');
  assert.match(await s.succeed(['debug', 'stats']), /^MKDIR +1 {2}of these 1 measured: mean .* 52 B in, 144 B out$/m);
  const after = await stats(s, '--measure', 'off');
  assert.deepEqual(
    [after.isMeasuring, after.requests.find(({ op }) => op === 'MKDIR')],
    [false, { op: 'MKDIR', total: 1 }],
  );
});

test('debug pending tells who waits for which question', async (t) => {
  const { s, asked } = await world(t, self);
  const front = await listen(t, s);
  const reading = s.cli(['run', '--quiet', '--', 'cat', join(asked, 'one')]);
  const question = await front.question();
  const { waiting } = JSON.parse(await s.succeed(['debug', 'pending', '--json'])) as { waiting: WaitingFor[] };
  assert.deepEqual(
    waiting.map(({ op, path, for: what }) => [op, path, what]),
    [['OPEN', join(asked, 'one'), `question ${question.id}`]],
  );
  assert.match(await s.succeed(['debug', 'pending']), /^ {2}OPEN \S*one, process \d+, for \d+\.\d s: question 1$/m);
  await front.answer(question.id, { allow: true });
  assert.equal((await reading).stdout, 'one\n');
  assert.match(await s.succeed(['debug', 'pending']), /that wait: none\n$/);
});

test('debug tree, inode, journal and plan show what is staged', async (t) => {
  const s = await session(t);
  await s.sh('echo x > new; rm multi.txt');
  const tree = await s.succeed(['debug', 'tree']);
  assert.match(tree, /^ +multi\.txt deleted$/m);
  assert.match(tree, /^ +new #\d+ \S+ ino=\d+ object=\d+@0 /m);
  assert.match(
    await s.succeed(['debug', 'inode', 'new']),
    /^path \S+\/new\nkernel .*\ninode \d+\nnames below 0\nstaged as \d+: /,
  );
  assertRefused(await s.cli(['debug', 'inode', 'multi.txt']), /multi\.txt is deleted in the view/);
  const journal = await s.succeed(['debug', 'journal']);
  const [, place = ''] = /^(\d+) \w+ D .*multi\.txt/m.exec(journal) ?? [];
  assert.ok(journal.endsWith(await s.succeed(['debug', 'journal', place])));
  assert.match(await s.succeed(['debug', 'plan']), /^create file .*new\ndelete .*multi\.txt\n$/);
});

test('debug trace writes requests and replies into a file, until it is told to stop', async (t) => {
  const s = await session(t);
  await s.sh('true');
  const file = join(s.root, 'trace');
  assert.match((await s.cli(['debug', 'trace', 'on', file])).stderr, /\/trace: 0 lines$/m);
  await s.sh('mkdir traced');
  assert.match((await s.cli(['debug', 'trace', 'off'])).stderr, /^nothing is traced$/m);
  const text = readFileSync(file, 'utf8');
  const [, request = ''] = /^rx (\d+) MKDIR n\d+ .*"traced".* p\d+$/m.exec(text) ?? [];
  assert.match(text, new RegExp(`^tx ${request} OK n\\d+ 128$`, 'm'));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  await s.sh('mkdir untraced');
  assert.equal(readFileSync(file, 'utf8'), text);
  assertRefused(await s.cli(['debug', 'trace', 'on', '/dev/null']), /no regular file/);
});

test('a trace on a full disk ends, and the view goes on', async (t) => {
  const s = await session(t, { noisy: true });
  const env = { YOLOFS_TRACE: 'fuse', YOLOFS_TRACE_FILE: '/dev/full' };
  assert.equal(await s.sh('echo x > new; cat new hello.txt', { env }), 'x\nbase content\n');
  assert.match(s.log(), /the trace stops: ENOSPC/);
  assert.deepEqual(await s.changeLines(), ['added new']);
});

describe('TraceSink', () => {
  test('a descriptor that somebody has closed ends the trace, and nothing is thrown', (t) => {
    const dir = mkdtempSync('/var/tmp/yolofs-trace-');
    t.after(() => rmSync(dir, { recursive: true }));
    const fd = openSync(join(dir, 'trace'), 'w');
    const sink = new TraceSink(fd);
    sink.write('one');
    closeSync(fd);
    sink.write('two');
    assert.match(sink.stopped ?? '', /EBADF/);
    sink.close();
    assert.equal(sink.lines, 1);
  });
});

test('nobody in the view gets at it', async (t) => {
  const s = await session(t);
  const { code, stdout, stderr } = await s.cli(['run', '--quiet', '--', process.execPath, MAIN, 'debug', 'stats']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /not possible inside the view/);
  assert.ok(existsSync(s.layout.guestSocket));
  const ask = `const s = require('net').connect('/dev/yolofs'); s.on('data', (d) => process.stdout.write(d));
s.write(JSON.stringify(process.argv[1] === 'words' ? { words: ['debug', 'stats'], cwd: '/' } : { op: 'debug', what: 'stats' }) + '\\n');`;
  for (const kind of ['words', 'op']) {
    const said = await s.cli(['run', '--quiet', '--', process.execPath, '-e', ask, kind]);
    assert.match(said.stdout, /this is not possible inside the view/, kind);
  }
});
