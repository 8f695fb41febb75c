/** `doctor --repair`, and a daemon that starts: both mend what a crash of a commit has left, and say so. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Session, session } from '../support/session.ts';

/** A commit that is through, but whose last word was not written: what is set aside may still lie about. */
async function cutShort(t: TestContext): Promise<Session> {
  const s = await session(t);
  await s.sh('echo changed > hello.txt; rm multi.txt; echo new > new');
  await s.commit();
  await s.stop();
  const log = join(s.layout.store, 'commits/1');
  renameSync(`${log}/steps`, `${log}/intent`);
  return s;
}

test('doctor names a commit that was cut short, and --repair finishes it without a daemon', async (t) => {
  const s = await cutShort(t);
  assert.match((await s.cli(['doctor'])).stdout, /commit 1, or its undo, was cut short/);
  for (const look of ['status', 'diff'])
    assert.match((await s.cli([look])).stderr, /^yolofs: commit 1, or its undo, was cut short: .*\nhint: .*--repair/);
  assert.equal(await s.succeed(['doctor', '--repair']), 'commit 1 was cut short: it was finished\n');
  assert.equal(await s.succeed(['doctor', '--repair']), 'nothing to repair\n');
  assert.equal((await s.cli(['status'])).stderr, '');
  assert.ok(existsSync(join(s.layout.store, 'commits/1/steps')));
  await s.succeed(['undo']);
  assert.equal(readFileSync(join(s.project, 'hello.txt'), 'utf8'), 'base content\n');
  assert.equal(existsSync(join(s.project, 'new')), false);
});

test('the command that starts the daemon says what was mended', async (t) => {
  const s = await cutShort(t);
  const { stderr } = await s.cli(['run', '--', 'true']);
  assert.match(stderr, /^yolofs: commit 1 was cut short: it was finished$/m);
});

test('a commit that had not begun is forgotten', async (t) => {
  const s = await session(t);
  await s.sh('echo new > new');
  await s.stop();
  mkdirSync(join(s.layout.store, 'commits/1/kept'), { recursive: true });
  writeFileSync(join(s.layout.store, 'commits/1/intent'), '12345678\tcommit\t1');
  assert.equal(await s.succeed(['doctor', '--repair']), 'commit 1 was cut short before it began\n');
  await s.commit();
  assert.equal(readFileSync(join(s.project, 'new'), 'utf8'), 'new\n');
});

test('doctor names a damaged tree store, and --repair makes it again', async (t) => {
  const s = await session(t);
  await s.sh('echo new > new');
  await s.stop();
  writeFileSync(join(s.layout.store, 'tree.mdb'), 'garbage');
  assert.match((await s.cli(['doctor'])).stdout, /tree store \(tree\.mdb\) is damaged/);
  assert.match(await s.succeed(['doctor', '--repair']), /the tree store was made again from the journal/);
  assert.deepEqual(await s.changeLines(), ['added new']);
});

test('commit refuses while an earlier one of its number is not taken back, and leaves its originals alone', async (t) => {
  const s = await session(t);
  await s.sh('echo new > new');
  const log = join(s.layout.store, 'commits/1');
  mkdirSync(join(log, 'kept'), { recursive: true });
  writeFileSync(join(log, 'kept/1'), 'original');
  const { code, stderr } = await s.cli(['commit', '--yes']);
  assert.equal(code, 1);
  assert.match(stderr, /commits\/1 is there already: an earlier commit is not finished\nhint: .*doctor --repair/);
  assert.equal(readFileSync(join(log, 'kept/1'), 'utf8'), 'original');
  assert.deepEqual(await s.changeLines(), ['added new']);
});
