/** Commits that create, delete and rename: every case of the reference system's list, against the native result. */
import test from 'node:test';
import type { Operations } from '../projects/native-twin.ts';
import { FILES, runCase } from './cases.ts';

const CASES: Readonly<Record<string, (p: Operations) => unknown>> = {
  'nothing at all': () => {},
  'a modified file': (p) => p.write('hello.txt', 'changed'),
  'a new file': (p) => p.write('new.txt', 'new'),
  'several changes': (p) => p.write('a', '1').append('multi.txt', 'x').rm('hello.txt').mkdir('d').write('d/e', 'f'),
  'a directory replaced by a file': (p) => p.rmTree('subdir').write('subdir', 'file now'),
  'a file replaced by a directory': (p) => p.rm('hello.txt').mkdir('hello.txt').write('hello.txt/in', 'x'),
  'a renamed file': (p) => p.mv('hello.txt', 'moved.txt'),
  'a renamed directory with children': (p) => p.mv('subdir', 'renamed'),
  'a deleted directory': (p) => p.rmTree('subdir'),
  'a rename over a file': (p) => p.mv('hello.txt', 'multi.txt'),
  'a directory renamed onto a removed one': (p) => p.rmTree('other').mv('subdir', 'other'),
  'a directory renamed over an emptied one': (p) => p.rm('other/x').mv('subdir', 'other'),
  'a symlink': (p) => p.symlink('hello.txt', 'link'),
  'a dangling symlink': (p) => p.symlink('/nowhere/at/all', 'link'),
  'a symlink in place of a file': (p) => p.rm('hello.txt').symlink('multi.txt', 'hello.txt'),
  'a file in place of a symlink made before': (p) => p.symlink('a', 'l').rm('l').write('l', 'file'),
  'a renamed staged file': (p) => p.write('n', 'x').mv('n', 'm'),
  'a base file renamed over a staged one': (p) => p.write('n', 'x').mv('hello.txt', 'n'),
  'a staged file renamed over a base file': (p) => p.write('n', 'x').mv('n', 'hello.txt'),
  'creating and modifying': (p) => p.write('n', 'x').write('n', 'yy').append('n', 'z'),
  'creating and deleting': (p) => p.write('n', 'x').rm('n'),
  'a chain of renames': (p) => p.mv('hello.txt', 'b').mv('b', 'c'),
  'a shift of names': (p) => p.mv('hello.txt', 'moved').mv('multi.txt', 'hello.txt'),
  'a swap of two files': (p) => p.mv('hello.txt', 't').mv('multi.txt', 'hello.txt').mv('t', 'multi.txt'),
  'a swap by exchange': (p) => p.exchange('hello.txt', 'multi.txt'),
  'a swap of two directories': (p) => p.mv('subdir', 't').mv('other', 'subdir').mv('t', 'other'),
  'a rotation of three': (p) =>
    p.mv('hello.txt', 't').mv('third.txt', 'hello.txt').mv('multi.txt', 'third.txt').mv('t', 'multi.txt'),
  'a child extracted, then its parent renamed': (p) => p.mv('subdir/in', 'inner').mv('subdir', 'renamed'),
  'a child extracted to a name before its parent': (p) => p.mv('subdir/in', 'a').mv('subdir', 'b'),
  'a child extracted to a name after its parent': (p) => p.mv('subdir/in', 'z').mv('subdir', 'y'),
  'a directory moved into its former child': (p) => p.mv('subdir/in', 'inner').mv('subdir', 'inner/subdir'),
  'a renamed directory with a new child': (p) => p.mv('subdir', 'r').write('r/new', 'x'),
  'a directory deleted and made again': (p) => p.rmTree('subdir').mkdir('subdir').write('subdir/other', 'content'),
  'a deep new tree': (p) => p.mkdir('a').mkdir('a/b').mkdir('a/b/c').mkdir('a/b/c/d').write('a/b/c/d/e', 'deep'),
  'a rename into a new directory': (p) => p.mkdir('new').mv('hello.txt', 'new/hello.txt'),
  'a directory renamed into a new one': (p) => p.mkdir('new').mv('subdir', 'new/subdir'),
  'independent renames': (p) => p.mv('hello.txt', 'h').mv('multi.txt', 'm').mv('subdir', 's'),
  'a mix': (p) =>
    p
      .write('c', '1')
      .mkdir('d')
      .mv('hello.txt', 'd/h')
      .rm('third.txt')
      .append('multi.txt', 'x')
      .append('multi.txt', 'y')
      .write('n', 'z')
      .mv('n', 'third.txt')
      .write('tmp', '')
      .rm('tmp')
      .mv('subdir/in/leaf.txt', 'subdir/leaf')
      .mv('subdir/leaf', 'leaf')
      .symlink('leaf', 'd/l'),
  'a renamed directory with a staged symlink': (p) => p.symlink('deep.txt', 'subdir/l').mv('subdir', 'r'),
  'a directory removed after its child was moved out': (p) => p.mv('subdir/in', 'in').rmTree('subdir'),
  'a rename through a moved directory': (p) => p.mv('subdir', 'other2').mv('other2/deep.txt', 'out'),
  'a rename into a moved directory': (p) => p.mv('subdir', 'r').mv('hello.txt', 'r/h'),
  'several renames into a moved directory': (p) => p.mv('subdir', 'r').mv('hello.txt', 'r/h').mv('multi.txt', 'r/in/m'),
  'a rename within a moved directory': (p) => p.mv('subdir', 'r').mv('r/deep.txt', 'r/d'),
  'a change in a moved directory': (p) => p.mv('subdir', 'r').append('r/deep.txt', 'x').write('r/in/leaf.txt', 'y'),
  'a child deleted and one created in a moved directory': (p) =>
    p.mv('subdir', 'r').rm('r/deep.txt').write('r/new', 'x'),
  'a child deleted and made again in a moved directory': (p) =>
    p.mv('subdir', 'r').rm('r/deep.txt').write('r/deep.txt', 'x'),
  'renames across directories': (p) => p.mv('subdir/deep.txt', 'other/d').mv('other/x', 'subdir/x'),
  'a chain of directory renames with an extraction': (p) =>
    p.mv('subdir', 'a').mv('a', 'b').mv('b/in', 'in').mv('b', 'c'),
  'a round trip of a file': (p) => p.mv('hello.txt', 't').mv('t', 'hello.txt'),
  'a round trip of a directory': (p) => p.mv('subdir', 't').mv('t', 'subdir'),
  'a round trip of a changed directory': (p) => p.mv('subdir', 't').append('t/deep.txt', 'x').mv('t', 'subdir'),
  'a rename and the old name made again': (p) => p.mv('hello.txt', 'b').write('hello.txt', 'new'),
  'a directory rename and the old name made again': (p) =>
    p.mv('subdir', 'b').mkdir('subdir').write('subdir/deep.txt', 'n'),
  'a child home again in a new directory': (p) =>
    p.mv('subdir/deep.txt', 't').mv('subdir', 'b').mkdir('subdir').mv('t', 'subdir/deep.txt'),
  'a renamed and deleted file': (p) => p.mv('hello.txt', 'b').rm('b'),
  'a rename over a file and a delete of both': (p) => p.mv('hello.txt', 'multi.txt').rm('multi.txt'),
  'a renamed and changed file': (p) => p.mv('hello.txt', 'b').append('b', 'x'),
  'a file with its name as a new directory': (p) =>
    p.mv('hello.txt', 't').mkdir('hello.txt').mv('t', 'hello.txt/hello.txt'),
  'a directory emptied and given the place of a file': (p) => p.rm('hello.txt').rm('other/x').mv('other', 'hello.txt'),
  'a fifo': (p) => p.mkfifo('pipe').mkdir('d').mv('pipe', 'd/pipe'),
  'odd names': (p) => p.write('tab\tnew\nline', 'x').mkdir('é').mv('hello.txt', 'é/"q"').write('-rf', ''),
};

for (const [title, act] of Object.entries(CASES)) {
  test(`commit applies ${title}`, () => runCase(FILES, act));
}
