/** A session that starts with trees which it has read before: they are shown at once, and what has changed since comes when the server has said it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';

test('a cached tree is shown while its server has not answered yet, and what changed comes afterwards', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  for (const name of ['changed.md', 'gone.md']) writeFileSync(join(dir, name), `${name} as it was\n`);
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  const show = 'ls /sources/docs; cat /sources/docs/changed.md';
  assert.equal(await s.sh(show), 'changed.md\ngone.md\nchanged.md as it was\n');
  await s.succeed(['stop']);
  writeFileSync(join(dir, 'changed.md'), 'changed since\n');
  writeFileSync(join(dir, 'new.md'), 'new\n');
  rmSync(join(dir, 'gone.md'));
  // Who asks for the tree reads this first, and waits for whoever writes into it.
  execFileSync('mkfifo', [join(dir, '.acl.json')]);
  assert.equal(await s.sh(show), 'changed.md\ngone.md\nchanged.md as it was\n');
  assert.match(await s.succeed(['status']), /docs: (2 files, .*, as of \S+, and being asked|no answer since)/);
  const pipe = await open(join(dir, '.acl.json'), 'w');
  writeFileSync(join(s.project, '../acl'), '{}');
  renameSync(join(s.project, '../acl'), join(dir, '.acl.json'));
  await pipe.write('{}');
  await pipe.close();
  await s.succeed(['source', 'refresh', 'docs']);
  assert.equal(await s.sh(show), 'changed.md\nnew.md\nchanged since\n');
  assert.doesNotMatch(await s.succeed(['status']), /docs:/);
});

test('a session that starts while a server is gone shows what it had, and says so', async (t) => {
  const s = await session(t);
  const dir = join(s.project, '..', 'tree');
  mkdirSync(dir);
  for (const name of ['read.md', 'unread.md']) writeFileSync(join(dir, name), `${name}\n`);
  await s.succeed(['source', 'add', 'docs', 'memory', '--dir', dir, '--open']);
  assert.equal(await s.sh('cat /sources/docs/read.md'), 'read.md\n');
  await s.succeed(['stop']);
  renameSync(dir, `${dir}-away`);
  const { code, stdout, stderr } = await s.cli([
    'run',
    '-c',
    'ls /sources/docs; cat /sources/docs/read.md; cat /sources/docs/unread.md',
  ]);
  assert.deepEqual([code, stdout], [1, 'read.md\nunread.md\nread.md\n']);
  assert.match(stderr, /unread\.md: Input\/output error|unread\.md: No such file/);
  assert.match(await s.succeed(['status']), /docs: (2 files, .*, as of \S+, and being asked|no answer since)/);
  const refresh = await s.cli(['source', 'refresh', 'docs']);
  assert.equal(refresh.code, 1);
  assert.match(refresh.stdout, /docs: no answer since .*; 2 files, .*as of/);
  renameSync(`${dir}-away`, dir);
  await s.succeed(['source', 'refresh', 'docs']);
  assert.equal(await s.sh('cat /sources/docs/unread.md'), 'unread.md\n');
});
