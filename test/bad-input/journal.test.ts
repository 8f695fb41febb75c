/** Damage to what a session keeps on the disk. The journal is the truth and is never guessed at; the rest is rebuilt. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { Random } from '../random/random.ts';
import { assertRefused } from '../support/refusal.ts';
import { type Session, session } from '../support/session.ts';
import { assertSameTree } from '../support/tree.ts';

const CHANGES = ['modified hello.txt', 'deleted multi.txt', 'added new.txt', 'renamed renamed < subdir'].sort();

/** A stopped session with four changes. */
async function staged(t: TestContext): Promise<Session> {
  const s = await session(t);
  await s.sh('echo changed > hello.txt; rm multi.txt; echo new > new.txt; mv subdir renamed');
  assert.deepEqual((await s.changeLines()).sort(), CHANGES);
  await s.stop();
  return s;
}

function kept(s: Session, name: string): string {
  return join(s.layout.store, name);
}

test('a journal damaged in the middle is refused with the line, and nothing is changed', async (t) => {
  const s = await staged(t);
  const bytes = readFileSync(kept(s, 'journal'));
  const lines = bytes.toString('latin1').split('\n');
  const middle = bytes.indexOf(lines[2] ?? '') + 12;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(kept(s, 'journal'), bytes);
  rmSync(kept(s, 'tree.mdb'), { recursive: true, force: true });
  const base = await s.baseTree({ mtime: true, ino: true });
  for (const argv of [['run', '--', 'true'], ['status'], ['diff'], ['log'], ['commit', '--yes']]) {
    assertRefused(await s.cli(argv), /journal.*line 3|line 3.*journal/);
  }
  assert.ok(readFileSync(kept(s, 'journal')).equals(bytes), 'the damaged journal was changed');
  assertSameTree(await s.baseTree({ mtime: true, ino: true }), base, 'the base has changed');
});

test('a journal whose last line is torn loses just that line', async (t) => {
  const s = await staged(t);
  appendFileSync(kept(s, 'journal'), 'S 99 torn off in the midd');
  assert.deepEqual((await s.changeLines()).sort(), CHANGES);
  assert.equal(await s.sh('cat hello.txt new.txt renamed/deep.txt; echo more > more'), 'changed\nnew\nnested\n');
  assert.deepEqual((await s.changeLines()).sort(), [...CHANGES, 'added more'].sort());
});

test('a journal of another version is refused', async (t) => {
  const s = await staged(t);
  const text = readFileSync(kept(s, 'journal'), 'latin1');
  const other = text.replace(/^([^\n]*?)(\d+)([^\n]*)\n/, '$1999$3\n');
  assert.notEqual(other, text);
  writeFileSync(kept(s, 'journal'), other, 'latin1');
  for (const argv of [['run', '--', 'true'], ['status'], ['commit', '--yes']])
    assertRefused(await s.cli(argv), /version|journal/);
  assert.equal(readFileSync(kept(s, 'journal'), 'latin1'), other);
});

const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'garbage all over': (path) => writeFileSync(path, new Random(1).bytes(50_000)),
  'a garbled start': (path) => writeFileSync(path, new Random(2).bytes(4000), { flag: 'r+' }),
  'nothing in it': (path) => truncateSync(path, 0),
  'half of it gone': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  'no file': (path) => rmSync(path, { recursive: true }),
  'text instead': (path) => writeFileSync(path, 'this is not a database\n'),
};

for (const [title, damage] of Object.entries(DAMAGES)) {
  test(`tree.mdb with ${title} is rebuilt from the journal`, async (t) => {
    const s = await staged(t);
    assert.ok(existsSync(kept(s, 'tree.mdb')));
    damage(kept(s, 'tree.mdb'));
    assert.deepEqual((await s.changeLines()).sort(), CHANGES, 'status without a daemon');
    assert.equal(await s.sh('cat hello.txt new.txt renamed/deep.txt; echo more > more'), 'changed\nnew\nnested\n');
    await s.stop();
    assert.deepEqual((await s.changeLines()).sort(), [...CHANGES, 'added more'].sort(), 'status after a rebuild');
    await s.commit();
    assert.equal(
      (await s.native(['cat', 'hello.txt', 'new.txt', 'more', 'renamed/deep.txt'])).stdout,
      'changed\nnew\nmore\nnested\n',
    );
  });
}

test('a content object that is missing is an error of that file only', async (t) => {
  const s = await session(t, { noisy: true });
  await s.sh('echo one > one; echo two > two');
  await s.stop();
  const found = (await s.native(['grep', '-rlx', 'one', s.layout.files])).stdout.trim();
  rmSync(found);
  const read = await s.cli(['run', '--quiet', '--', 'sh', '-c', 'cat one; cat two hello.txt']);
  assert.equal(read.stdout, 'two\nbase content\n');
  assert.match(read.stderr, /cat: one: /);
  const base = await s.baseTree({ mtime: true, ino: true });
  assertRefused(await s.cli(['commit', '--yes']), /one/);
  assertSameTree(await s.baseTree({ mtime: true, ino: true }), base, 'a refused commit has changed the base');
});
