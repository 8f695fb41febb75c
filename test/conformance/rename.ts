/** Renames: of files, directories and links, one after the other, over each other and through each other. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { AT, codeOf, facts, names, type Operation, ok, text } from './operation.ts';

export const rename: Operation[] = [
  {
    title: 'rename() of a base file keeps its content, its mode and its inode',
    run(t, dir) {
      const mv = mover(dir);
      const ino = fs.statSync(join(dir, 'file')).ino;
      mv('file', 'moved');
      t.see('content', text(join(dir, 'moved')));
      t.see('inode', fs.statSync(join(dir, 'moved')).ino === ino);
      t.tries('old name', () => fs.statSync(join(dir, 'file')));
      fs.appendFileSync(join(dir, 'moved'), 'and more\n');
      t.see('after a write', [text(join(dir, 'moved')), fs.statSync(join(dir, 'moved')).ino === ino]);
      mv('sub/deep', 'sub/deeper');
      mv('exec.sh', 'sub/exec.sh');
      t.see('mode', facts(join(dir, 'sub/exec.sh')));
      t.see('names', [names(dir), names(join(dir, 'sub'))]);
    },
  },
  {
    title: 'rename() and creating the old name again leaves two files',
    run(t, dir) {
      const mv = mover(dir);
      mv('file', 'old');
      fs.writeFileSync(join(dir, 'file'), 'new\n');
      t.see('both', [text(join(dir, 'old')), text(join(dir, 'file'))]);
      mv('multi', 'file');
      t.see('over the new one', text(join(dir, 'file')));
      fs.unlinkSync(join(dir, 'old'));
      t.tries('deleted after a rename', () => mv('old', 'x'));
      t.tries('missing', () => mv('missing', 'x'));
    },
  },
  {
    title: 'rename() there and back, in chains and in circles ends where it should',
    run(t, dir) {
      const mv = mover(dir);
      mv('file', 'b');
      mv('b', 'file');
      t.see('there and back', text(join(dir, 'file')));
      mv('file', 'b');
      mv('b', 'c');
      mv('c', 'file');
      t.see('around', [text(join(dir, 'file')), names(dir)]);
      mv('file', 'b');
      mv('b', 'c');
      t.see('chain', [text(join(dir, 'c')), codeOf(() => fs.statSync(join(dir, 'b')))]);
      mv('c', 'file');
      mv('file', 'tmp');
      mv('multi', 'file');
      mv('tmp', 'multi');
      t.see('swapped', [text(join(dir, 'file')), text(join(dir, 'multi'))]);
      mv('file', 'tmp');
      mv('exec.sh', 'file');
      mv('multi', 'exec.sh');
      mv('tmp', 'multi');
      t.see(
        'rotated',
        ['file', 'multi', 'exec.sh'].map((name) => text(join(dir, name))),
      );
    },
  },
  {
    title: 'rename() over another file replaces it, base or staged',
    run(t, dir) {
      const mv = mover(dir);
      mv('file', 'multi');
      t.see('base over base', text(join(dir, 'multi')));
      fs.writeFileSync(join(dir, 'new'), 'staged\n');
      mv('new', 'multi');
      t.see('staged over base', text(join(dir, 'multi')));
      fs.writeFileSync(join(dir, 'new'), 'staged again\n');
      mv('big', 'new');
      t.see('base over staged', facts(join(dir, 'new')));
      fs.unlinkSync(join(dir, 'new'));
      t.see('gone', names(dir));
      mv('link', 'exec.sh');
      t.see('symlink over file', fs.readlinkSync(join(dir, 'exec.sh')));
    },
  },
  {
    title: 'rename() of a directory carries all below it, changed or not',
    run(t, dir) {
      const mv = mover(dir);
      fs.writeFileSync(join(dir, 'full/f01'), 'changed before');
      fs.unlinkSync(join(dir, 'full/f02'));
      fs.writeFileSync(join(dir, 'full/new'), 'new before');
      mv('full', 'other');
      fs.writeFileSync(join(dir, 'other/f03'), 'changed after');
      fs.unlinkSync(join(dir, 'other/f04'));
      mv('other/f05', 'f05');
      mv('other/f06', 'other/f60');
      fs.writeFileSync(join(dir, 'other/f06'), 'in its place');
      t.see('names', names(join(dir, 'other')));
      t.see(
        'content',
        ['f00', 'f01', 'f03', 'f06', 'f60', 'new'].map((name) => text(join(dir, 'other', name))),
      );
      t.tries('old path', () => fs.statSync(join(dir, 'full')));
      fs.mkdirSync(join(dir, 'full'));
      fs.writeFileSync(join(dir, 'full/f07'), 'a new directory');
      t.see('made again', names(join(dir, 'full')));
      mv('nest/a', 'other/a');
      mv('other', 'sub/other');
      t.see('deep', text(join(dir, 'sub/other/a/b/c/leaf')));
      mv('sub/other/a/b', 'b');
      t.see('taken out', [text(join(dir, 'b/c/leaf')), names(join(dir, 'sub/other/a'))]);
    },
  },
  {
    title: 'rename() over directories and into itself follows POSIX',
    run(t, dir) {
      const mv = mover(dir);
      const tries = (from: string, to: string): void => t.tries(`${from} -> ${to}`, () => mv(from, to));
      tries('sub', 'full');
      tries('sub', 'file');
      tries('file', 'sub');
      tries('sub', 'sub/inside');
      tries('nest', 'nest/a/b');
      tries('nest/a/b', 'nest');
      tries('sub', 'empty-dir');
      tries('empty-dir/deep', 'empty-dir/deep');
      fs.mkdirSync(join(dir, 'made'));
      tries('made', 'full');
      tries('full', 'made');
      tries('file', 'no/such');
      tries('file', 'multi/x');
      tries('file/', 'x');
      tries('dirlink', 'moved-link');
      t.see('names', [names(dir), names(join(dir, 'made')), names(join(dir, 'empty-dir'))]);
    },
  },
  {
    title: 'rename() swaps and crosses directories, and their children with them',
    run(t, dir) {
      const mv = mover(dir);
      mv('sub', 'tmp');
      mv('full', 'sub');
      mv('tmp', 'full');
      t.see('swapped', [names(join(dir, 'sub')), names(join(dir, 'full'))]);
      mv('sub/f00', 'full/f00');
      mv('full/deep', 'sub/deep');
      fs.writeFileSync(join(dir, 'sub/f01'), 'written after the swap');
      t.see('crossed', [text(join(dir, 'full/f00')), text(join(dir, 'sub/deep')), text(join(dir, 'sub/f01'))]);
      mv('full', 'nest/a/full');
      mv('nest/a', 'a');
      mv('a/full/f00', 'f00');
      mv('a', 'nest/a');
      t.see('round trip', [text(join(dir, 'f00')), names(join(dir, 'nest/a')), text(join(dir, 'nest/a/b/c/leaf'))]);
    },
  },
  {
    title: 'renameat2(NOREPLACE) refuses an existing target',
    run(t, dir) {
      const move = (from: string, to: string): string =>
        codeOf(() => rename2(dir, { from, to, flags: libc.RENAME_NOREPLACE }));
      t.see('base target', move('file', 'multi'));
      t.see('free target', move('file', 'free'));
      t.see('staged target', move('multi', 'free'));
      t.see('itself', move('free', 'free'));
      fs.unlinkSync(join(dir, 'empty'));
      t.see('deleted target', move('free', 'empty'));
      t.see('directory', move('sub', 'sub2'));
      t.see('names', names(dir));
    },
  },
  {
    title: 'renameat2(EXCHANGE) swaps files, directories and one with the other',
    run(t, dir) {
      const swap = (from: string, to: string): string =>
        codeOf(() => rename2(dir, { from, to, flags: libc.RENAME_EXCHANGE }));
      t.see('files', swap('file', 'multi'));
      t.see('content', [text(join(dir, 'file')), text(join(dir, 'multi'))]);
      t.see('directories', swap('sub', 'full'));
      t.see('file and directory', swap('file', 'sub'));
      t.see('listing', [names(join(dir, 'full')), names(join(dir, 'file')), text(join(dir, 'sub'))]);
      t.see('missing', swap('exec.sh', 'missing'));
      t.see('ancestor', swap('nest', 'nest/a'));
      t.see('with a symlink', swap('link', 'empty'));
      t.see('symlink', fs.readlinkSync(join(dir, 'empty')));
      t.see(
        'both flags',
        codeOf(() => rename2(dir, { from: 'exec.sh', to: 'big', flags: 3 })),
      );
      fs.writeFileSync(join(dir, 'exec.sh'), 'written after\n');
      t.see('with a staged file', [swap('exec.sh', 'big'), text(join(dir, 'big'))]);
    },
  },
];

function mover(dir: string): (from: string, to: string) => void {
  return (from, to) => fs.renameSync(join(dir, from), join(dir, to));
}

function rename2(dir: string, move: { from: string; to: string; flags: number }): number {
  return ok(libc.renameAt2(AT, join(dir, move.from), AT, join(dir, move.to), move.flags));
}
