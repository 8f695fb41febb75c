/** Commits of what is not names and bytes: modes, owners, times, extended attributes, links, holes. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import * as libc from '../../../src/sys/libc.ts';
import { isRoot } from '../../support/accounts.ts';
import { NativeTwin, type Operations } from '../projects/native-twin.ts';
import { StagedProject, withProject } from '../projects/staged-project.ts';
import { commit, commitAndCompare, FILES, runCase } from './cases.ts';

const TIME = { sec: 1_000_000_000, nsec: 123_456_789 };

const CASES: Readonly<Record<string, (p: Operations) => unknown>> = {
  'the mode of a new file': (p) => p.write('s', '#!').chmod('s', 0o755).write('t', '').chmod('t', 0o600),
  'a mode changed after a copy-up': (p) => p.append('hello.txt', 'x').chmod('hello.txt', 0o755),
  'a mode alone': (p) => p.chmod('hello.txt', 0o600).chmod('subdir', 0o700),
  'a new directory with a mode': (p) => p.mkdir('d', 0o700).write('d/f', 'x').mkdir('e').chmod('e', 0o700),
  'a new directory without write permission': (p) => p.mkdir('d').write('d/f', 'x').chmod('d', 0o555),
  'a mode of a moved directory': (p) => p.mv('subdir', 'r').chmod('r', 0o750).chmod('r/in', 0o711),
  'times alone': (p) => p.utimes('hello.txt', TIME).utimes('subdir', TIME).utimes('subdir/in', TIME),
  'times of a moved and changed file': (p) => p.mv('hello.txt', 'b').append('b', 'x').utimes('b', TIME),
  'times before 1970': (p) => p.write('old', 'x').utimes('old', { sec: -5, nsec: 1 }),
  'times of a directory set before it was changed': (p) => p.utimes('subdir', TIME).write('subdir/n', ''),
  'extended attributes': (p) =>
    p
      .setxattr('hello.txt', 'user.a', '1')
      .write('n', 'x')
      .setxattr('n', 'user.b', '2')
      .setxattr('subdir', 'user.c', '3'),
  'extended attributes of a copy-up': (p) => p.setxattr('multi.txt', 'user.a', '1').append('multi.txt', 'x'),
  'two names of a new file': (p) => p.write('a', 'x').link('a', 'b').append('b', 'y'),
  'three names of a new file, in directories': (p) => p.mkdir('d').write('d/a', 'x').link('d/a', 'b').link('b', 'd/c'),
  'a new name of a base file': (p) => p.link('hello.txt', 'subdir/again'),
  'a new name of a base file, and new content': (p) => p.link('hello.txt', 'again').append('again', 'x'),
  'a new name in the place of another file': (p) => p.rm('multi.txt').link('hello.txt', 'multi.txt'),
  'new names without the old one': (p) => p.link('hello.txt', 'a').link('hello.txt', 'b').rm('hello.txt'),
  'a new name in a moved directory': (p) => p.mv('subdir', 'r').link('r/deep.txt', 'r/in/again').rm('r/deep.txt'),
  'two names of a symlink': (p) => p.symlink('x', 'l').link('l', 'm'),
  'a name deleted and a name made': (p) => p.link('hello.txt', 'again').rm('hello.txt').write('hello.txt', 'other'),
};

for (const [title, act] of Object.entries(CASES)) {
  test(`commit applies ${title}`, () => runCase(FILES, act));
}

const OWNERS: Readonly<Record<string, (p: Operations) => unknown>> = {
  'set-id bits with an owner': (p) => p.write('s', 'x').chown('s', 1001, 1001).chmod('s', 0o6755),
  'owners of files, directories and symlinks': (p) =>
    p.chown('hello.txt', 1001, 1001).mkdir('d').chown('d', 1001, 0).symlink('x', 'l').chown('l', 1001, 1001),
};

for (const [title, act] of Object.entries(OWNERS)) {
  test(`commit applies ${title}`, { skip: !isRoot && 'only root gives files away' }, () => runCase(FILES, act));
}

/** A base in which `a/one` and `b/two` are names of one file. */
async function withLinked(act: (p: Operations) => unknown): Promise<void> {
  const p = new StagedProject();
  try {
    p.base({ 'a/one': 'linked\n', 'a/other': 'x', 'b/x': 'y' });
    p.native((dir) => fs.linkSync(`${dir}/a/one`, `${dir}/b/two`));
    p.native((dir) => fs.chmodSync(`${dir}/a/one`, 0o640));
    const twin = new NativeTwin(p.view.dir);
    act(twin);
    act(p as unknown as Operations);
    await commitAndCompare(p, twin);
  } finally {
    p.close();
  }
}

const LINKED: Readonly<Record<string, (p: Operations) => unknown>> = {
  'new content under every name': (p) => p.append('a/one', 'more'),
  'new content, then one name moved': (p) => p.append('a/one', 'more').mv('a/one', 'moved'),
  'new content, then the written name deleted': (p) => p.append('a/one', 'more').rm('a/one'),
  'attributes, then the name deleted': (p) => p.chmod('a/one', 0o600).rm('a/one'),
  'new content, then its directory deleted': (p) => p.append('a/one', 'more').rmTree('a'),
  'one name replaced by another file': (p) => p.write('t', 'new').mv('t', 'a/one'),
  'one name moved over the other file': (p) => p.mv('a/one', 'b/x'),
  'a third name and no first': (p) => p.link('b/two', 'three').rm('b/two'),
  'both names deleted': (p) => p.rm('a/one').rm('b/two'),
  'both names moved': (p) => p.mv('a/one', 'x').mv('b/two', 'y').append('x', 'z'),
  'a mode under every name': (p) => p.chmod('b/two', 0o600),
};

for (const [title, act] of Object.entries(LINKED)) {
  test(`commit applies to a base file with two names: ${title}`, () => withLinked(act));
}

for (const mode of [0o444, 0o755, 0o600]) {
  test(`commit keeps mode ${mode.toString(8)} of a base file that was written to`, async () => {
    const p = new StagedProject();
    try {
      p.base({ f: 'x', 'kept/g': 'y' });
      p.native((dir) => fs.chmodSync(`${dir}/f`, mode));
      p.native((dir) => fs.chmodSync(`${dir}/kept`, 0o750));
      p.append('f', 'more').write('kept/new', '');
      await commit(p);
      const modes = p.native((dir) =>
        ['f', 'kept', 'kept/new'].map((name) => fs.statSync(`${dir}/${name}`).mode & 0o7777),
      );
      assert.deepEqual(modes, [mode, 0o750, 0o644]);
    } finally {
      p.close();
    }
  });
}

test('commit keeps the inode number of what it only renames, and of files with several names', async () => {
  const p = new StagedProject();
  try {
    p.base({ f: 'x', 'd/g': 'y', h: 'z' });
    p.native((dir) => fs.linkSync(`${dir}/h`, `${dir}/h2`));
    const ino = (name: string): number => p.native((dir) => fs.statSync(`${dir}/${name}`).ino);
    const before = [ino('f'), ino('d'), ino('d/g'), ino('h')];
    p.mv('f', 'f2').mv('d', 'e').append('h', 'more');
    await commit(p);
    assert.deepEqual([ino('f2'), ino('e'), ino('e/g'), ino('h2')], before);
    assert.equal(
      p.native((dir) => fs.readFileSync(`${dir}/h2`, 'utf8')),
      'zmore',
    );
  } finally {
    p.close();
  }
});

test('commit keeps extended attributes of a file whose content was replaced', async () => {
  const p = new StagedProject();
  try {
    p.base({ f: 'x' });
    const twin = new NativeTwin(p.view.dir);
    for (const dir of [p.view.dir, twin.dir]) setUserXattr(`${dir}/f`);
    p.append('f', 'more');
    twin.append('f', 'more');
    await commitAndCompare(p, twin);
  } finally {
    p.close();
  }
});

test('commit sets and removes extended attributes of what its owner may not write to', async () => {
  const p = new StagedProject();
  try {
    p.base({ f: 'x', 'd/g': 'y' });
    const twin = new NativeTwin(p.view.dir);
    for (const dir of [p.view.dir, twin.dir]) setUserXattr(`${dir}/d/g`);
    twin.setxattr('f', 'user.a', '1').setxattr('d', 'user.a', '1').setxattr('d/g', 'user.a', '1');
    for (const dir of [p.view.dir, twin.dir]) {
      for (const name of ['f', 'd/g', 'd']) fs.chmodSync(`${dir}/${name}`, 0o555);
    }
    p.setxattr('f', 'user.a', '1').setxattr('d', 'user.a', '1').setxattr('d/g', 'user.a', '1');
    await commitAndCompare(p, twin);
  } finally {
    for (const name of ['d', 'f']) fs.chmodSync(`${p.view.dir}/${name}`, 0o755);
    p.close();
  }
});

function setUserXattr(path: string): void {
  assert.equal(libc.setxattrAt(libc.AT_FDCWD, path, 'user.kept', Buffer.from('yes')), 0);
}

test('commit keeps holes', async () => {
  const p = new StagedProject();
  try {
    p.base({ f: 'x', g: 'x' });
    p.native((dir) => fs.linkSync(`${dir}/g`, `${dir}/g2`));
    for (const name of ['f', 'g']) {
      assert.equal(p.driver.truncate(p.at(name), 64 << 20), 0);
      assert.equal(p.driver.write(p.at(name), 32 << 20, 'middle'), 0);
    }
    await commit(p);
    for (const name of ['f', 'g2']) {
      const stat = p.native((dir) => fs.statSync(`${dir}/${name}`));
      assert.equal(stat.size, 64 << 20);
      assert.ok(stat.blocks * 512 < 1 << 20, `${stat.blocks} blocks`);
    }
  } finally {
    p.close();
  }
});

test('commit leaves the store empty', () =>
  withProject({ f: 'x', g: 'y' }, async (p) => {
    p.append('f', 'z').write('n', 'x').mv('g', 'h').append('h', 'z');
    await commit(p);
    const store = p.view.dir.replace(/base$/, 'store');
    const left = fs.readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(left, []);
  }));
