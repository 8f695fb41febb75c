/** D6: an undo over what somebody has changed since: what tools rewrite keeps it from nobody, and for the rest there is a way on. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Session, session } from '../../support/session.ts';

const GIT_ENV = {
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
  ...{ GIT_CONFIG_NOSYSTEM: '1' },
};
const TEXT = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ''].join('\n');

function git(s: { readonly project: string }, ...words: string[]): string {
  return execFileSync('git', words, { cwd: s.project, env: { ...process.env, ...GIT_ENV }, encoding: 'utf8' });
}

const real = (s: Session, name: string): string => fs.readFileSync(join(s.project, name), 'utf8');

async function committed(t: TestContext, script: string, seed: (project: string) => void = () => {}): Promise<Session> {
  const s = await session(t, {
    seed: (project) => {
      for (const name of ['text', 'other', 'gone']) fs.writeFileSync(join(project, name), TEXT);
      fs.linkSync(join(project, 'other'), join(project, 'linked'));
      seed(project);
    },
  });
  await s.sh(script, { env: GIT_ENV });
  await s.commit();
  return s;
}

test('D6: undo takes a commit back whatever git has refreshed outside meanwhile, and another undo takes that back', async (t) => {
  const s = await committed(t, 'echo more >> text; git commit -qam second; echo n > new', (project) => {
    fs.writeFileSync(join(project, '.gitignore'), '.yolofs*\n');
    git({ project }, 'init', '-q', '-b', 'main');
    git({ project }, 'add', '.');
    git({ project }, 'commit', '-q', '-m', 'first');
  });
  fs.utimesSync(join(s.project, 'other'), 1_600_000_000, 1_600_000_000);
  assert.equal(git(s, 'status', '--porcelain'), '?? new\n');
  const { stderr } = await s.cli(['undo']);
  assert.match(
    stderr,
    /^took commit 1 back: \d+ changes are staged again; the real files are what they were by commit 2,/m,
  );
  assert.equal(git(s, 'log', '--format=%s'), 'first\n');
  assert.equal(git(s, 'status', '--porcelain'), '');
  assert.equal(git(s, 'fsck', '--strict'), '');
  assert.equal(await s.sh('git log --format=%s; git status --porcelain; cat new'), 'second\nfirst\n?? new\nn\n');
  // That status has refreshed it once more.
  assert.doesNotMatch(await s.succeed(['status']), /changed outside/);
  await s.succeed(['undo']);
  assert.equal(git(s, 'log', '--format=%s'), 'second\nfirst\n');
  assert.equal(git(s, 'status', '--porcelain'), '?? new\n');
  assert.deepEqual(
    (await s.changeLines()).filter((line) => !line.endsWith('.git/index')),
    [],
  );
});

test('D6: undo names what somebody wrote since; --ours puts back what was there, and theirs is in the view and comes back', async (t) => {
  const s = await committed(t, 'sed -i s/2/two/ text; rm gone; mkdir made; echo in > made/in; echo staged > new');
  await s.sh('echo later > later');
  fs.writeFileSync(join(s.project, 'text'), 'a person\n');
  fs.writeFileSync(join(s.project, 'gone'), 'anew\n');
  fs.writeFileSync(join(s.project, 'made/theirs'), 'theirs\n');
  const refused = await s.cli(['undo', '--ours', 'text']);
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /undo: 2 conflicts, nothing was changed\n {2}\S*\/gone: the commit left nothing, now there is a/,
  );
  assert.match(
    refused.stderr,
    /made: the commit left a new directory, now there is with theirs in it\nhint: '--ours PATH' puts/,
  );
  assert.equal(real(s, 'text'), 'a person\n');
  assert.equal(await s.sh('cat text gone later'), 'a person\nanew\nlater\n');
  await s.succeed(['undo', '--ours', '.']);
  assert.equal(real(s, 'text'), TEXT);
  assert.equal(real(s, 'gone'), TEXT);
  assert.deepEqual(
    fs.readdirSync(s.project).filter((name) => !name.startsWith('.')),
    ['gone', 'linked', 'other', 'text'],
  );
  assert.equal(
    await s.sh('cat text gone made/theirs made/in new later'),
    'a person\nanew\ntheirs\nin\nstaged\nlater\n',
  );
  await s.succeed(['undo']);
  for (const [name, text] of Object.entries({ text: 'a person\n', gone: 'anew\n', 'made/theirs': 'theirs\n' }))
    assert.equal(real(s, name), text);
  assert.deepEqual(await s.changeLines(), ['added later']);
});

test('D6: undo --theirs leaves what somebody wrote, --merge takes only the own lines back, caches stay', async (t) => {
  const s = await committed(t, 'sed -i s/2/two/ text; sed -i s/2/two/ gone; mkdir -p .cache; echo c > .cache/c');
  for (const name of ['text', 'gone', '.cache/c']) fs.appendFileSync(join(s.project, name), 'outside\n');
  const { stderr } = await s.cli(['undo', '--merge', '--theirs', 'gone']);
  assert.match(stderr, /^merged \S*\/text\n/);
  assert.match(stderr, /left as the real files have it: 1 file/);
  assert.equal(real(s, 'text'), `${TEXT}outside\n`);
  assert.equal(real(s, 'gone'), `${TEXT.replace('2', 'two')}outside\n`);
  assert.equal(real(s, '.cache/c'), 'c\noutside\n');
  assert.equal(await s.sh('cat text'), `${TEXT.replace('2', 'two')}outside\n`);
  assert.match((await s.cli(['undo', '--theirs', 'text'])).stderr, /text: nothing there was changed since the commit/);
});

test('D6: undo asks also for what only it sees: hard links, attributes, what was moved', async (t) => {
  const s = await committed(t, 'echo more >> other; chmod 600 text; mv gone moved');
  fs.appendFileSync(join(s.project, 'linked'), 'outside\n');
  fs.chmodSync(join(s.project, 'text'), 0o640);
  fs.appendFileSync(join(s.project, 'moved'), 'outside\n');
  const { code, stderr } = await s.cli(['undo']);
  assert.equal(code, 1);
  assert.match(stderr, /3 conflicts/);
  assert.equal(real(s, 'other'), `${TEXT}more\noutside\n`);
  await s.succeed(['undo', '--ours', 'other', '--ours', 'linked', '--ours', 'text', '--ours', 'moved']);
  assert.equal(real(s, 'linked'), TEXT);
  assert.equal(real(s, 'gone'), `${TEXT}outside\n`);
  assert.equal(await s.sh('cat other'), `${TEXT}more\noutside\n`);
  await s.succeed(['undo']);
  assert.equal(real(s, 'linked'), `${TEXT}more\noutside\n`);
  assert.equal(fs.statSync(join(s.project, 'text')).mode & 0o777, 0o640);
});
