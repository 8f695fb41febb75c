/** A source that is slow, or gone, in a real view: who asked waits or hears why, and nobody else. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';

test('a file whose content takes its time holds up who reads it, and has its true size afterwards', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  writeFileSync(join(dir, 'quick.md'), 'quick\n');
  execFileSync('mkfifo', [join(dir, 'slow.md')]);
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  const script = [
    'cd /sources/docs; stat -c %s slow.md',
    'cat slow.md > ~/slow & reader=$!',
    'cat quick.md; echo in the project > file; cat file',
    'timeout 1 cat slow.md || echo gave up with $?; touch ~/gave-up',
    'wait $reader; cat ~/slow; stat -c %s slow.md',
  ].join('\n');
  const writer = s.sh(script);
  while ((await s.sh('ls ~')).includes('gave-up') === false) await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(join(dir, 'slow.md'), 'at last\n');
  assert.equal(await writer, '0\nquick\nin the project\ngave up with 124\nat last\n8\n');
});

test('a source that is gone: what was read stays readable, the rest is an error whose cause is told', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  for (const name of ['read.md', 'unread.md']) writeFileSync(join(dir, name), `${name}\n`);
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  assert.equal(await s.sh('cat /sources/docs/read.md'), 'read.md\n');
  renameSync(dir, `${dir}-away`);
  const { code, stdout } = await s.cli([
    'run',
    '-c',
    'ls /sources/docs; cat /sources/docs/read.md; cat /sources/docs/unread.md',
  ]);
  assert.equal(code, 1);
  assert.equal(stdout, 'read.md\nunread.md\nread.md\n');
  assert.match(await s.succeed(['status']), /failed +read +\/sources\/docs\/unread\.md/);
  const refresh = await s.cli(['source', 'refresh', 'docs']);
  assert.equal(refresh.code, 1);
  assert.match(refresh.stdout, /docs: no answer since/);
  renameSync(`${dir}-away`, dir);
  await s.succeed(['source', 'refresh', 'docs']);
  assert.equal(await s.sh('cat /sources/docs/unread.md'), 'unread.md\n');
});

test('what cannot be kept by a source is refused by name, and renames across its border are copies', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  writeFileSync(join(dir, 'a.md'), 'a\n');
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  await s.sh('mv /sources/docs/a.md ~/a.md; ln -s nowhere /sources/docs/link');
  const refused = await s.cli(['commit', '--yes']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /\/sources\/docs\/link: source 'docs' keeps names and contents, and not a symlink/);
  await s.sh('rm /sources/docs/link');
  await s.commit();
  assert.equal(await s.sh('cat ~/a.md; ls /sources/docs'), 'a\n');
});

test('the thread of the sources ends by a defect: whoever waits hears it, status says it, and the view goes on', async (t) => {
  const s = await session(t, { noisy: true });
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  for (const name of ['read.md', 'unread.md']) writeFileSync(join(dir, name), `${name}\n`);
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  assert.equal(await s.sh('cat /sources/docs/read.md'), 'read.md\n');
  await s.succeed(['stop']);
  const [state = ''] = readdirSync(join(s.layout.sources, 'state'));
  const index = join(s.layout.sources, 'state', state, 'index.json');
  rmSync(index);
  mkdirSync(index);
  const { stderr } = await s.cli(['run', '-c', 'cat /sources/docs/unread.md; echo still here']);
  assert.match(stderr, /Input\/output error/);
  assert.equal(await s.sh('echo still here'), 'still here\n');
  assert.match(await s.succeed(['status']), /docs: no answer since/);
});
