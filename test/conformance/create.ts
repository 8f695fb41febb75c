/** Making and removing files, and names of every shape. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { AT, codeOf, facts, names, type Operation, ok, text, withFd } from './operation.ts';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDWR, O_WRONLY } = libc;
const O_TMPFILE = 0o20000000 | O_DIRECTORY;

export const create: Operation[] = [
  {
    title: 'open(O_CREAT) makes a file with the mode that the umask leaves',
    run(t, dir) {
      for (const umask of [0o022, 0o077, 0o000]) {
        const before = process.umask(umask);
        fs.closeSync(fs.openSync(join(dir, `u${umask}`), O_CREAT | O_WRONLY, 0o666));
        fs.mkdirSync(join(dir, `d${umask}`), 0o777);
        ok(libc.mknodAt(AT, join(dir, `n${umask}`), 0o100666, 0));
        process.umask(before);
        t.see(`umask ${umask}`, [
          facts(join(dir, `u${umask}`)),
          facts(join(dir, `d${umask}`)),
          facts(join(dir, `n${umask}`)),
        ]);
      }
      withFd(join(dir, 'odd'), O_CREAT | O_RDWR, (fd) => fs.writeSync(fd, 'writable through the descriptor'), 0o444);
      t.see('made read-only', [facts(join(dir, 'odd')), text(join(dir, 'odd'))]);
    },
  },
  {
    title: 'open() tells EEXIST, ENOENT, ENOTDIR, EISDIR and ELOOP apart',
    run(t, dir) {
      const open = (name: string, flags: number): string =>
        codeOf(() => fs.closeSync(fs.openSync(join(dir, name), flags)));
      t.see('O_EXCL on a base file', open('file', O_CREAT | O_EXCL | O_WRONLY));
      t.see('O_EXCL on a new name', open('fresh', O_CREAT | O_EXCL | O_WRONLY));
      t.see('O_EXCL again', open('fresh', O_CREAT | O_EXCL | O_WRONLY));
      t.see('O_EXCL on a dangling symlink', open('dangling', O_CREAT | O_EXCL | O_WRONLY));
      t.see('O_CREAT through a dangling symlink', open('dangling', O_CREAT | O_WRONLY));
      t.see('made', facts(join(dir, 'nowhere')));
      t.see('missing parent', open('no/such', O_CREAT | O_WRONLY));
      t.see('file as a parent', open('file/child', O_CREAT | O_WRONLY));
      t.see('write to a directory', open('sub', O_WRONLY));
      t.see('O_CREAT on a directory', open('sub', O_CREAT | O_WRONLY));
      t.see('O_DIRECTORY on a file', open('file', O_DIRECTORY));
      t.see('O_NOFOLLOW on a symlink', open('link', O_NOFOLLOW));
      t.see('trailing slash', open('file/', 0));
      fs.symlinkSync('loop', join(dir, 'loop'));
      t.see('loop', open('loop', 0));
    },
  },
  {
    title: 'unlink() hides the name, and creating it again starts from nothing',
    run(t, dir) {
      fs.unlinkSync(join(dir, 'file'));
      t.tries('stat', () => fs.statSync(join(dir, 'file')));
      t.tries('again', () => fs.unlinkSync(join(dir, 'file')));
      t.see('names', names(dir));
      fs.writeFileSync(join(dir, 'file'), 'anew');
      t.see('anew', [text(join(dir, 'file')), facts(join(dir, 'file'))]);
      for (let i = 0; i < 5; i++) {
        fs.unlinkSync(join(dir, 'file'));
        t.tries(`negative lookup ${i}`, () => fs.statSync(join(dir, 'file')));
        fs.writeFileSync(join(dir, 'file'), `round ${i}`);
        t.see(`round ${i}`, text(join(dir, 'file')));
      }
      fs.unlinkSync(join(dir, 'sub/deep'));
      t.see('sub', names(join(dir, 'sub')));
      t.tries('a directory', () => fs.unlinkSync(join(dir, 'sub')));
      t.tries('missing', () => fs.unlinkSync(join(dir, 'missing')));
      fs.unlinkSync(join(dir, 'link'));
      fs.unlinkSync(join(dir, 'dangling'));
      t.see('after the links', names(dir));
    },
  },
  {
    title: 'open(O_TMPFILE) makes a nameless file that linkat() may name',
    run(t, dir) {
      withFd(join(dir, 'sub'), O_TMPFILE | O_RDWR, (fd) => {
        fs.writeSync(fd, 'nameless');
        t.see('nlink', fs.fstatSync(fd).nlink);
        t.see('invisible', names(join(dir, 'sub')));
        t.tries('linkat', () => ok(linkFollowing(`/proc/self/fd/${fd}`, join(dir, 'sub/named'))));
        t.see('nlink after', fs.fstatSync(fd).nlink);
        fs.writeSync(fd, ' no more');
      });
      t.see('named', [text(join(dir, 'sub/named')), facts(join(dir, 'sub/named'))]);
      withFd(join(dir, 'sub'), O_TMPFILE | O_EXCL | O_RDWR, (fd) => {
        t.tries('O_EXCL forbids a name', () => ok(linkFollowing(`/proc/self/fd/${fd}`, join(dir, 'sub/never'))));
      });
      t.see('names', names(join(dir, 'sub')));
    },
  },
  {
    title: 'mknod() makes fifos and refuses directories',
    run(t, dir) {
      t.tries('fifo', () => ok(libc.mknodAt(AT, join(dir, 'pipe'), 0o010600, 0)));
      t.see('pipe', facts(join(dir, 'pipe')));
      t.tries('exists', () => ok(libc.mknodAt(AT, join(dir, 'file'), 0o010600, 0)));
      t.see('base fifo', facts(join(dir, 'fifo')));
      withFd(join(dir, 'pipe'), O_RDWR, (fd) => {
        fs.writeSync(fd, 'through');
        const into = Buffer.alloc(7);
        fs.readSync(fd, into);
        t.see('carried', into);
      });
      withFd(join(dir, 'fifo'), O_RDWR, (fd) => t.see('base carries', fs.writeSync(fd, 'x')));
    },
  },
  {
    title: 'names hold any byte but / and NUL, up to 255 of them',
    run(t, dir) {
      const odd = [
        'new\nline',
        'tab\t',
        ' ',
        '\\',
        '"',
        "'",
        '*',
        '-rf',
        '\xff\xfe',
        'caf\xc3\xa9',
        '\x01\x7f',
        '%00',
        '...',
        'x'.repeat(255),
        '\xe2'.repeat(255),
      ];
      for (const name of odd) fs.writeFileSync(bytes(dir, name), `content of ${name.length}`);
      t.see('listed', names(dir).filter((name) => odd.includes(name)).length);
      for (const name of odd) {
        t.see(JSON.stringify(name.slice(0, 9)), text(bytes(dir, name)));
        fs.renameSync(bytes(dir, name), bytes(dir, `sub/${name}`));
      }
      t.see('moved', names(join(dir, 'sub')));
      for (const name of odd.slice(0, 8)) fs.unlinkSync(bytes(dir, `sub/${name}`));
      t.see('left', names(join(dir, 'sub')));
      t.tries('256 bytes', () => fs.writeFileSync(join(dir, 'y'.repeat(256)), ''));
      t.tries('stat of 256 bytes', () => fs.statSync(join(dir, 'y'.repeat(256))));
      t.tries('mkdir of 255', () => fs.mkdirSync(join(dir, 'z'.repeat(255))));
    },
  },
  {
    title: 'paths may be as long as PATH_MAX',
    run(t, dir) {
      const name = 'd'.repeat(200);
      const room = 4095 - Buffer.byteLength(dir) - '/nest'.length - '/leaf'.length;
      const deep = [join(dir, 'nest'), ...Array.from({ length: Math.floor(room / 201) }, () => name)].join('/');
      fs.mkdirSync(deep, { recursive: true });
      fs.writeFileSync(`${deep}/leaf`, 'deep down');
      fs.renameSync(`${deep}/leaf`, `${deep}/top`);
      fs.linkSync(`${deep}/top`, join(dir, 'near'));
      t.see('content', [text(`${deep}/top`), text(join(dir, 'near')), names(deep)]);
      const longest = `${deep}/${'f'.repeat(4095 - deep.length - 1)}`;
      t.see(
        '4095 bytes',
        codeOf(() => fs.writeFileSync(longest, 'x')),
      );
      t.see(
        '4096 bytes',
        codeOf(() => fs.writeFileSync(`${longest}f`, 'x')),
      );
      fs.renameSync(join(dir, 'nest', name), join(dir, 'nest/short'));
      t.see('through a renamed parent', text(`${deep.replace(`nest/${name}`, 'nest/short')}/top`));
    },
  },
];

function bytes(dir: string, name: string): Buffer {
  return Buffer.from(`${dir}/${name}`, 'latin1');
}

/** linkat() with AT_SYMLINK_FOLLOW: how an unprivileged process names an O_TMPFILE. */
function linkFollowing(from: string, to: string): number {
  return libc.linkAt(AT, from, AT, to, 0x400);
}
