/** Mapped memory, locks, sockets, running programs, many at once. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { promises } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { lockRecord, Mapping } from './native.ts';
import { codeOf, facts, names, type Operation, ok, text, withFd } from './operation.ts';

const { O_CREAT, O_RDONLY, O_RDWR } = libc;

export const special: Operation[] = [
  {
    title: 'mmap() shared writes reach the file, base or new',
    run(t, dir) {
      for (const name of ['big', 'fresh-map']) {
        withFd(join(dir, name), O_RDWR | O_CREAT, (fd) => {
          if (name === 'fresh-map') fs.ftruncateSync(fd, 10_000);
          const mapping = new Mapping(fd, 10_000, 'shared');
          mapping.bytes.write('mapped start', 0);
          mapping.bytes.write('mapped middle', 5000);
          const into = Buffer.alloc(13);
          fs.readSync(fd, into, 0, 13, 5000);
          t.see(`${name} read() sees it`, into);
          fs.writeSync(fd, 'written', 7000);
          t.see(`${name} mapping sees write()`, mapping.bytes.toString('latin1', 7000, 7007));
          mapping.sync();
          mapping.bytes.write('after msync', 9000);
          mapping.close();
        });
        const content = fs.readFileSync(join(dir, name), 'latin1');
        t.see(name, [
          content.slice(0, 12),
          content.slice(5000, 5013),
          content.slice(7000, 7007),
          content.slice(9000, 9011),
          content.length,
        ]);
      }
    },
  },
  {
    title: 'mmap() outlives its descriptor and the name',
    run(t, dir) {
      const fd = fs.openSync(join(dir, 'file'), 'r+');
      const mapping = new Mapping(fd, 13, 'shared');
      fs.closeSync(fd);
      mapping.bytes.write('BASE', 0);
      t.see('through the name', text(join(dir, 'file')));
      fs.renameSync(join(dir, 'file'), join(dir, 'moved'));
      mapping.bytes.write('CONTENT', 5);
      mapping.sync();
      t.see('after a rename', text(join(dir, 'moved')));
      fs.unlinkSync(join(dir, 'moved'));
      t.see('after unlink', mapping.bytes.toString('latin1'));
      mapping.close();
    },
  },
  {
    title: 'mmap() private changes stay private',
    run(t, dir) {
      withFd(join(dir, 'file'), O_RDONLY, (fd) => {
        const mapping = new Mapping(fd, 13, 'private');
        mapping.bytes.write('MINE', 0);
        t.see('mapping', mapping.bytes.toString('latin1'));
        mapping.close();
      });
      t.see('file', text(join(dir, 'file')));
    },
  },
  {
    title: 'flock() and fcntl() exclude other descriptors',
    run(t, dir) {
      withFd(join(dir, 'file'), O_RDWR, (a) =>
        withFd(join(dir, 'file'), O_RDWR, (b) => {
          t.tries('first', () => ok(libc.flock(a, libc.LOCK_EX | libc.LOCK_NB)));
          t.tries('second', () => ok(libc.flock(b, libc.LOCK_EX | libc.LOCK_NB)));
          t.tries('released', () => ok(libc.flock(a, libc.LOCK_UN)));
          t.tries('second again', () => ok(libc.flock(b, libc.LOCK_EX | libc.LOCK_NB)));
          t.tries('record lock', () => lockRecord(a));
        }),
      );
    },
  },
  {
    title: 'bind() of a unix socket takes connections',
    async run(t, dir) {
      // sun_path holds 108 bytes; a relative path always fits.
      const before = process.cwd();
      process.chdir(dir);
      const server = createServer((socket) => socket.end('hello'));
      await new Promise<void>((done, fail) => server.on('error', fail).listen('sock', done));
      t.see('type', fs.lstatSync('sock').isSocket());
      const said = await new Promise((done, fail) => {
        const client = connect('sock');
        client.on('data', (piece) => done(piece.toString()));
        client.on('error', fail);
      });
      t.see('said', said);
      fs.renameSync('sock', 'sub/sock');
      t.see('renamed', names('sub'));
      await new Promise((done) => server.close(done));
      fs.rmSync('sub/sock', { force: true });
      process.chdir(before);
    },
  },
  {
    title: 'execve() runs programs of the base, new ones and changed ones',
    run(t, dir) {
      t.see('base', execFileSync(join(dir, 'exec.sh')).toString());
      fs.writeFileSync(join(dir, 'new.sh'), '#!/bin/sh\necho new "$@"\n', { mode: 0o755 });
      t.see('new', execFileSync(join(dir, 'new.sh'), ['with', 'words']).toString());
      fs.appendFileSync(join(dir, 'exec.sh'), 'echo changed\n');
      t.see('changed', execFileSync(join(dir, 'exec.sh')).toString());
      fs.copyFileSync('/bin/true', join(dir, 'binary'));
      t.see('binary', execFileSync(join(dir, 'binary')).toString());
      t.see(
        'not executable',
        codeOf(() => execFileSync(join(dir, 'file'))),
      );
    },
  },
  {
    title: 'fsync(), fdatasync() and sync of files and directories succeed',
    run(t, dir) {
      withFd(join(dir, 'file'), O_RDWR, (fd) => {
        fs.writeSync(fd, 'durable', 0);
        t.tries('fsync', () => fs.fsyncSync(fd));
        t.tries('fdatasync', () => fs.fdatasyncSync(fd));
        t.tries('syncfs', () => ok(libc.syncfs(fd)));
      });
      withFd(join(dir, 'multi'), O_RDONLY, (fd) => t.tries('fsync of what was not written', () => fs.fsyncSync(fd)));
      withFd(join(dir, 'sub'), O_RDONLY, (fd) => t.tries('fsync of a directory', () => fs.fsyncSync(fd)));
    },
  },
  {
    title: 'many writers and readers at once get their own content',
    async run(t, dir) {
      const files = Array.from({ length: 24 }, (_, i) => join(dir, `sub/c${i}`));
      await Promise.all(files.map((file, i) => promises.writeFile(file, `${i} `.repeat(20_000))));
      const read = await Promise.all(files.map((file) => promises.readFile(file, 'latin1')));
      t.see(
        'content',
        read.every((content, i) => content === `${i} `.repeat(20_000)),
      );
      const listings = files.map((file, i) =>
        Promise.all([promises.appendFile(file, 'x'), promises.readdir(join(dir, 'sub')), promises.stat(file), i]),
      );
      t.see(
        'listing while writing',
        (await Promise.all(listings)).every(([, list]) => list.length === 25),
      );
      await Promise.all(
        files.map((file, i) => (i % 2 === 0 ? promises.unlink(file) : promises.rename(file, `${file}r`))),
      );
      t.see('left', names(join(dir, 'sub')));
    },
  },
  {
    title: 'writing through names, links and maps at once stays coherent',
    run(t, dir) {
      fs.linkSync(join(dir, 'multi'), join(dir, 'second'));
      withFd(join(dir, 'second'), O_RDWR, (fd) => {
        const mapping = new Mapping(fd, 12, 'shared');
        fs.writeFileSync(join(dir, 'third'), 'x');
        mapping.bytes.write('LINE', 0);
        fs.writeSync(fd, 'TWO', 6);
        t.see('all agree', [text(join(dir, 'multi')), text(join(dir, 'second')), mapping.bytes.toString('latin1')]);
        mapping.close();
      });
      t.see('facts', facts(join(dir, 'multi')));
    },
  },
];
