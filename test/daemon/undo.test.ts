/** `yolofs undo`, on a real mount: the base is what it was, the view stays as it is, and nothing is lost. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { succeed } from '../support/exec.ts';
import { type Session, session } from '../support/session.ts';
import { assertSameTree, readTree, type TreeEntry } from '../support/tree.ts';

/** A bit of everything, with hard links, extended attributes left to the crash matrix. */
const MUCH = `
  echo new > new; mkdir -p made/deep; echo x > made/deep/f; ln -s f made/deep/l
  echo more >> hello.txt; chmod 700 multi.txt
  mv subdir moved; echo more >> moved/deep.txt; echo n > moved/n
  rm gone; rm -r tree; echo file > tree
  mv a t; mv b a; mv t b
  echo linked >> linked; mkfifo pipe
`;

function seed(project: string): void {
  for (const dir of ['subdir', 'tree/in']) fs.mkdirSync(join(project, dir), { recursive: true });
  const files = { 'hello.txt': 'hello\n', 'multi.txt': 'm\n', 'subdir/deep.txt': 'deep\n', gone: 'gone\n' };
  const more = { 'tree/in/leaf': 'leaf\n', 'tree/twig': 'twig\n', a: 'a\n', b: 'b\n', linked: 'l\n' };
  for (const [path, text] of Object.entries({ ...files, ...more })) fs.writeFileSync(join(project, path), text);
  fs.linkSync(join(project, 'linked'), join(project, 'linked2'));
  fs.utimesSync(join(project, 'tree'), 1000, 2000);
}

/** With one more name, in a directory that goes. */
function seedDeep(project: string): void {
  seed(project);
  fs.linkSync(join(project, 'linked'), join(project, 'tree/in/linked3'));
  fs.utimesSync(join(project, 'tree'), 1000, 2000);
}

/** The real files, but for what belongs to the session. */
function plain(s: Session, options: { ino?: boolean } = {}): TreeEntry[] {
  const entries = readTree(s.project, { mtime: true, ...options });
  return entries.filter(({ path }) => !path.startsWith('.yolofs') && path !== '');
}

async function prepared(t: TestContext): Promise<Session> {
  return session(t, { seed });
}

test('undo gives the real files back, to the inode, and stages again what the commit had applied', async (t) => {
  const s = await session(t, { seed: seedDeep });
  await s.sh('true');
  const before = plain(s, { ino: true });
  await s.sh(MUCH);
  const lines = await s.changeLines();
  const view = await s.tree();
  await s.commit();
  const after = plain(s);
  assert.notDeepEqual(after, before);
  const { stderr } = await s.cli(['undo']);
  assert.match(stderr, /^took commit 1 back: \d+ changes are staged again$/m);
  assertSameTree(plain(s, { ino: true }), before, 'the real files after the undo');
  assertSameTree(await s.tree(), view, 'the view after the undo');
  assert.deepEqual(await s.changeLines(), lines);
  await s.stop();
  assertSameTree(await s.tree(), view, 'the view after a restart');
  assert.deepEqual(await s.changeLines(), lines);
  await s.commit();
  assertSameTree(plain(s), after, 'the real files after another commit');
});

test('undo right behind a commit of many files, whose copies are not all there, has all of them', async (t) => {
  const s = await session(t);
  await s.sh('for d in 1 2 3; do mkdir d$d; for i in $(seq 600); do echo $d $i > d$d/f$i; done; done');
  const view = await s.tree();
  const none = plain(s);
  await s.commit();
  const file = join(s.project, 'd3/f600');
  await s.cli(['undo']);
  assertSameTree(plain(s), none, 'the real files after the undo');
  assertSameTree(await s.tree(), view, 'the view after the undo');
  await s.commit();
  assert.equal(fs.readFileSync(file, 'utf8'), '3 600\n');
  // What somebody changes at once takes all copies first.
  fs.appendFileSync(join(s.project, 'd1/f1'), 'outside\n');
  const { code, stderr } = await s.cli(['undo']);
  assert.equal(code, 1);
  assert.match(stderr, /project\/d1: modified outside since the commit$/m);
  assert.equal(fs.readFileSync(join(s.project, 'd1/f1'), 'utf8'), '1 1\noutside\n');
  fs.writeFileSync(join(s.project, 'd1/f1'), '1 1\n');
});

test('undo leaves what it stages again without the numbers that the real files had, which other ones will get', async (t) => {
  const s = await session(t);
  await s.sh('echo text > file; mkfifo pipe; ln -s to symlink; ln file link');
  await s.commit();
  const numbers = 'stat -c %i file link pipe symlink';
  const real = (await succeed(['sh', '-c', numbers], { cwd: s.project })).trim().split('\n');
  assert.deepEqual((await s.sh(numbers)).trim().split('\n'), real);
  await s.cli(['undo']);
  const staged = (await s.sh(numbers)).trim().split('\n');
  assert.equal(staged[0], staged[1]);
  assert.deepEqual(
    staged.filter((number) => real.includes(number)),
    [],
  );
});

test('undo keeps what was done since the commit, and two undos take two commits back', async (t) => {
  const s = await prepared(t);
  const before = plain(s, { ino: true });
  await s.sh(MUCH);
  await s.commit();
  await s.sh('echo again >> new; mv made/deep elsewhere; rm pipe; echo b2 > b; rm moved/n; mkdir moved/d');
  await s.commit();
  await s.sh('echo third > third; rm elsewhere/f; mv new renamed; mv moved subdir; echo x >> subdir/deep.txt');
  await s.stop();
  const view = await s.tree();
  await s.succeed(['undo']);
  assertSameTree(await s.tree(), view, 'the view after one undo');
  await s.stop();
  assertSameTree(await s.tree(), view, 'the view after one undo and a restart');
  await s.succeed(['undo']);
  assertSameTree(await s.tree(), view, 'the view after two undos');
  assertSameTree(plain(s, { ino: true }), before, 'the real files after two undos');
  await s.stop();
  assertSameTree(await s.tree(), view, 'the view after two undos and a restart');
  assert.match((await s.cli(['undo'])).stderr, /^yolofs: undo: there is no commit to take back$/m);
  await s.commit();
  assertSameTree(
    plain(s).map(untimed),
    view.filter(({ path }) => !path.startsWith('.yolofs') && path !== '').map(untimed),
    'all of it',
  );
});

test('commits of selected paths are taken back, too, one after the other', async (t) => {
  const s = await prepared(t);
  const before = plain(s, { ino: true });
  await s.sh(MUCH);
  const lines = await s.changeLines();
  await s.succeed(['commit', '--yes', 'moved', 'new', 'hello.txt']);
  await s.sh('echo since >> hello.txt; chmod 644 multi.txt; rm pipe');
  await s.commit();
  await s.sh('mkfifo pipe; chmod 700 multi.txt; sed -i /since/d hello.txt');
  const view = await s.tree();
  await s.succeed(['undo']);
  assertSameTree(await s.tree(), view, 'the view after one undo');
  await s.succeed(['undo']);
  assertSameTree(await s.tree(), view, 'the view after two undos');
  assertSameTree(plain(s, { ino: true }), before, 'the real files after two undos');
  await s.stop();
  assertSameTree(await s.tree(), view, 'the view after a restart');
  assert.deepEqual(await s.changeLines(), lines);
});

function untimed({ mtime: _, ...entry }: TreeEntry): TreeEntry {
  return entry;
}

const CHANGES: Readonly<Record<string, readonly [string, (project: string) => void, RegExp]>> = {
  'a file that it changed': [
    'echo x >> hello.txt',
    (p) => fs.appendFileSync(`${p}/hello.txt`, 'y'),
    /hello\.txt: .*left a file of 8 bytes.*now there is a file of 9 bytes/,
  ],
  'a file that it made': [
    'echo x > n',
    (p) => fs.rmSync(`${p}/n`),
    /\/n: the commit left a file of 2 bytes, now there is nothing/,
  ],
  'a name that it deleted': [
    'rm gone',
    (p) => fs.writeFileSync(`${p}/gone`, 'back'),
    /\/gone: the commit left nothing, now there is a file of 4 bytes/,
  ],
  'a directory that it made': [
    'mkdir d',
    (p) => fs.writeFileSync(`${p}/d/new`, ''),
    /\/d: the commit left a new directory, now there is with new in it/,
  ],
  'a file that it moved': [
    'mv a c',
    (p) => fs.appendFileSync(`${p}/c`, 'more'),
    /\/c: the commit left what was renamed, now there is a file of 6 bytes/,
  ],
  'attributes that it set': [
    'chmod 600 a',
    (p) => fs.chmodSync(`${p}/a`, 0o640),
    /\/a: the commit left other attributes/,
  ],
  'the content of a file whose attributes it set': [
    'chmod 600 a',
    (p) => fs.appendFileSync(`${p}/a`, 'more'),
    /\/a: the commit left other attributes, now there is a file of 6 bytes/,
  ],
  'a file, by another name than the one that went with its directory': [
    'echo x >> tree/in/linked3; rm -r tree',
    (p) => fs.appendFileSync(`${p}/linked2`, 'more'),
    /linked3: the commit left rewritten content, now there is a file of 8 bytes/,
  ],
};

for (const [title, [script, interfere, expected]] of Object.entries(CHANGES)) {
  test(`undo changes nothing when somebody else has changed ${title}`, async (t) => {
    const s = await session(t, { seed: seedDeep });
    await s.sh(script);
    await s.commit();
    interfere(s.project);
    const before = plain(s, { ino: true });
    const { code, stderr } = await s.cli(['undo']);
    assert.equal(code, 1);
    assert.match(stderr, expected);
    assertSameTree(plain(s, { ino: true }), before, 'the real files');
    assert.deepEqual(await s.changeLines(), []);
  });
}

test('undo leaves a working directory and an open file of the view as they are', async (t) => {
  const s = await prepared(t);
  const script = `mv subdir moved; cd moved; echo staged >> deep.txt; exec 3< deep.txt; touch ../ready
    while [ ! -e ../go ]; do sleep 0.05; done; pwd; cat <&3; cat deep.txt; echo more >> deep.txt`;
  const run = s.cli(['run', '--no-snapshot', '--quiet', '--', 'sh', '-c', script]);
  while (!(await s.cli(['run', '--quiet', '--', 'test', '-e', 'ready'])).code.toString().startsWith('0'))
    await new Promise((r) => setTimeout(r, 50));
  await s.commit();
  await s.succeed(['undo']);
  await s.sh('touch go');
  const { stdout } = await run;
  assert.equal(stdout, `${s.project}/moved\ndeep\nstaged\ndeep\nstaged\n`);
  assert.equal((await s.sh('cat moved/deep.txt')).toString().includes('more'), true);
});
