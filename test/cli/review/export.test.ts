/** `export`: real git applies it, and finds on the branch what the view showed; nothing that a repository names is run for it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { self } from '../../support/accounts.ts';
import { CLEAN_ENV } from '../../support/exec.ts';
import { has } from '../../support/need.ts';
import { type Session, session } from '../../support/session.ts';

const SAFE = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'user.name=A',
  '-c',
  'user.email=a@b',
];

function git(cwd: string, ...words: string[]): string {
  return execFileSync('git', [...SAFE, ...words], { cwd, env: CLEAN_ENV, encoding: 'utf8' });
}

/** With every kind of program that a repository can name, each of which leaves a file. */
function seed(project: string): void {
  for (const [name, text] of Object.entries({
    'a.txt': 'one\n',
    'gone.txt': 'gone\n',
    'moved.txt': 'moved\n1\n2\n3\n',
  }))
    writeFileSync(join(project, name), text);
  writeFileSync(join(project, '.gitignore'), 'dist/\n');
  git(project, 'init', '-q', '-b', 'main', '.');
  git(project, 'add', '-A');
  git(project, 'commit', '-qm', 'start');
  const evil = `touch '${project}/evil'; cat`;
  for (const hook of [
    'reference-transaction',
    'post-commit',
    'pre-commit',
    'post-checkout',
    'pre-auto-gc',
    'post-rewrite',
  ]) {
    writeFileSync(join(project, '.git/hooks', hook), `#!/bin/sh\n${evil}\n`);
    chmodSync(join(project, '.git/hooks', hook), 0o755);
  }
  writeFileSync(join(project, '.git/info/attributes'), '* filter=evil diff=evil\n');
  const settings = {
    ...{ 'core.fsmonitor': evil, 'filter.evil.clean': evil, 'filter.evil.smudge': evil, 'diff.evil.textconv': evil },
    ...{ 'core.sshCommand': evil, 'remote.evil.url': `ext::sh -c "${evil}"`, 'extensions.partialClone': 'evil' },
    ...{ 'gpg.program': evil, 'commit.gpgsign': 'true', 'core.pager': evil },
  };
  for (const [name, value] of Object.entries(settings)) git(project, 'config', name, value);
}

async function work(s: Session): Promise<void> {
  await s.cli(['run', '--quiet', '-c', 'echo two >> a.txt; rm gone.txt; mkdir -p dist; echo built > dist/o']);
  const second = `mv moved.txt 'new "name'; printf 'a\\0b' > bin; chmod 755 bin; ln -s a.txt link; echo out > ~/outside`;
  await s.cli(['run', '--quiet', '-c', second]);
  await s.cli(['run', '--no-snapshot', '--quiet', '-c', 'echo three >> a.txt']);
}

test('export --git makes a branch with a commit a snapshot, and runs nothing that the repository names', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self });
  await work(s);
  const staged = await s.changeLines();
  const config = s.project;
  const { code, stderr } = await s.cli(['export', '--git', 'agent/work']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^branch agent\/work has 3 commits, up to [0-9a-f]{7}\n$/);
  const log = git(config, 'log', '--format=%an %s', 'agent/work').split('\n').slice(0, 4);
  assert.deepEqual(
    log.map((line) => line.slice(0, 24)),
    ['yolofs Since the last sn', "yolofs mv moved.txt 'new", 'yolofs echo two >> a.txt', 'A start'],
  );
  const raw = git(config, '-c', 'core.attributesFile=/dev/null', 'ls-tree', '-r', '-z', 'agent/work')
    .split('\0')
    .slice(0, -1);
  assert.deepEqual(
    raw.map((line) => `${line.slice(0, 6)} ${line.split('\t')[1]}`),
    ['100644 .gitignore', '100644 a.txt', '100755 bin', '120000 link', '100644 new "name'],
  );
  const content = (name: string, at = 'agent/work'): string => git(config, 'cat-file', 'blob', `${at}:${name}`);
  assert.deepEqual(
    [content('a.txt'), content('a.txt', 'agent/work~2'), content('bin'), content('link'), content('new "name')],
    ['one\ntwo\nthree\n', 'one\ntwo\n', 'a\0b', 'a.txt', 'moved\n1\n2\n3\n'],
  );
  // What git itself thinks of it; nothing else has changed.
  git(config, 'fsck', '--strict', '--no-dangling');
  assert.equal(git(config, 'rev-parse', '--abbrev-ref', 'HEAD'), 'main\n');
  assert.equal(existsSync(join(s.project, 'evil')), false);
  assert.deepEqual(await s.changeLines(), staged);
  const again = await s.cli(['export', '--git', 'agent/work']);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^yolofs: export: there is a branch 'agent\/work' already: nothing was written\n/);
  assert.deepEqual(
    readdirSync('/tmp').filter((name) => name.startsWith('yolofs-export-')),
    [],
  );
});

test('export takes what is moved into the project for a new file, and what is moved out of it for a deleted one', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self, rules: '[rules]\n"~" = "allow"\n' });
  writeFileSync(join(s.home, 'outside.txt'), 'from outside\n');
  await s.succeed([
    'run',
    '--quiet',
    '-c',
    'mv ~/outside.txt in.txt; mv moved.txt ~/out.txt; mkdir dist; mv gone.txt dist/',
  ]);
  await s.succeed(['export', '--git', 'work']);
  assert.equal(git(s.project, 'diff', '--name-status', 'main', 'work'), 'D\tgone.txt\nA\tin.txt\nD\tmoved.txt\n');
  assert.equal(git(s.project, 'cat-file', 'blob', 'work:in.txt'), 'from outside\n');
  const patch = await s.succeed(['export', '--patch']);
  assert.deepEqual(patch.match(/^(rename|new file|deleted file).*$/gm), [
    'deleted file mode 100644',
    'new file mode 100644',
    'deleted file mode 100644',
  ]);
});

test('export after a commit of a part, and after its undo, has what is staged then', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self });
  await s.cli(['run', '--quiet', '-c', 'echo two >> a.txt; echo new > b.txt']);
  await s.succeed(['commit', '--yes', 'b.txt']);
  await s.succeed(['export', '--git', 'rest']);
  const patch = (branch: string): string =>
    git(s.project, '-c', 'core.attributesFile=/dev/null', 'diff', '--no-ext-diff', '--no-textconv', 'main', branch);
  assert.match(patch('rest'), /^ one\n\+two\n$/m);
  assert.doesNotMatch(patch('rest'), /b\.txt/);
  await s.succeed(['undo']);
  await s.succeed(['export', '--git', 'all']);
  assert.match(patch('all'), /^ one\n\+two\n[\s\S]*\+\+\+ b\/b\.txt\n@@ -0,0 \+1 @@\n\+new\n$/m);
  await s.cli(['run', '--quiet', '-c', 'echo three >> a.txt']);
  await s.succeed(['export', '--git', 'more']);
  assert.equal(git(s.project, 'rev-list', '--count', 'main..more'), '2\n');
});

test('export --patch is what git am applies, and refuses names and places that are none of a branch', async (t) => {
  if (!has(t, ['git'])) return;
  const s = await session(t, { seed, account: self });
  await s.cli(['run', '--quiet', '-c', 'echo two >> a.txt; rm gone.txt']);
  await s.cli(['run', '--quiet', '-c', 'mv moved.txt there.txt; echo "new" > new.txt # diff --git a/x b/x']);
  const other = join(s.root, 'other');
  mkdirSync(other);
  for (const [name, text] of Object.entries({
    'a.txt': 'one\n',
    'gone.txt': 'gone\n',
    'moved.txt': 'moved\n1\n2\n3\n',
  }))
    writeFileSync(join(other, name), text);
  git(other, 'init', '-q', '.');
  git(other, 'add', '-A');
  git(other, 'commit', '-qm', 'start');
  writeFileSync(join(s.root, 'series'), await s.succeed(['export', '--patch']));
  git(other, 'am', '-q', join(s.root, 'series'));
  assert.equal(git(other, 'show', '--format=', '--name-status', 'HEAD'), 'A\tnew.txt\nR100\tmoved.txt\tthere.txt\n');
  assert.equal(git(other, 'show', 'HEAD:a.txt'), 'one\ntwo\n');
  assert.equal(git(other, 'ls-files'), 'a.txt\nnew.txt\nthere.txt\n');
  // One snapshot alone.
  assert.match(await s.succeed(['export', '2', '--patch']), /^Subject: \[PATCH 1\/1\] mv moved/m);
  for (const name of ['../../x', '-x', 'a..b', 'a.lock', '/x', 'x/', 'HEAD', 'a/../b'])
    assert.equal((await s.cli(['export', `--git=${name}`])).code, 1, name);
  assert.equal((await s.cli(['export'])).code, 2);
});
