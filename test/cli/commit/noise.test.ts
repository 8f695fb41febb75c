/** D6: what tools rewrite by themselves, on both sides, keeps no commit from anybody, and is no change where nothing was changed. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { meaningOf } from '../../../src/history/commit/conflict/git-index.ts';
import { eventually } from '../../support/leaks.ts';
import { type Session, session } from '../../support/session.ts';

const GIT_ENV = {
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
  ...{ GIT_CONFIG_NOSYSTEM: '1' },
};

function git(s: { readonly project: string }, ...words: string[]): string {
  return execFileSync('git', words, { cwd: s.project, env: { ...process.env, ...GIT_ENV }, encoding: 'utf8' });
}

async function repository(t: TestContext): Promise<Session> {
  return session(t, {
    seed: (project) => {
      for (const name of ['a', 'b', 'c']) fs.writeFileSync(join(project, name), `${name}\n`);
      fs.writeFileSync(join(project, '.gitignore'), '.yolofs*\n');
      git({ project }, 'init', '-q', '-b', 'main');
      git({ project }, 'add', '.');
      git({ project }, 'commit', '-q', '-m', 'first');
    },
  });
}

const inView = (s: Session, script: string): Promise<string> => s.sh(script, { env: GIT_ENV });

function isIndexKept(s: Session): boolean {
  const isIndex = ['-exec', 'grep', '-qa', '^DIRC', '{}', ';', '-print'];
  // What nobody needs any more is removed meanwhile, also directories that find is about to open: then it fails, and has said the rest.
  return spawnSync('find', [s.project, '-path', '*/originals/*', '-type', 'f', ...isIndex]).stdout.length > 0;
}

/** Until the original of git's index is kept: a run's end waits a quarter of a second for it, no longer. */
async function indexKept(s: Session): Promise<void> {
  assert.ok(await eventually(() => isIndexKept(s)), 'the original of the index was not kept');
}

/** As an editor's git panel does it: the index gets other times, and says the same. */
function refreshOutside(s: Session): void {
  const before = meaningOf(fs.readFileSync(join(s.project, '.git/index')));
  fs.utimesSync(join(s.project, 'c'), 1_600_000_000, 1_600_000_000);
  git(s, 'update-index', '--refresh');
  assert.equal(meaningOf(fs.readFileSync(join(s.project, '.git/index'))), before);
}

test('D6: a git index that was refreshed outside keeps no commit back, and the repository is whole', async (t) => {
  const s = await repository(t);
  await inView(s, 'echo more >> a; git commit -q -a -m second; git rm -q b');
  await indexKept(s);
  refreshOutside(s);
  assert.doesNotMatch(await s.succeed(['status']), /\(changed outside\)/);
  await s.succeed(['commit', '--yes']);
  assert.equal(git(s, 'log', '--format=%s'), 'second\nfirst\n');
  assert.equal(git(s, 'status', '--porcelain'), 'D  b\n');
  assert.equal(git(s, 'fsck', '--strict'), '');
  assert.deepEqual(await s.changeLines(), []);
});

test('D6: the original of an index is kept when the end of the command that replaced it is told', async (t) => {
  const s = await repository(t);
  // As many as the timer would have to hit by chance.
  for (const turn of [1, 2, 3]) {
    await inView(s, `echo ${turn} >> a; git commit -q -a -m ${turn}`);
    assert.ok(isIndexKept(s), `turn ${turn}`);
    await s.succeed(['abort', '--yes']);
  }
});

test('D6: an index that was only refreshed in the view gives way to what was staged outside', async (t) => {
  const s = await repository(t);
  await inView(s, 'touch -d 2001-01-01 c; git update-index --refresh; echo more >> a');
  await indexKept(s);
  fs.writeFileSync(join(s.project, 'new'), 'new\n');
  git(s, 'add', 'new');
  assert.match((await s.cli(['commit', '--yes'])).stderr, /left as the real files have it: 1 file/);
  assert.equal(git(s, 'status', '--porcelain'), ' M a\nA  new\n');
});

test('D6: an index that both sides have changed is for a person, and so are the files of one', async (t) => {
  const s = await repository(t);
  await inView(s, 'echo view > from-view; git add from-view');
  await indexKept(s);
  fs.writeFileSync(join(s.project, 'outside'), 'outside\n');
  git(s, 'add', 'outside');
  const { code, stderr } = await s.cli(['commit', '--yes']);
  assert.notEqual(code, 0);
  assert.match(stderr, /1 conflict, nothing was written\n {2}\S*\.git\/index: replaced here, modified outside\n/);
  await s.succeed(['commit', '--yes', '--theirs', '.git/index']);
  assert.equal(git(s, 'status', '--porcelain'), 'A  outside\n?? from-view\n');
});

test('D6: of caches, the same content, reflogs and times of objects nobody is asked', async (t) => {
  const s = await repository(t);
  const cache = join(s.home, '.npm/_cacache/index-v5/aa');
  fs.mkdirSync(cache, { recursive: true });
  for (const name of ['one', 'two']) fs.writeFileSync(join(cache, name), 'entry\n');
  const object = execFileSync('sh', ['-c', 'ls -d .git/objects/??/* | head -1'], {
    cwd: s.project,
    encoding: 'utf8',
  }).trim();
  await inView(
    s,
    `echo view >> ~/.npm/_cacache/index-v5/aa/one; rm ~/.npm/_cacache/index-v5/aa/two
    touch ${object}; echo same > a; echo same > new; git update-ref -m 'in the view' refs/notes/x HEAD
    printf '0 1 a <a@b> 1 +0000\\tin the view\\n' >> .git/logs/HEAD`,
  );
  assert.doesNotMatch(await s.succeed(['status']), /objects/);
  for (const name of ['one', 'two']) fs.appendFileSync(join(cache, name), 'outside\n');
  for (const name of ['a', 'new']) fs.writeFileSync(join(s.project, name), 'same\n');
  fs.appendFileSync(join(s.project, '.git/logs/HEAD'), '0 1 a <a@b> 1 +0000\toutside\n');
  assert.doesNotMatch(await s.succeed(['status']), /\(changed outside\)/);
  assert.match((await s.cli(['commit', '--yes'])).stderr, /left as the real files have it: 4 files that tools/);
  for (const name of ['one', 'two']) assert.equal(fs.readFileSync(join(cache, name), 'utf8'), 'entry\noutside\n');
  assert.equal(fs.readFileSync(join(s.project, 'new'), 'utf8'), 'same\n');
  assert.match(fs.readFileSync(join(s.project, '.git/logs/HEAD'), 'utf8'), /first\n.*outside\n.*in the view\n$/);
  assert.match(git(s, 'rev-parse', 'refs/notes/x'), /^[0-9a-f]{40}\n$/);
});

test('D6: meaningOf() says the same of an index in all forms that git writes, and nothing of one that is not whole', async (t) => {
  const s = await repository(t);
  const read = (): Buffer => fs.readFileSync(join(s.project, '.git/index'));
  const meanings = ['2', '3', '4'].map((version) => {
    git(s, 'update-index', '--index-version', version);
    return meaningOf(read());
  });
  assert.equal(new Set(meanings).size, 1);
  assert.match(meanings[0] ?? '', /^[0-9a-f]{40}$/);
  git(s, 'update-index', '--skip-worktree', 'a');
  assert.notEqual(meaningOf(read()), meanings[0]);
  assert.equal(meaningOf(read().subarray(0, -1)), undefined);
  assert.equal(meaningOf(Buffer.concat([read().subarray(0, 40), read().subarray(44)])), undefined);
  git(s, 'update-index', '--split-index');
  assert.equal(meaningOf(read()), undefined);
});

test('D6: source code in a directory `go/pkg` of the project is no cache: what both sides have changed is for a person', async (t) => {
  const s = await session(t);
  const file = join(s.project, 'go/pkg/main.go');
  fs.mkdirSync(join(s.project, 'go/pkg'), { recursive: true });
  fs.writeFileSync(file, 'package main\n');
  await s.sh('echo "// view" >> go/pkg/main.go; echo x > go/pkg/new.go');
  assert.match(await s.succeed(['status']), /Added \(1\)\n {2}go\/pkg\/new\.go\n/);
  fs.appendFileSync(file, '// outside\n');
  const { code, stderr } = await s.cli(['commit', '--yes']);
  assert.equal(code, 1);
  assert.match(stderr, /1 conflict, nothing was written\n {2}\S*go\/pkg\/main\.go: modified here, modified outside\n/);
});
