/** Directories: making, removing, listing. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { seekTo } from './native.ts';
import { facts, names, type Operation, ok, text } from './operation.ts';

interface Dirent {
  readonly name: string;
  readonly ino: number;
  readonly offset: bigint;
  readonly type: number;
}

export const directories: Operation[] = [
  {
    title: 'mkdir() makes directories, nested ones too, and refuses what exists',
    run(t, dir) {
      fs.mkdirSync(join(dir, 'a'));
      fs.mkdirSync(join(dir, 'a/b/c/d/e/f/g/h/i/j'), { recursive: true });
      fs.writeFileSync(join(dir, 'a/b/c/d/e/f/g/h/i/j/k'), 'ten levels');
      t.see('read', text(join(dir, 'a/b/c/d/e/f/g/h/i/j/k')));
      for (const name of ['sub', 'file', 'a', 'link', 'dangling']) t.tries(name, () => fs.mkdirSync(join(dir, name)));
      t.tries('missing parent', () => fs.mkdirSync(join(dir, 'no/such')));
      fs.mkdirSync(join(dir, 'closed'), 0o700);
      t.see('mode', facts(join(dir, 'closed')));
      fs.mkdirSync(join(dir, 'sub/in'));
      fs.writeFileSync(join(dir, 'sub/in/file'), 'x');
      t.see('base directory', names(join(dir, 'sub')));
    },
  },
  {
    title: 'rmdir() removes only empty directories, staged or of the base',
    run(t, dir) {
      t.tries('full base directory', () => fs.rmdirSync(join(dir, 'full')));
      t.tries('empty base directory', () => fs.rmdirSync(join(dir, 'empty-dir')));
      fs.mkdirSync(join(dir, 'made'));
      fs.writeFileSync(join(dir, 'made/x'), '');
      t.tries('full new directory', () => fs.rmdirSync(join(dir, 'made')));
      fs.unlinkSync(join(dir, 'made/x'));
      t.tries('emptied new directory', () => fs.rmdirSync(join(dir, 'made')));
      fs.unlinkSync(join(dir, 'sub/deep'));
      t.tries('emptied base directory', () => fs.rmdirSync(join(dir, 'sub')));
      t.tries('file', () => fs.rmdirSync(join(dir, 'file')));
      t.tries('symlink to a directory', () => fs.rmdirSync(join(dir, 'dirlink')));
      t.tries('missing', () => fs.rmdirSync(join(dir, 'missing')));
      t.see('names', names(dir));
      fs.mkdirSync(join(dir, 'sub'));
      t.see('made again, it is empty', names(join(dir, 'sub')));
      fs.writeFileSync(join(dir, 'sub/other'), 'new');
      t.see('and takes files', names(join(dir, 'sub')));
    },
  },
  {
    title: 'rmdir() of an open directory leaves it empty and dead',
    run(t, dir) {
      fs.mkdirSync(join(dir, 'gone'));
      const fd = ok(libc.openAt(libc.AT_FDCWD, join(dir, 'gone'), libc.O_DIRECTORY));
      fs.rmdirSync(join(dir, 'gone'));
      t.tries('create inside', () => ok(libc.openAt(fd, 'x', libc.O_CREAT | libc.O_WRONLY, 0o644)));
      t.tries('list', () => list(fd, 4096));
      libc.close(fd);
    },
  },
  {
    title: 'rm -r removes a whole tree, and the tree can be made again',
    run(t, dir) {
      fs.rmSync(join(dir, 'nest'), { recursive: true });
      fs.rmSync(join(dir, 'full'), { recursive: true });
      t.see('names', names(dir));
      fs.mkdirSync(join(dir, 'full'));
      fs.writeFileSync(join(dir, 'full/f03'), 'only me');
      t.see('full', [names(join(dir, 'full')), text(join(dir, 'full/f03'))]);
      fs.writeFileSync(join(dir, 'nest'), 'a file now');
      t.see('nest', facts(join(dir, 'nest')));
    },
  },
  {
    title: 'readdir() merges base and staged names and gives their types',
    run(t, dir) {
      changeSome(dir);
      const entries = withDirectory(join(dir, 'full'), (fd) => list(fd, 4096));
      t.see('names and types', entries.map((d) => `${d.name} ${d.type}`).sort());
      t.see(
        'numbers',
        entries.every((d) => d.ino > 0),
      );
      const real = entries.filter((d) => !d.name.startsWith('.'));
      t.see(
        'numbers are those of stat',
        real.every((d) => BigInt(d.ino) === fs.lstatSync(join(dir, 'full', d.name), { bigint: true }).ino),
      );
      const top = withDirectory(dir, (fd) => list(fd, 4096));
      t.see(
        'types',
        top
          .filter((d) => !d.name.startsWith('.'))
          .map((d) => `${d.name} ${d.type}`)
          .sort(),
      );
    },
  },
  {
    title: 'readdir() through a tiny buffer neither repeats nor leaves out',
    run(t, dir) {
      for (const size of [48, 64, 128, 500]) {
        t.see(
          `base only, ${size}`,
          withDirectory(join(dir, 'full'), (fd) => list(fd, size))
            .map((d) => d.name)
            .sort(),
        );
      }
      changeSome(dir);
      for (const size of [48, 128]) {
        t.see(
          `merged, ${size}`,
          withDirectory(join(dir, 'full'), (fd) => list(fd, size))
            .map((d) => d.name)
            .sort(),
        );
      }
      fs.mkdirSync(join(dir, 'staged'));
      for (let i = 0; i < 25; i++) fs.writeFileSync(join(dir, 'staged', `s${i}`), '');
      t.see(
        'staged only',
        withDirectory(join(dir, 'staged'), (fd) => list(fd, 64))
          .map((d) => d.name)
          .sort(),
      );
      for (const name of names(join(dir, 'full'))) fs.rmSync(join(dir, 'full', name), { recursive: true });
      t.see(
        'all gone',
        withDirectory(join(dir, 'full'), (fd) => list(fd, 64))
          .map((d) => d.name)
          .sort(),
      );
    },
  },
  {
    title: 'readdir() while names come and go shows every name that stays, once',
    run(t, dir) {
      fs.mkdirSync(join(dir, 'busy'));
      for (let i = 0; i < 60; i++) fs.writeFileSync(join(dir, 'busy', `keep${i}`), '');
      for (let i = 0; i < 30; i++) fs.writeFileSync(join(dir, 'busy', `drop${i}`), '');
      const fd = ok(libc.openAt(libc.AT_FDCWD, join(dir, 'busy'), libc.O_DIRECTORY));
      const seen: string[] = [];
      for (let round = 0; ; round++) {
        const batch = next(fd, 128);
        if (batch.length === 0) break;
        seen.push(...batch.map((d) => d.name));
        fs.writeFileSync(join(dir, 'busy', `new${round}`), '');
        if (round < 30) fs.unlinkSync(join(dir, 'busy', `drop${round}`));
        if (round > 500) throw new Error('readdir does not end');
      }
      libc.close(fd);
      const kept = seen.filter((name) => name.startsWith('keep'));
      t.see('each once', [kept.length, new Set(kept).size]);
      t.see('nothing twice', seen.length === new Set(seen).size);
      // How many rounds that took, and so what is there now, is up to the file system.
      fs.rmSync(join(dir, 'busy'), { recursive: true });
    },
  },
  {
    title: 'rm in readdir order empties a directory of base and staged files',
    run(t, dir) {
      for (let i = 0; i < 40; i++) fs.writeFileSync(join(dir, 'full', `more${i}`), '');
      const fd = ok(libc.openAt(libc.AT_FDCWD, join(dir, 'full'), libc.O_DIRECTORY));
      for (let batch = next(fd, 200); batch.length > 0; batch = next(fd, 200)) {
        for (const { name } of batch) if (name !== '.' && name !== '..') ok(libc.unlinkAt(fd, name));
      }
      libc.close(fd);
      t.tries('rmdir', () => fs.rmdirSync(join(dir, 'full')));
    },
  },
  {
    title: 'seekdir() returns to where telldir() was',
    run(t, dir) {
      changeSome(dir);
      const fd = ok(libc.openAt(libc.AT_FDCWD, join(dir, 'full'), libc.O_DIRECTORY));
      const all = list(fd, 64);
      let same = true;
      for (let i = 0; i + 1 < all.length; i++) {
        // The offset of an entry is the position behind it.
        seekTo(fd, all[i]?.offset ?? 0n);
        if (next(fd, 64)[0]?.name !== all[i + 1]?.name) same = false;
      }
      t.see('every position', same);
      ok(libc.lseek(fd, 0, libc.SEEK_SET));
      t.see('rewind', list(fd, 4096).length === all.length);
      libc.close(fd);
    },
  },
  {
    title: 'readdir() lists some hundred names, new, of the base and both',
    run(t, dir) {
      for (let i = 0; i < 300; i++) fs.writeFileSync(join(dir, 'full', `n${i}`), '');
      t.see('count', names(join(dir, 'full')).length);
      t.see(
        '. and ..',
        withDirectory(join(dir, 'full'), (fd) => list(fd, 4096)).filter((d) => d.name.startsWith('.')).length,
      );
    },
  },
];

/** Ten new names, five deleted, one renamed, one each of other types, in `full`. */
function changeSome(dir: string): void {
  const full = join(dir, 'full');
  for (let i = 0; i < 10; i++) fs.writeFileSync(join(full, `new${i}`), 'new');
  for (let i = 0; i < 5; i++) fs.unlinkSync(join(full, `f0${i}`));
  fs.renameSync(join(full, 'f10'), join(full, 'renamed'));
  fs.renameSync(join(dir, 'empty-dir'), join(full, 'moved-dir'));
  fs.mkdirSync(join(full, 'dir'));
  fs.symlinkSync('f11', join(full, 'symlink'));
  fs.writeFileSync(join(full, 'f12'), 'modified');
}

function withDirectory<T>(path: string, work: (fd: number) => T): T {
  const fd = ok(libc.openAt(libc.AT_FDCWD, path, libc.O_DIRECTORY));
  try {
    return work(fd);
  } finally {
    libc.close(fd);
  }
}

/** All that is left to read of a directory, through a buffer of `size` bytes. */
function list(fd: number, size: number): Dirent[] {
  const all: Dirent[] = [];
  for (let batch = next(fd, size); batch.length > 0; batch = next(fd, size)) {
    all.push(...batch);
    if (all.length > 10_000) throw new Error('readdir does not end');
  }
  return all;
}

function next(fd: number, size: number): Dirent[] {
  const buffer = Buffer.alloc(size);
  const bytes = ok(libc.getdents(fd, buffer));
  const batch: Dirent[] = [];
  for (let at = 0; at < bytes; at += buffer.readUInt16LE(at + 16)) {
    batch.push({
      ino: Number(buffer.readBigUInt64LE(at)),
      offset: buffer.readBigInt64LE(at + 8),
      type: buffer[at + 18] ?? 0,
      name: buffer.toString('latin1', at + 19, buffer.indexOf(0, at + 19)),
    });
  }
  return batch;
}
