/** What somebody changes on the host where something is staged: shown by `status`; where nothing is, by the view: within-a-second.test.ts. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Session, session } from '../support/session.ts';

interface Marked {
  readonly path: string;
  readonly change: string;
  readonly conflict?: string;
}

async function marks(s: Session): Promise<string[]> {
  const { changes } = JSON.parse(await s.succeed(['status', '--json'])) as { changes: Marked[] };
  return changes.map(({ path, change, conflict }) => `${path.replace(`${s.project}/`, '')} ${change} ${conflict}`);
}

test('status marks at once what was changed outside, with a daemon and without', async (t) => {
  const s = await session(t);
  await s.sh('echo x >> hello.txt; rm multi.txt; mv test.sh run.sh; echo x > new; echo x >> subdir/deep.txt');
  assert.deepEqual(await marks(s), [
    'hello.txt modified undefined',
    'multi.txt deleted undefined',
    'new added undefined',
    'run.sh renamed undefined',
    'subdir/deep.txt modified undefined',
  ]);
  fs.appendFileSync(join(s.project, 'hello.txt'), 'outside\n');
  fs.rmSync(join(s.project, 'multi.txt'));
  fs.symlinkSync('hello.txt', join(s.project, 'multi.txt'));
  fs.appendFileSync(join(s.project, 'test.sh'), 'exit\n');
  fs.writeFileSync(join(s.project, 'new'), '');
  fs.rmSync(join(s.project, 'subdir/deep.txt'));
  const expected = [
    'hello.txt modified modified',
    'multi.txt deleted replaced',
    'new modified appeared',
    'run.sh renamed modified',
    'subdir/deep.txt modified deleted',
  ];
  assert.deepEqual(await marks(s), expected);
  const text = await s.succeed(['status']);
  assert.equal(text.match(/ \(changed outside\)$/gm)?.length, 5, text);
  assert.match(text, /^5 of them changed outside, too: /m);
  await s.stop();
  assert.deepEqual(await marks(s), expected);
});

test('status marks what was changed outside after an undo, and after a travel to before a commit, too', async (t) => {
  const s = await session(t);
  await s.sh('mv subdir moved; mkdir d; echo 1 > d/f');
  await s.commit();
  await s.sh(
    'echo x >> hello.txt; rm multi.txt; mv test.sh run.sh; echo x > new; echo x >> moved/deep.txt; echo 2 > d/f',
  );
  await s.succeed(['commit', '--yes', 'd']);
  for (const name of ['hello.txt', 'multi.txt', 'test.sh', 'new', 'moved/deep.txt'])
    fs.appendFileSync(join(s.project, name), 'outside\n');
  const others = ['multi.txt deleted modified', 'new modified appeared', 'run.sh renamed modified'];
  const expected = ['hello.txt modified modified', 'moved/deep.txt modified modified', ...others];
  assert.deepEqual(await marks(s), expected);
  await s.succeed(['undo']);
  assert.deepEqual(await marks(s), ['d/f modified undefined', ...expected], 'after an undo');
  await s.succeed(['undo']);
  const undone = ['d added undefined', 'd/f added undefined', 'hello.txt modified modified', 'moved renamed undefined'];
  const both = [...undone, 'moved/deep.txt modified modified', ...others];
  assert.deepEqual(await marks(s), both, 'after an undo that moves the directory back');
  await s.stop();
  assert.deepEqual(await marks(s), both, 'without a daemon');
  await s.succeed(['travel', '2']);
  assert.deepEqual(await marks(s), both, 'after a travel');
  assert.match((await s.cli(['commit', '--yes'])).stderr, /^yolofs: commit: 5 conflicts, nothing was written$/m);
});

test('status marks what commit would name, also in a directory that moved and where nothing differs', async (t) => {
  const s = await session(t);
  await s.sh('echo x > subdir/more');
  await s.commit();
  await s.sh('mkdir both; mv subdir moved; rm moved/deep.txt; mv moved/more out');
  for (const name of ['subdir/deep.txt', 'subdir/more']) fs.appendFileSync(join(s.project, name), 'outside\n');
  fs.mkdirSync(join(s.project, 'both'));
  const expected = ['moved renamed undefined', 'out renamed modified', 'subdir/deep.txt deleted modified'];
  assert.deepEqual(await marks(s), expected);
  const { conflicts } = JSON.parse(await s.succeed(['status', '--json'])) as { conflicts: Marked[] };
  assert.deepEqual(conflicts, [{ path: join(s.project, 'both'), conflict: 'appeared' }]);
  const text = await s.succeed(['status']);
  assert.match(
    text,
    /^Nothing left to change \(1\)\n {2}both \(changed outside\)\n\n3 of them changed outside, too: /m,
  );
  assert.match((await s.cli(['commit', '--yes'])).stderr, /^yolofs: commit: 3 conflicts, nothing was written$/m);
});

test('D1: an edit outside of a file with hard links, between a commit and a travel to before it, is a conflict', async (t) => {
  const s = await session(t, {
    seed: (project) => {
      fs.writeFileSync(join(project, 'f'), 'base');
      fs.linkSync(join(project, 'f'), join(project, 'g'));
    },
  });
  await s.sh('printf view > f');
  await s.succeed(['snapshot', 'before']);
  await s.commit();
  fs.writeFileSync(join(s.project, 'f'), 'host');
  await s.succeed(['travel', 'before']);
  const { code, stderr } = await s.cli(['commit', '--yes']);
  assert.deepEqual([code, fs.readFileSync(join(s.project, 'g'), 'utf8')], [1, 'host'], stderr);
  assert.match(stderr, /project\/f: modified here, modified outside/);
});

test('D1: what appears or is replaced outside, between an abort and a travel to before it, is a conflict by each of its names', async (t) => {
  const s = await session(t, {
    seed: (project) => {
      for (const dir of ['replaced', 'second', 'edited', 'removed', 'same', 'ours']) {
        fs.mkdirSync(join(project, dir));
        fs.writeFileSync(join(project, dir, 'f'), 'base');
        fs.linkSync(join(project, dir, 'f'), join(project, dir, 'g'));
      }
      fs.mkdirSync(join(project, 'new'));
    },
  });
  // Of a part: what it leaves by one name is what the file has by the other, too.
  await s.sh('printf 1 > ours/g');
  await s.commit();
  await s.sh(`cat */f >/dev/null; for d in replaced second edited removed same; do printf view > $d/f; done; cat */g >/dev/null
    printf view > new/file; mkdir new/dir; printf view > new/dir/file; ln same/f new/link; ln -s x new/symlink; printf 2 > ours/f`);
  await s.succeed(['snapshot', 'before']);
  await s.succeed(['commit', '--yes', 'ours']);
  await s.sh('printf 3 > ours/g');
  await s.succeed(['commit', '--yes', 'ours']);
  await s.succeed(['abort', '--yes']);
  const path = (name: string): string => join(s.project, name);
  for (const name of ['replaced/f', 'second/g']) {
    fs.writeFileSync(path('made'), 'host');
    fs.renameSync(path('made'), path(name));
  }
  fs.writeFileSync(path('edited/g'), 'host');
  fs.rmSync(path('removed/f'));
  for (const name of ['file', 'dir', 'link', 'symlink']) fs.writeFileSync(path(`new/${name}`), 'host');
  await s.succeed(['travel', 'before']);
  assert.deepEqual(await marks(s), [
    'edited/f modified modified',
    'edited/g modified undefined',
    'new/dir modified appeared',
    'new/dir/file added undefined',
    'new/file modified appeared',
    'new/link modified modified',
    'new/symlink modified appeared',
    'ours/f modified undefined',
    'ours/g modified undefined',
    'removed/f modified deleted',
    'replaced/f modified modified',
    'same/f modified undefined',
    'same/g modified undefined',
    // By its second name it is another file outside, which is not written to.
    'second/f modified undefined',
  ]);
  assert.match((await s.cli(['commit', '--yes'])).stderr, /^yolofs: commit: 7 conflicts, nothing was written$/m);
});

test('D1: what is changed outside of what a commit has made, moved or freed is a conflict after a travel to before it', async (t) => {
  const s = await session(t, {
    seed: (project) => {
      for (const name of ['file', 'gone', 'moved', 'mode', 'target']) fs.writeFileSync(join(project, name), 'base');
      fs.mkdirSync(join(project, 'dir'));
      fs.writeFileSync(join(project, 'dir/file'), 'base');
    },
  });
  await s.sh('printf view > mode; printf view > moved');
  await s.succeed(['snapshot', 'before']);
  await s.succeed(['abort', '--yes']);
  await s.sh(`rm gone; mv file freed; chmod 600 mode; mv dir left; mv moved away; printf view > new; ln target name
    ln -s x link; ln -s x same; mkdir -p made/sub same-dir/sub`);
  await s.commit();
  await s.sh('mv same-dir other; mv made outer');
  await s.commit();
  const path = (name: string): string => join(s.project, name);
  for (const name of ['link', 'name']) fs.rmSync(path(name));
  for (const name of ['gone', 'file', 'dir', 'mode', 'away', 'new', 'outer/sub/new', 'link', 'name'])
    fs.writeFileSync(path(name), 'what the host has');
  await s.succeed(['travel', 'before']);
  assert.deepEqual(await marks(s), [
    'dir renamed appeared',
    'file renamed appeared',
    'gone modified appeared',
    'link deleted replaced',
    'mode modified modified',
    'moved renamed modified',
    'name deleted replaced',
    'new deleted modified',
    'other deleted undefined',
    'other/sub deleted undefined',
    'outer deleted modified',
    'outer/sub deleted undefined',
    'outer/sub/new deleted undefined',
    'same deleted undefined',
  ]);
  assert.match((await s.cli(['commit', '--yes'])).stderr, /^yolofs: commit: 9 conflicts, nothing was written$/m);
});
