/** Reading and writing file content. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { facts, names, type Operation, ok, text, withFd } from './operation.ts';

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = libc;

export const data: Operation[] = [
  {
    title: 'read() returns what the base has, in whole, in part and past the end',
    run(t, dir) {
      t.see('whole', [
        text(join(dir, 'file')),
        text(join(dir, 'multi')),
        text(join(dir, 'sub/deep')),
        text(join(dir, 'empty')),
      ]);
      withFd(join(dir, 'big'), O_RDONLY, (fd) => {
        for (const [length, at] of [
          [10, 0],
          [4096, 4095],
          [100, 199_950],
          [100, 200_000],
          [100, 1e9],
          [0, 5],
        ] as const) {
          const into = Buffer.alloc(length);
          const n = fs.readSync(fd, into, 0, length, at);
          t.see(`${length} at ${at}`, [n, into.subarray(0, n).toString()]);
        }
      });
      t.tries('missing file', () => text(join(dir, 'missing')));
      t.tries('missing below a file', () => text(join(dir, 'file/x')));
      t.tries('a directory', () => text(join(dir, 'sub')));
    },
  },
  {
    title: 'write() over a base file replaces, extends and keeps what is around it',
    run(t, dir) {
      fs.writeFileSync(join(dir, 'file'), 'short\n');
      t.see('shorter', text(join(dir, 'file')));
      fs.writeFileSync(join(dir, 'file'), 'now it is longer than it was before\n');
      t.see('longer', text(join(dir, 'file')));
      withFd(join(dir, 'big'), O_RDWR, (fd) => fs.writeSync(fd, 'PATCH', 100_001));
      t.see('around a patch', fs.readFileSync(join(dir, 'big')).subarray(99_990, 100_020));
      t.see('size', facts(join(dir, 'big')));
      withFd(join(dir, 'multi'), O_RDWR, (fd) => {
        fs.writeSync(fd, 'far', 10_000);
        const hole = Buffer.alloc(4);
        fs.readSync(fd, hole, 0, 4, 5000);
        t.see('hole', hole);
      });
      t.see('gap', facts(join(dir, 'multi')));
      for (const [i, piece] of ['a', 'bb', 'ccc'].entries())
        fs.writeFileSync(join(dir, 'sub/deep'), piece.repeat(i + 1));
      t.see('last of several', text(join(dir, 'sub/deep')));
    },
  },
  {
    title: 'write() through O_APPEND adds at the end, whoever else writes',
    run(t, dir) {
      withFd(join(dir, 'file'), O_WRONLY | O_APPEND, (a) =>
        withFd(join(dir, 'file'), O_WRONLY | O_APPEND, (b) => {
          for (const i of [1, 2, 3]) {
            fs.writeSync(a, `a${i}\n`);
            fs.writeSync(b, `b${i}\n`);
          }
        }),
      );
      t.see('interleaved', text(join(dir, 'file')));
      for (let i = 0; i < 20; i++) fs.appendFileSync(join(dir, 'log'), `line ${i}\n`);
      t.see('opened each time', text(join(dir, 'log')));
      withFd(join(dir, 'log'), O_WRONLY | O_APPEND, (fd) => fs.ftruncateSync(fd, 7));
      fs.appendFileSync(join(dir, 'log'), 'after\n');
      t.see('after a truncation', text(join(dir, 'log')));
    },
  },
  {
    title: 'truncate() cuts and extends base files, new files and open files',
    run(t, dir) {
      fs.truncateSync(join(dir, 'file'), 4);
      t.see('cut', text(join(dir, 'file')));
      fs.truncateSync(join(dir, 'file'), 9);
      t.see('extended with zeros', text(join(dir, 'file')));
      fs.truncateSync(join(dir, 'big'), 4096 + 1);
      fs.truncateSync(join(dir, 'big'), 8192 + 1);
      t.see('page tail', fs.readFileSync(join(dir, 'big')).subarray(4090, 4110));
      withFd(join(dir, 'multi'), O_RDWR | O_TRUNC, (fd) => {
        t.see('O_TRUNC', fs.fstatSync(fd).size);
        fs.writeSync(fd, 'fresh');
      });
      t.see('after O_TRUNC', text(join(dir, 'multi')));
      withFd(join(dir, 'new'), O_RDWR | O_CREAT, (fd) => {
        fs.writeSync(fd, '0123456789');
        fs.ftruncateSync(fd, 3);
        fs.writeSync(fd, 'X', 5);
      });
      t.see('new file', text(join(dir, 'new')));
      t.tries('a directory', () => fs.truncateSync(join(dir, 'sub'), 0));
      fs.writeFileSync(join(dir, 'empty'), '');
      t.see('O_TRUNC on empty', facts(join(dir, 'empty')));
    },
  },
  {
    title: 'lseek() positions survive writes and copy-up',
    run(t, dir) {
      withFd(join(dir, 'file'), O_RDWR, (fd) => {
        const four = Buffer.alloc(4);
        fs.readSync(fd, four);
        t.see('after a read', ok(libc.lseek(fd, 0, 1)));
        fs.writeSync(fd, 'XY');
        t.see('after a write that copies up', ok(libc.lseek(fd, 0, 1)));
        fs.readSync(fd, four);
        t.see('next bytes', four);
        t.see('end', ok(libc.lseek(fd, 0, libc.SEEK_END)));
        fs.writeSync(fd, 'END');
        t.see('rewind', ok(libc.lseek(fd, 0, libc.SEEK_SET)));
        t.tries('before the start', () => ok(libc.lseek(fd, -1, libc.SEEK_SET)));
      });
      t.see('content', text(join(dir, 'file')));
    },
  },
  {
    title: 'read() through a descriptor opened before a copy-up sees the new content',
    run(t, dir) {
      withFd(join(dir, 'file'), O_RDONLY, (old) => {
        const into = Buffer.alloc(64);
        fs.readSync(old, into, 0, 4, 0);
        fs.writeFileSync(join(dir, 'file'), 'changed by another descriptor\n');
        const n = fs.readSync(old, into, 0, 64, 0);
        t.see('content', into.subarray(0, n).toString());
        t.see('size', fs.fstatSync(old).size);
      });
    },
  },
  {
    title: 'unlink() of an open file leaves the file usable until it is closed',
    run(t, dir) {
      for (const name of ['big', 'born']) {
        withFd(join(dir, name), O_RDWR | O_CREAT, (fd) => {
          fs.unlinkSync(join(dir, name));
          t.see(`${name} nlink`, fs.fstatSync(fd).nlink);
          fs.writeSync(fd, 'still here', 3);
          const into = Buffer.alloc(13);
          fs.readSync(fd, into, 0, 13, 0);
          t.see(`${name} content`, into);
          fs.ftruncateSync(fd, 5);
          fs.fsyncSync(fd);
          t.see(`${name} size`, fs.fstatSync(fd).size);
          fs.writeFileSync(join(dir, name), 'another file of that name\n');
          fs.readSync(fd, into, 0, 5, 0);
          t.see(`${name} again`, into.subarray(0, 5).toString());
        });
        t.see(`${name} anew`, text(join(dir, name)));
      }
    },
  },
  {
    title: 'rename() over an open file leaves the old content to who has it open',
    run(t, dir) {
      withFd(join(dir, 'file'), O_RDWR, (fd) => {
        fs.writeFileSync(join(dir, 'file.new'), 'saved atomically\n');
        fs.renameSync(join(dir, 'file.new'), join(dir, 'file'));
        const into = Buffer.alloc(13);
        fs.readSync(fd, into, 0, 13, 0);
        t.see('old', into);
        fs.writeSync(fd, 'lost', 0);
        t.see('nlink', fs.fstatSync(fd).nlink);
      });
      t.see('new', text(join(dir, 'file')));
      t.see('names', names(dir));
    },
  },
  {
    title: 'pwrite() far apart makes a sparse file that reads as zeros between',
    run(t, dir) {
      withFd(join(dir, 'sparse'), O_RDWR, (fd) => fs.writeSync(fd, 'middle', 500_000));
      withFd(join(dir, 'thin'), O_RDWR | O_CREAT, (fd) => {
        fs.writeSync(fd, 'x', 3 << 20);
        fs.fsyncSync(fd);
        t.see('blocks are few', fs.fstatSync(fd).blocks < 64);
      });
      for (const name of ['sparse', 'thin']) {
        const content = fs.readFileSync(join(dir, name));
        t.see(`${name} bytes that are not zero`, content.filter((byte) => byte !== 0).length);
        t.see(name, facts(join(dir, name)));
      }
    },
  },
  {
    title: 'fallocate() reserves, extends, keeps the size or punches a hole',
    run(t, dir) {
      withFd(join(dir, 'room'), O_RDWR | O_CREAT, (fd) => {
        t.tries('16 MiB', () => ok(libc.fallocate(fd, 0, 0, 16 << 20)));
        t.see('size', fs.fstatSync(fd).size);
        t.see('blocks', fs.fstatSync(fd).blocks >= 32768);
        fs.ftruncateSync(fd, 0);
      });
      withFd(join(dir, 'file'), O_RDWR, (fd) => {
        t.tries('KEEP_SIZE', () => ok(libc.fallocate(fd, 1, 0, 65536)));
        t.see('kept', fs.fstatSync(fd).size);
        t.tries('extend', () => ok(libc.fallocate(fd, 0, 0, 20)));
        t.see('extended', text(join(dir, 'file')));
      });
      withFd(join(dir, 'big'), O_RDWR, (fd) => t.tries('PUNCH_HOLE', () => ok(libc.fallocate(fd, 3, 4096, 8192))));
      t.see('punched', fs.readFileSync(join(dir, 'big')).filter((byte) => byte === 0).length);
      withFd(join(dir, 'big'), O_RDONLY, (fd) =>
        t.tries('read-only descriptor', () => ok(libc.fallocate(fd, 0, 0, 10))),
      );
    },
  },
  {
    title: 'copy_file_range() copies between and within files',
    run(t, dir) {
      withFd(join(dir, 'big'), O_RDONLY, (from) =>
        withFd(join(dir, 'copy'), O_RDWR | O_CREAT, (to) => {
          for (let at = 0; at < 200_000; )
            at += ok(libc.copyFileRange({ fd: from, offset: at }, { fd: to, offset: at }, 200_000 - at));
          t.see('past the end', ok(libc.copyFileRange({ fd: from, offset: 300_000 }, { fd: to, offset: 0 }, 10)));
        }),
      );
      t.see('equal', fs.readFileSync(join(dir, 'big')).equals(fs.readFileSync(join(dir, 'copy'))));
      withFd(join(dir, 'file'), O_RDWR, (fd) => {
        fs.writeSync(fd, 'dirty', 0);
        t.see('within', ok(libc.copyFileRange({ fd, offset: 0 }, { fd, offset: 100 }, 5)));
        t.tries('overlapping', () => ok(libc.copyFileRange({ fd, offset: 0 }, { fd, offset: 2 }, 5)));
      });
      t.see('content', text(join(dir, 'file')));
    },
  },
  {
    title: 'lseek(SEEK_DATA, SEEK_HOLE) never takes written data for a hole',
    run(t, dir) {
      withFd(join(dir, 'gaps'), O_RDWR | O_CREAT, (fd) => {
        fs.writeSync(fd, 'data', 1 << 20);
        let found = false;
        for (let at = 0; at < (1 << 20) + 4; ) {
          const start = libc.lseek(fd, at, libc.SEEK_DATA);
          if (start < 0) break;
          const end = ok(libc.lseek(fd, start, libc.SEEK_HOLE));
          if (start <= 1 << 20 && end >= (1 << 20) + 4) found = true;
          at = end;
        }
        t.see('the data is in a data segment', found);
      });
      fs.cpSync(join(dir, 'gaps'), join(dir, 'gaps2'));
      t.see('cp keeps it', fs.readFileSync(join(dir, 'gaps2')).indexOf('data'));
    },
  },
];
