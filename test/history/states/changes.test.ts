/** What `status` lists, case by case. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { type StagedProject, withProject } from '../projects/staged-project.ts';

const FILES = {
  'hello.txt': 'base content\n',
  'multi.txt': 'line1\nline2\n',
  'sub/deep.txt': 'nested\n',
  'sub/in/leaf.txt': 'leaf\n',
  'sub-file': 'x',
  'other/': '',
};

interface Case {
  readonly title: string;
  readonly act: (p: StagedProject) => void;
  readonly lines: readonly string[];
}

const CASES: readonly Case[] = [
  { title: 'yields nothing for an untouched view', act: () => {}, lines: [] },
  { title: 'lists a new file', act: (p) => p.write('new', 'x'), lines: ['added file new'] },
  { title: 'lists a rewritten file', act: (p) => p.write('hello.txt', 'y'), lines: ['modified file hello.txt'] },
  { title: 'lists an appended file', act: (p) => p.append('sub/deep.txt', 'y'), lines: ['modified file sub/deep.txt'] },
  { title: 'says nothing of a byte-identical rewrite', act: (p) => p.write('hello.txt', 'base content\n'), lines: [] },
  {
    title: 'tells equal size from equal content',
    act: (p) => p.write('hello.txt', 'base CONTENT\n'),
    lines: ['modified file hello.txt'],
  },
  {
    title: 'says nothing of a byte-identical atomic replacement',
    act: (p) => p.write('tmp', 'base content\n').mv('tmp', 'hello.txt'),
    lines: [],
  },
  {
    title: 'lists an atomic replacement with other content as modified',
    act: (p) => p.write('tmp', 'other').mv('tmp', 'hello.txt'),
    lines: ['modified file hello.txt'],
  },
  {
    title: 'lists an atomic replacement with another mode as metadata',
    act: (p) => p.write('tmp', 'base content\n').chmod('tmp', 0o755).mv('tmp', 'hello.txt'),
    lines: ['metadata file hello.txt'],
  },
  {
    title: 'lists what was changed as changed, also where somebody has taken it away outside',
    act: (p) => p.append('sub/deep.txt', 'y').native((dir) => fs.rmSync(`${dir}/sub/deep.txt`)),
    lines: ['modified file sub/deep.txt'],
  },
  { title: 'nets creating and deleting to nothing', act: (p) => p.write('new', 'x').rm('new'), lines: [] },
  { title: 'lists a deleted file', act: (p) => p.rm('hello.txt'), lines: ['deleted file hello.txt'] },
  {
    title: 'lists a deleted directory and everything below it, in byte order of the paths',
    act: (p) => p.rmTree('sub').rm('sub-file'),
    lines: [
      'deleted directory sub',
      'deleted file sub-file',
      'deleted file sub/deep.txt',
      'deleted directory sub/in',
      'deleted file sub/in/leaf.txt',
    ],
  },
  {
    title: 'lists a new directory and everything below it',
    act: (p) => p.mkdir('n').mkdir('n/m').write('n/m/f', '').symlink('f', 'n/m/l').mkfifo('n/pipe'),
    lines: [
      'added directory n',
      'added directory n/m',
      'added file n/m/f',
      'added symlink n/m/l',
      'added other n/pipe',
    ],
  },
  {
    title: 'lists a renamed file once',
    act: (p) => p.mv('hello.txt', 'moved.txt'),
    lines: ['renamed file moved.txt < hello.txt'],
  },
  {
    title: 'lists a renamed and edited file as renamed',
    act: (p) => p.mv('hello.txt', 'moved.txt').append('moved.txt', 'more'),
    lines: ['renamed file moved.txt < hello.txt'],
  },
  {
    title: 'lists a renamed directory as one entry',
    act: (p) => p.mv('sub', 'dir'),
    lines: ['renamed directory dir < sub'],
  },
  {
    title: 'lists what changed inside a renamed directory',
    act: (p) => p.mv('sub', 'dir').append('dir/deep.txt', 'x').write('dir/new', '').rm('dir/in/leaf.txt'),
    lines: [
      'renamed directory dir < sub',
      'modified file dir/deep.txt',
      'added file dir/new',
      'deleted file sub/in/leaf.txt',
    ],
  },
  {
    title: 'lists a child renamed within a renamed directory',
    act: (p) => p.mv('sub', 'dir').mv('dir/deep.txt', 'dir/d2'),
    lines: ['renamed directory dir < sub', 'renamed file dir/d2 < sub/deep.txt'],
  },
  {
    title: 'lists a child extracted before its parent was renamed',
    act: (p) => p.mv('sub/in', 'inner').mv('sub', 'dir'),
    lines: ['renamed directory dir < sub', 'renamed directory inner < sub/in'],
  },
  {
    title: 'lists an extracted child of a deleted directory as renamed',
    act: (p) => p.mv('sub/in', 'inner').rmTree('sub'),
    lines: ['renamed directory inner < sub/in', 'deleted directory sub', 'deleted file sub/deep.txt'],
  },
  { title: 'collapses a round trip of renames', act: (p) => p.mv('hello.txt', 't').mv('t', 'hello.txt'), lines: [] },
  { title: 'collapses a round trip of a directory', act: (p) => p.mv('sub', 't').mv('t', 'sub'), lines: [] },
  {
    title: 'follows a chain of renames',
    act: (p) => p.mv('hello.txt', 'b').mv('b', 'c'),
    lines: ['renamed file c < hello.txt'],
  },
  {
    title: 'lists a name that was made again after a rename as modified',
    act: (p) => p.mv('hello.txt', 'b').write('hello.txt', 'new'),
    lines: ['renamed file b < hello.txt', 'modified file hello.txt'],
  },
  {
    title: 'lists a swap as two renames',
    act: (p) => p.mv('hello.txt', 't').mv('multi.txt', 'hello.txt').mv('t', 'multi.txt'),
    lines: ['renamed file hello.txt < multi.txt', 'renamed file multi.txt < hello.txt'],
  },
  {
    title: 'lists an exchange of directories as two renames',
    act: (p) => p.exchange('sub', 'other'),
    lines: ['renamed directory other < sub', 'renamed directory sub < other'],
  },
  {
    title: 'lists a rename over another file',
    act: (p) => p.mv('hello.txt', 'multi.txt'),
    lines: ['renamed file multi.txt < hello.txt'],
  },
  {
    title: 'lists a staged file renamed over a base file as modified',
    act: (p) => p.write('n', 'x').mv('n', 'multi.txt'),
    lines: ['modified file multi.txt'],
  },
  {
    title: 'lists a rename and then a delete as deleted',
    act: (p) => p.mv('hello.txt', 'b').rm('b'),
    lines: ['deleted file hello.txt'],
  },
  {
    title: 'lists a file that became a directory, with what is in it',
    act: (p) => p.rm('hello.txt').mkdir('hello.txt').write('hello.txt/f', ''),
    lines: ['modified directory hello.txt', 'added file hello.txt/f'],
  },
  {
    title: 'lists a directory that became a file, with what was in it as deleted',
    act: (p) => p.rmTree('sub').write('sub', 'now a file'),
    lines: [
      'modified file sub',
      'deleted file sub/deep.txt',
      'deleted directory sub/in',
      'deleted file sub/in/leaf.txt',
    ],
  },
  {
    title: 'lists a directory made again without its old children',
    act: (p) => p.rmTree('sub').mkdir('sub').write('sub/deep.txt', 'new'),
    lines: ['modified file sub/deep.txt', 'deleted directory sub/in', 'deleted file sub/in/leaf.txt'],
  },
  {
    title: 'lists what a moved directory took the place of',
    act: (p) => p.rm('sub/deep.txt').rmTree('sub/in').mv('other', 'sub'),
    lines: [
      'renamed directory sub < other',
      'deleted file sub/deep.txt',
      'deleted directory sub/in',
      'deleted file sub/in/leaf.txt',
    ],
  },
  {
    title: 'keeps a file that came home to a new directory of the old name',
    act: (p) => p.mv('sub/deep.txt', 't').mv('sub', 'dir').mkdir('sub').mv('t', 'sub/deep.txt'),
    lines: ['renamed directory dir < sub'],
  },
  { title: 'lists a mode change', act: (p) => p.chmod('hello.txt', 0o600), lines: ['metadata file hello.txt'] },
  { title: 'lists a directory mode change', act: (p) => p.chmod('sub', 0o700), lines: ['metadata directory sub'] },
  {
    title: 'says nothing of a mode that was put back',
    act: (p) => p.chmod('hello.txt', 0o600).chmod('hello.txt', 0o644),
    lines: [],
  },
  { title: 'lists an owner change', act: (p) => p.chown('hello.txt', 7, 8), lines: ['metadata file hello.txt'] },
  {
    title: 'lists a time that was set',
    act: (p) => p.utimes('hello.txt', { sec: 5, nsec: 6 }),
    lines: ['metadata file hello.txt'],
  },
  {
    title: 'lists an extended attribute',
    act: (p) => p.setxattr('hello.txt', 'user.tag', 'v'),
    lines: ['metadata file hello.txt'],
  },
  {
    title: 'lists a new name of a file as added',
    act: (p) => p.link('hello.txt', 'again'),
    lines: ['added file again'],
  },
  {
    title: 'lists every known name of a changed file with several names',
    act: (p) => p.link('hello.txt', 'again').append('again', 'x'),
    lines: ['added file again', 'modified file hello.txt'],
  },
  {
    title: 'lists a file with a new name and without its old one as renamed',
    act: (p) => p.link('hello.txt', 'again').rm('hello.txt'),
    lines: ['renamed file again < hello.txt'],
  },
  {
    title: 'lists one of two new names as renamed and the other as added',
    act: (p) => p.link('hello.txt', 'n1').link('hello.txt', 'n2').rm('hello.txt'),
    lines: ['renamed file n1 < hello.txt', 'added file n2'],
  },
  {
    title: 'lists a further name as added where the first came along in a moved directory',
    act: (p) => p.link('sub/deep.txt', 'sub/again').mv('sub', 'moved'),
    lines: ['renamed directory moved < sub', 'added file moved/again'],
  },
  {
    title: 'lists a changed symlink as modified',
    act: (p) => p.symlink('a', 'tmp').mv('tmp', 'link'),
    lines: ['modified symlink link'],
  },
  {
    title: 'says nothing of a symlink made again with the same target',
    act: (p) => p.symlink('hello.txt', 'tmp').mv('tmp', 'link'),
    lines: [],
  },
  {
    title: 'lists names with any bytes',
    act: (p) => p.write('tab\tname', '').write('é', ''),
    lines: ['added file tab\\x09name', 'added file é'],
  },
];

for (const { title, act, lines } of CASES) {
  test(`netChanges() ${title}`, () =>
    withProject(FILES, (p) => {
      p.native((dir) => fs.symlinkSync('hello.txt', `${dir}/link`));
      act(p);
      assert.deepEqual(p.lines(), lines);
    }));
}

test('netChanges() lists names that the base itself has for a changed file, where anything changed', () =>
  withProject({ 'a/x': 'one', 'b/keep': '', 'c/keep': '' }, (p) => {
    p.native((dir) => ['a/w', 'b/y', 'c/z'].map((name) => fs.linkSync(`${dir}/a/x`, `${dir}/${name}`)));
    p.append('a/x', 'two');
    p.write('b/new', '');
    assert.deepEqual(p.lines(), ['modified file a/w', 'modified file a/x', 'added file b/new', 'modified file b/y']);
    p.rm('a/x');
    assert.deepEqual(p.lines(), ['modified file a/w', 'deleted file a/x', 'added file b/new', 'modified file b/y']);
    p.mv('b', 'd');
    assert.deepEqual(p.lines({ expand: true }), [
      'modified file a/w',
      'deleted file a/x',
      'renamed directory d < b',
      'renamed file d/keep < b/keep',
      'added file d/new',
      'renamed file d/y < b/y',
    ]);
  }));

test('netChanges() expands a renamed directory on request', () =>
  withProject(FILES, (p) => {
    p.mv('sub', 'dir').append('dir/deep.txt', 'x').rm('dir/in/leaf.txt').write('dir/n', '');
    assert.deepEqual(p.lines({ expand: true }), [
      'renamed directory dir < sub',
      'renamed file dir/deep.txt < sub/deep.txt',
      'renamed directory dir/in < sub/in',
      'added file dir/n',
      'deleted file sub/in/leaf.txt',
    ]);
  }));

test('netChanges() does not list what the session itself keeps', () =>
  withProject({ f: '' }, (p) => {
    const store = p.view.dir.replace(/base$/, 'store');
    p.native(() => fs.writeFileSync(`${store}/secret`, ''));
    p.driver.rename(p.at(''), `${p.view.dir}2` as never);
    assert.deepEqual(
      p.changes().map(({ change, path }) => `${change} ${path.replace(/.*\//, '')}`),
      ['renamed base2'],
    );
  }));
