/** Holes 12 to 20 and 32 to 34 of the reference system (yolofs.md 9.3, 9.5): what commands do. Each fails on what it does. */
import assert from 'node:assert/strict';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { session } from '../support/session.ts';

test('hole 17: a rename counts once, and a directory made anew in place of one replaces it', async (t) => {
  const s = await session(t);
  await s.sh('mv hello.txt renamed.txt; rm -r subdir; mkdir subdir; echo new > subdir/other');
  const { stderr } = await s.cli(['commit', '--yes']);
  assert.match(stderr, /^committed [34] changes$/m);
  assert.equal((await s.native(['ls', 'subdir'])).stdout, 'other\n');
});

test('hole 19: a session moved elsewhere with its daemon running is served by one daemon only', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > staged');
  const elsewhere = `${s.project}-moved`;
  renameSync(s.project, elsewhere);
  const result = await s.cli(['run', '--quiet', '--', 'cat', 'staged'], { cwd: elsewhere });
  renameSync(elsewhere, s.project);
  assert.notEqual(result.code, 0, `a second daemon served the same session: ${result.stdout}`);
  // The registry believed it to be elsewhere until now.
  assert.match(await s.succeed(['status']), /staged/);
});

test('hole 20: snapshot, travel, abort and commit do not mind files that are open for writing', async (t) => {
  const s = await session(t);
  // Started by a run, and it goes on after it: a dev server that writes its log.
  await s.sh(
    '(exec 3>>log; i=0; while [ $i -lt 300 ]; do echo $i >&3; i=$((i+1)); sleep 0.1; done) > /dev/null 2>&1 &',
  );
  await s.succeed(['snapshot', 'with an open file']);
  await s.sh('echo x > other');
  await s.succeed(['travel', 'with an open file']);
  assert.deepEqual(await s.changeLines(), ['added log']);
  await s.commit();
  assert.match(readFileSync(join(s.project, 'log'), 'utf8'), /^0\n/);
  await s.sh('echo y > other');
  await s.abort();
  assert.deepEqual(await s.changeLines(), []);
});

test('hole 32: a travel goes to names, also to 0 = the real files', async (t) => {
  const s = await session(t);
  await s.sh('echo one > made');
  await s.succeed(['snapshot', 'good']);
  await s.sh('rm made hello.txt');
  await s.succeed(['travel', 'good']);
  assert.equal(await s.sh('cat made hello.txt'), 'one\nbase content\n');
  await s.succeed(['travel', '0']);
  assert.deepEqual(await s.changeLines(), []);
});

test('hole 33: diff takes paths, shows a rename with its edit, hunk headers and modes, and no identical rewrite', async (t) => {
  const s = await session(t);
  await s.sh(
    'mv multi.txt moved.txt; echo line3 >> moved.txt; chmod 644 test.sh; printf "base content\\n" > hello.txt',
  );
  const diff = await s.succeed(['diff']);
  assert.match(diff, /^rename from multi\.txt\nrename to moved\.txt$/m);
  assert.match(diff, /^@@ -1,2 \+1,3 @@$/m);
  assert.match(diff, /^old mode 100755\nnew mode 100644$/m);
  assert.doesNotMatch(diff, /hello/);
  assert.doesNotMatch(await s.succeed(['status']), /hello/);
  assert.doesNotMatch(await s.succeed(['diff', '--', 'test.sh']), /moved/);
});

test('hole 34: a session is found from any directory below its project', async (t) => {
  const s = await session(t);
  await s.sh('echo staged > subdir/staged');
  const status = await s.succeed(['status'], { cwd: join(s.project, 'subdir') });
  assert.match(status, /^ {2}staged$/m);
});
