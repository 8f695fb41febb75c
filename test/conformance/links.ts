/** Hard links and symbolic links. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { AT, facts, names, type Operation, ok, text, withFd } from './operation.ts';

export const links: Operation[] = [
  {
    title: 'link() gives a file a second name with one inode',
    run(t, dir) {
      for (const [from, to] of [
        ['file', 'sub/alias'],
        ['fresh', 'alias2'],
      ] as const) {
        if (from === 'fresh') fs.writeFileSync(join(dir, from), 'new file\n');
        fs.linkSync(join(dir, from), join(dir, to));
        t.see(`${from} inode`, sameInode(join(dir, from), join(dir, to)));
        t.see(`${from} facts`, [facts(join(dir, from)), facts(join(dir, to))]);
        fs.appendFileSync(join(dir, to), 'through the alias\n');
        t.see(`${from} content`, text(join(dir, from)));
        fs.writeFileSync(join(dir, from), 'through the first name\n');
        t.see(`${to} content`, text(join(dir, to)));
        fs.unlinkSync(join(dir, from));
        t.see(`${to} is left`, [facts(join(dir, to)), text(join(dir, to))]);
      }
      t.tries('over an existing name', () => fs.linkSync(join(dir, 'multi'), join(dir, 'empty')));
      t.tries('of a directory', () => fs.linkSync(join(dir, 'sub'), join(dir, 'sub2')));
      t.tries('of a missing file', () => fs.linkSync(join(dir, 'missing'), join(dir, 'x')));
      t.tries('of a symlink itself', () => ok(libc.linkAt(AT, join(dir, 'link'), AT, join(dir, 'link2'))));
      t.see('symlink', [fs.readlinkSync(join(dir, 'link2')), fs.lstatSync(join(dir, 'link')).nlink]);
    },
  },
  {
    title: 'write() through one of two base names shows through the other',
    run(t, dir) {
      t.see('before', [sameInode(join(dir, 'one'), join(dir, 'two')), facts(join(dir, 'one'))]);
      fs.appendFileSync(join(dir, 'one'), 'added through one\n');
      t.see('two', text(join(dir, 'two')));
      fs.chmodSync(join(dir, 'two'), 0o600);
      t.see('mode of one', facts(join(dir, 'one')));
      fs.renameSync(join(dir, 'two'), join(dir, 'sub/three'));
      fs.writeFileSync(join(dir, 'sub/three'), 'rewritten through three\n');
      t.see('one', [text(join(dir, 'one')), sameInode(join(dir, 'one'), join(dir, 'sub/three'))]);
      fs.linkSync(join(dir, 'one'), join(dir, 'four'));
      t.see('three names', facts(join(dir, 'four')));
      fs.unlinkSync(join(dir, 'one'));
      t.see('two names', [facts(join(dir, 'four')), facts(join(dir, 'sub/three'))]);
    },
  },
  {
    title: 'rename() replaces one of two names and leaves the other alone',
    run(t, dir) {
      t.tries('onto its own other name does nothing', () => fs.renameSync(join(dir, 'one'), join(dir, 'two')));
      t.see('both are there', [names(dir).filter((n) => n === 'one' || n === 'two'), facts(join(dir, 'one'))]);
      fs.writeFileSync(join(dir, 'new'), 'replacement\n');
      fs.renameSync(join(dir, 'new'), join(dir, 'one'));
      t.see('one', [text(join(dir, 'one')), facts(join(dir, 'one'))]);
      t.see('two', [text(join(dir, 'two')), facts(join(dir, 'two'))]);
      fs.writeFileSync(join(dir, 'two'), 'now alone\n');
      t.see('separate', text(join(dir, 'one')));
    },
  },
  {
    title: 'unlink() of one base name lowers nlink, open descriptors keep the file',
    run(t, dir) {
      withFd(join(dir, 'two'), libc.O_RDWR, (fd) => {
        fs.unlinkSync(join(dir, 'one'));
        t.see('one left', fs.fstatSync(fd).nlink);
        fs.unlinkSync(join(dir, 'two'));
        t.see('none left', fs.fstatSync(fd).nlink);
        fs.writeSync(fd, 'TWO', 0);
        const into = Buffer.alloc(9);
        fs.readSync(fd, into, 0, 9, 0);
        t.see('content', into);
      });
      t.see('names', names(dir));
    },
  },
  {
    title: 'symlink() makes links that are followed, dangle and are replaced',
    run(t, dir) {
      fs.symlinkSync('file', join(dir, 'new-link'));
      t.see('through it', text(join(dir, 'new-link')));
      fs.writeFileSync(join(dir, 'link'), 'written through a base link\n');
      t.see('target', [text(join(dir, 'file')), facts(join(dir, 'link'))]);
      t.see('dangling', [facts(join(dir, 'dangling')), fs.readlinkSync(join(dir, 'dangling'))]);
      t.tries('read dangling', () => text(join(dir, 'dangling')));
      fs.symlinkSync('../multi', join(dir, 'sub/up'));
      fs.symlinkSync(join(dir, 'multi'), join(dir, 'absolute'));
      t.see('relative and absolute', [text(join(dir, 'sub/up')), text(join(dir, 'absolute'))]);
      fs.unlinkSync(join(dir, 'absolute'));
      t.see('into a directory', names(join(dir, 'dirlink')));
      fs.writeFileSync(join(dir, 'dirlink/through'), 'x');
      t.see('lands in the directory', names(join(dir, 'sub')));
      fs.renameSync(join(dir, 'link'), join(dir, 'sub/link'));
      t.see('renamed', fs.readlinkSync(join(dir, 'sub/link')));
      fs.unlinkSync(join(dir, 'dangling'));
      fs.symlinkSync('multi', join(dir, 'dangling'));
      t.see('replaced', text(join(dir, 'dangling')));
      t.tries('exists', () => fs.symlinkSync('x', join(dir, 'file')));
      t.tries('empty target', () => fs.symlinkSync('', join(dir, 'x')));
      t.tries('readlink of a file', () => fs.readlinkSync(join(dir, 'file')));
    },
  },
  {
    title: 'symlink() keeps any target, as bytes, up to 4095 of them',
    run(t, dir) {
      for (const target of ['a'.repeat(4095), '\xff\xfe/\n', '//', 'x/../y', '/']) {
        const path = join(dir, `to-${target.length}`);
        fs.symlinkSync(Buffer.from(target, 'latin1'), path);
        t.see(`${target.length} bytes`, fs.readlinkSync(path, { encoding: 'buffer' }).toString('latin1') === target);
        t.see('size', fs.lstatSync(path).size);
      }
      t.tries('4096 bytes', () => fs.symlinkSync('a'.repeat(4096), join(dir, 'long')));
    },
  },
];

function sameInode(a: string, b: string): boolean {
  const [x, y] = [fs.statSync(a), fs.statSync(b)];
  return x.ino === y.ino && x.dev === y.dev;
}
