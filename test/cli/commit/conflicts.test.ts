/** Commits over what somebody else changed meanwhile, as a person meets them on the command line. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { has } from '../../support/need.ts';
import { type Session, session } from '../../support/session.ts';

const POEM = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');

async function project(t: TestContext): Promise<Session> {
  return session(t, {
    seed: (dir) => {
      fs.writeFileSync(join(dir, 'poem.txt'), POEM);
      fs.writeFileSync(join(dir, 'gone.txt'), 'gone\n');
      fs.mkdirSync(join(dir, 'lib'));
      fs.writeFileSync(join(dir, 'lib/a.txt'), 'a\n');
      fs.writeFileSync(join(dir, 'lib/b.txt'), 'b\n');
    },
  });
}

const at = (s: Session, name: string): string => join(s.project, name);
const read = (s: Session, name: string): string => fs.readFileSync(at(s, name), 'utf8');

/** Everything about the real files, times included. */
async function digest(s: Session): Promise<string> {
  const tree = await s.baseTree({ mtime: true, ino: true });
  return createHash('sha256').update(JSON.stringify(tree)).digest('hex');
}

/** Until what the base had is kept. */
async function originalsKept(s: Session, count: number): Promise<void> {
  const dir = join(s.layout.store, 'originals');
  for (let left = 100; left > 0; left--) {
    if (fs.existsSync(dir) && fs.readdirSync(dir).filter((name) => name !== 'partial').length >= count) return;
    await sleep(50);
  }
  assert.fail('originals were not kept');
}

test('commit names both sides of each conflict and writes nothing', async (t) => {
  const s = await project(t);
  await s.sh('echo ours >> poem.txt; rm gone.txt; rm -r lib; echo x > new.txt; echo y > fine.txt');
  fs.appendFileSync(at(s, 'poem.txt'), 'theirs\n');
  fs.rmSync(at(s, 'gone.txt'));
  fs.writeFileSync(at(s, 'lib/c.txt'), 'theirs\n');
  fs.writeFileSync(at(s, 'new.txt'), 'theirs\n');
  const before = await digest(s);
  const staged = await s.changeLines();
  for (const args of [
    ['commit', '--yes'],
    ['commit', '--dry-run'],
    ['commit', '--yes', 'poem.txt', 'lib', 'new.txt'],
  ]) {
    const { code, stdout, stderr } = await s.cli(args);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.deepEqual(stderr.split('\n').slice(0, 4), [
      'yolofs: commit: 3 conflicts, nothing was written',
      `  ${at(s, 'lib')}: deleted here, modified outside`,
      `  ${at(s, 'new.txt')}: made here, appeared outside`,
      `  ${at(s, 'poem.txt')}: modified here, modified outside`,
    ]);
    assert.match(stderr, /^hint: .*--ours PATH.*--theirs PATH.*--merge/m);
    assert.equal(await digest(s), before);
    assert.deepEqual(await s.changeLines(), staged);
  }
});

test('commit of paths is not kept from it by conflicts elsewhere', async (t) => {
  const s = await project(t);
  await s.sh('echo ours >> poem.txt; echo y > fine.txt');
  fs.appendFileSync(at(s, 'poem.txt'), 'theirs\n');
  assert.match((await s.cli(['commit', '--yes', 'fine.txt'])).stderr, /^committed 1 change/);
  assert.deepEqual(await s.changeLines(), ['modified poem.txt']);
  assert.match((await s.cli(['commit', '--yes'])).stderr, /poem\.txt: modified here, modified outside/);
});

test('commit --ours takes the version of the view, --theirs the real one', async (t) => {
  const s = await project(t);
  await s.sh('echo ours >> poem.txt; echo ours > lib/a.txt; rm lib/b.txt; echo y > fine.txt');
  for (const name of ['poem.txt', 'lib/a.txt', 'lib/b.txt']) fs.appendFileSync(at(s, name), 'theirs\n');
  const before = await digest(s);
  const some = await s.cli(['commit', '--yes', '--ours', 'poem.txt', '--theirs', 'lib/a.txt']);
  assert.equal(some.code, 1);
  assert.match(some.stderr, /1 conflict, nothing was written\n {2}\S*lib\/b\.txt: deleted here, modified outside\n/);
  assert.equal(await digest(s), before);
  const done = await s.cli(['commit', '--yes', '--ours', 'poem.txt', '--theirs', 'lib']);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(read(s, 'poem.txt'), `${POEM}ours\n`);
  assert.equal(read(s, 'lib/a.txt'), 'a\ntheirs\n');
  assert.equal(read(s, 'lib/b.txt'), 'b\ntheirs\n');
  assert.equal(read(s, 'fine.txt'), 'y\n');
  assert.deepEqual(await s.changeLines(), []);
  assert.equal(await s.sh('cat poem.txt lib/a.txt lib/b.txt'), `${POEM}ours\na\ntheirs\nb\ntheirs\n`);
});

test('commit --theirs of all there is leaves the real files alone', async (t) => {
  const s = await project(t);
  await s.sh('echo ours >> poem.txt');
  const idle = await s.cli(['commit', '--yes', '--theirs', 'poem.txt']);
  assert.match(
    idle.stderr,
    /^yolofs: commit: .*poem\.txt: nothing that is to be committed there was changed outside\n/,
  );
  fs.appendFileSync(at(s, 'poem.txt'), 'theirs\n');
  const before = await digest(s);
  assert.match((await s.cli(['commit', '--yes', '--theirs', 'poem.txt'])).stderr, /^nothing to commit/);
  assert.equal(await digest(s), before);
  assert.equal(await s.sh('tail -n 1 poem.txt'), 'theirs\n');
});

test('commit --merge puts changes of different lines together, also where a tool replaced the file', async (t) => {
  const s = await project(t);
  await s.sh(
    'sed -i s/2/two/ poem.txt; printf "first\\na\\n" > lib/a.tmp; mv lib/a.tmp lib/a.txt; chmod 600 lib/b.txt',
  );
  await originalsKept(s, 2);
  fs.writeFileSync(at(s, 'poem.txt'), POEM.replace('8', 'eight'));
  fs.writeFileSync(at(s, 'lib/a.txt'), 'theirs\na\n');
  fs.appendFileSync(at(s, 'lib/b.txt'), 'theirs\n');
  const before = await digest(s);
  const refused = await s.cli(['commit', '--yes', '--merge']);
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(refused.stderr, /lib\/a\.txt: replaced here, modified outside \(line 1 here, line 1 outside\)/);
  assert.equal(await digest(s), before);
  const done = await s.cli(['commit', '--yes', '--merge', '--ours', 'lib/a.txt']);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stderr, new RegExp(`^merged ${at(s, 'poem.txt')}\ncommitted 3 changes`));
  const merged = POEM.replace('2', 'two').replace('8', 'eight');
  assert.equal(read(s, 'poem.txt'), merged);
  assert.equal(await s.sh('cat poem.txt; wc -c < poem.txt'), `${merged}${merged.length}\n`);
  assert.equal(read(s, 'lib/a.txt'), 'first\na\n');
  assert.equal(read(s, 'lib/b.txt'), 'b\ntheirs\n');
  assert.equal(fs.statSync(at(s, 'lib/b.txt')).mode & 0o777, 0o600);
});

test('commit --merge says of what it cannot merge why', async (t) => {
  const s = await project(t);
  fs.writeFileSync(at(s, 'binary'), 'a\0b\n');
  fs.writeFileSync(at(s, 'large'), 'line\n'.repeat(220_000));
  await s.sh('for f in binary large poem.txt; do echo ours >> $f; done');
  await originalsKept(s, 1);
  for (const name of ['binary', 'large', 'poem.txt']) fs.writeFileSync(at(s, name), `theirs\n${read(s, name)}`);
  fs.rmSync(join(s.layout.store, 'originals'), { recursive: true });
  const { code, stderr } = await s.cli(['commit', '--yes', '--merge']);
  assert.equal(code, 1);
  for (const name of ['binary', 'large'])
    assert.ok(
      stderr.includes(`/${name}: modified here, modified outside (cannot be merged: not text of up to 1 MiB)\n`),
    );
  assert.ok(
    stderr.includes('/poem.txt: modified here, modified outside (cannot be merged: the original was not kept)\n'),
  );
});

test('commit after one that failed does not take its own traces for changes of others', async (t) => {
  const s = await project(t);
  await s.sh('echo ours >> poem.txt; rm gone.txt; mv lib/a.txt lib/c.txt');
  await s.killDaemon();
  await s.commit();
  assert.equal(read(s, 'lib/c.txt'), 'a\n');
});

test('a merge that finds no room for its whole text is refused, and nothing is written', async (t) => {
  if (!has(t, ['prlimit'])) return;
  const s = await project(t);
  const long = `first\n${'x'.repeat(999)}\n`.repeat(900);
  fs.writeFileSync(at(s, 'poem.txt'), long);
  await s.sh('echo ours >> poem.txt');
  await originalsKept(s, 1);
  fs.writeFileSync(at(s, 'poem.txt'), `theirs\n${long}`);
  const [before, staged] = [await digest(s), await s.changeLines()];
  const pid = String(await s.daemonPid());
  // As on a full disk the last write is short: below this limit are the journal and the durable tree, above the text.
  execFileSync('prlimit', ['--pid', pid, '--fsize=800000:']);
  const refused = await s.cli(['commit', '--yes', '--merge']);
  execFileSync('prlimit', ['--pid', pid, '--fsize=unlimited:']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^yolofs: commit: cannot store what was merged: /);
  assert.equal(await digest(s), before);
  assert.deepEqual(await s.changeLines(), staged);
  assert.equal((await s.cli(['commit', '--yes', '--merge'])).code, 0);
  assert.equal(read(s, 'poem.txt'), `theirs\n${long}ours\n`);
});
