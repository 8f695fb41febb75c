/** Modes, owners, times, extended attributes, inode numbers, statfs. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as libc from '../../src/sys/libc.ts';
import { AT, codeOf, facts, names, type Operation, ok, text, withFd } from './operation.ts';

export const attributes: Operation[] = [
  {
    title: 'chmod() changes the mode only, of files and directories',
    run(t, dir) {
      for (const mode of [0o600, 0o755, 0o4755, 0o2750, 0o000, 0o644]) {
        fs.chmodSync(join(dir, 'file'), mode);
        t.see(mode.toString(8), facts(join(dir, 'file')));
      }
      t.see('content', text(join(dir, 'file')));
      for (const mode of [0o700, 0o1777, 0o2755, 0o755]) {
        fs.chmodSync(join(dir, 'sub'), mode);
        t.see(`directory ${mode.toString(8)}`, facts(join(dir, 'sub')));
      }
      fs.chmodSync(join(dir, 'full'), 0o750);
      t.see('children', names(join(dir, 'full')).length);
      fs.chmodSync(join(dir, 'link'), 0o640);
      t.see('through a symlink', facts(join(dir, 'file')));
      withFd(join(dir, 'big'), 0, (fd) => fs.fchmodSync(fd, 0o611));
      t.see('by descriptor', facts(join(dir, 'big')));
      t.tries('missing', () => fs.chmodSync(join(dir, 'missing'), 0o600));
    },
  },
  {
    title: 'write() and truncate() keep the mode, and drop set-id bits when they must',
    run(t, dir) {
      fs.appendFileSync(join(dir, 'exec.sh'), 'echo more\n');
      t.see('after a write', facts(join(dir, 'exec.sh')));
      fs.chmodSync(join(dir, 'file'), 0o4755);
      fs.appendFileSync(join(dir, 'file'), 'x');
      t.see('set-id after a write', modeOf(join(dir, 'file')));
      fs.chmodSync(join(dir, 'multi'), 0o6755);
      fs.truncateSync(join(dir, 'multi'), 3);
      t.see('set-id after a truncation', modeOf(join(dir, 'multi')));
      fs.chmodSync(join(dir, 'file'), 0o755);
      fs.chmodSync(join(dir, 'multi'), 0o755);
    },
  },
  {
    title: 'mkdir() and open() inherit the group and bit of a set-gid directory',
    run(t, dir) {
      fs.mkdirSync(join(dir, 'shared'));
      fs.chmodSync(join(dir, 'shared'), 0o2775);
      fs.mkdirSync(join(dir, 'shared/sub'), 0o755);
      fs.writeFileSync(join(dir, 'shared/file'), '');
      t.see('sub', facts(join(dir, 'shared/sub')));
      t.see('group', fs.statSync(join(dir, 'shared/file')).gid === fs.statSync(join(dir, 'shared')).gid);
    },
  },
  {
    title: 'chown() is for root, to itself for others',
    run(t, dir) {
      const { uid, gid } = fs.statSync(join(dir, 'file'));
      t.tries('to itself', () => fs.chownSync(join(dir, 'file'), uid, gid));
      t.tries('to nobody', () => fs.chownSync(join(dir, 'multi'), 65534, 65534));
      t.see(
        'owner',
        process.getuid?.() === 0 ? [fs.statSync(join(dir, 'multi')).uid, fs.statSync(join(dir, 'multi')).gid] : 'mine',
      );
      t.see('content', text(join(dir, 'multi')));
      t.tries('the link itself', () => fs.lchownSync(join(dir, 'link'), uid, gid));
      fs.chmodSync(join(dir, 'exec.sh'), 0o6755);
      fs.chownSync(join(dir, 'exec.sh'), uid, gid);
      t.see('set-id after chown', facts(join(dir, 'exec.sh')));
    },
  },
  {
    title: 'utimensat() sets times to the nanosecond, and writing moves them on',
    run(t, dir) {
      const when = { atimeSec: 1_234_567_890, atimeNsec: 987_654_321, mtimeSec: 1_111_111_111, mtimeNsec: 123_456_789 };
      t.see('of the base', times(join(dir, 'multi')));
      for (const name of ['file', 'sub', 'link', 'fifo', 'empty-dir']) {
        ok(libc.utimesAt(AT, join(dir, name), when));
        t.see(name, times(join(dir, name)));
      }
      ok(libc.utimesAt(AT, join(dir, 'file'), { ...when, mtimeSec: 5, mtimeNsec: 7, atimeNsec: libc.UTIME_OMIT }));
      t.see('mtime only', times(join(dir, 'file')));
      ok(
        libc.utimesAt(AT, join(dir, 'exec.sh'), {
          atimeSec: -100,
          atimeNsec: 1,
          mtimeSec: -2_000_000_000,
          mtimeNsec: 999_999_999,
        }),
      );
      t.see('before 1970', times(join(dir, 'exec.sh')));
      ok(libc.utimesAt(AT, join(dir, 'readonly'), { ...when, mtimeSec: 5_000_000_000 }));
      t.see('after 2106', times(join(dir, 'readonly')));
      t.see('content is kept', text(join(dir, 'file')));
      fs.appendFileSync(join(dir, 'file'), 'x');
      t.see('after a write', Math.abs(Date.now() - fs.statSync(join(dir, 'file')).mtimeMs) < 60_000);
      withFd(join(dir, 'empty'), libc.O_RDWR, (fd) => {
        fs.writeSync(fd, 'written, then dated');
        fs.futimesSync(fd, 1000, 2000);
      });
      t.see('dated before close', [times(join(dir, 'empty')), text(join(dir, 'empty'))]);
    },
  },
  {
    title: 'creating and removing names moves the directory times on',
    run(t, dir) {
      const old = { atimeSec: 1000, atimeNsec: 0, mtimeSec: 1000, mtimeNsec: 0 };
      const moved = (name: string, change: () => void): void => {
        ok(libc.utimesAt(AT, join(dir, name), old));
        change();
        t.see(`${name} ${change.name}`, fs.statSync(join(dir, name)).mtimeMs > 1_000_000);
      };
      moved('sub', function create() {
        fs.writeFileSync(join(dir, 'sub/new'), '');
      });
      moved('sub', function unlink() {
        fs.unlinkSync(join(dir, 'sub/new'));
      });
      moved('full', function renameAway() {
        fs.renameSync(join(dir, 'full/f00'), join(dir, 'sub/f00'));
      });
      moved('sub', function renameInto() {
        fs.renameSync(join(dir, 'full/f01'), join(dir, 'sub/f01'));
      });
      moved('sub', function write() {
        fs.appendFileSync(join(dir, 'sub/f00'), 'x');
      });
      const before = fs.statSync(join(dir, 'one')).ctimeMs;
      fs.linkSync(join(dir, 'one'), join(dir, 'three'));
      t.see('link moves ctime', fs.statSync(join(dir, 'one')).ctimeMs >= before);
    },
  },
  {
    title: 'inode numbers stay across copy-up, rename, chmod and truncation',
    run(t, dir) {
      const numbers = new Map(names(dir).map((name) => [name, fs.lstatSync(join(dir, name)).ino]));
      fs.appendFileSync(join(dir, 'file'), 'x');
      fs.truncateSync(join(dir, 'big'), 10);
      fs.chmodSync(join(dir, 'exec.sh'), 0o700);
      fs.chmodSync(join(dir, 'full'), 0o700);
      fs.writeFileSync(join(dir, 'sub/new'), '');
      for (const [name, ino] of numbers) t.see(name, fs.lstatSync(join(dir, name)).ino === ino);
      fs.renameSync(join(dir, 'sub'), join(dir, 'renamed'));
      t.see('renamed directory', fs.statSync(join(dir, 'renamed')).ino === numbers.get('sub'));
      const all = names(dir).map((name) => fs.lstatSync(join(dir, name)).ino);
      t.see('distinct but for the two names', new Set(all).size === all.length - 1);
      t.see('parent', fs.statSync(join(dir, 'full/..')).ino === fs.statSync(dir).ino);
    },
  },
  {
    title: 'extended attributes are set, listed, replaced and removed',
    run(t, dir) {
      const path = (name: string): string => join(dir, name);
      t.see('of the base', [list(path('multi')), get(path('multi'), 'user.seed')]);
      for (const name of ['file', 'sub', 'multi']) {
        t.tries(`${name} set`, () => ok(libc.setxattrAt(AT, path(name), 'user.a', Buffer.from('1'))));
        t.tries(`${name} binary`, () => ok(libc.setxattrAt(AT, path(name), 'user.b', Buffer.from([0, 255, 10]))));
        t.tries(`${name} empty`, () => ok(libc.setxattrAt(AT, path(name), 'user.c', Buffer.alloc(0))));
        t.tries(`${name} create again`, () => ok(libc.setxattrAt(AT, path(name), 'user.a', Buffer.from('x'), 1)));
        t.tries(`${name} replace missing`, () => ok(libc.setxattrAt(AT, path(name), 'user.z', Buffer.from('x'), 2)));
        t.tries(`${name} replace`, () => ok(libc.setxattrAt(AT, path(name), 'user.a', Buffer.from('two'), 2)));
        t.tries(`${name} remove`, () => ok(libc.removexattrAt(AT, path(name), 'user.c')));
        t.tries(`${name} remove again`, () => ok(libc.removexattrAt(AT, path(name), 'user.c')));
        t.see(`${name} list`, list(path(name)));
        t.see(`${name} get`, [get(path(name), 'user.a'), get(path(name), 'user.b'), get(path(name), 'user.none')]);
      }
      t.tries('remove one of the base', () => ok(libc.removexattrAt(AT, path('multi'), 'user.seed')));
      t.see('left', list(path('multi')));
      t.see('buffer too small', libc.getxattrAt(AT, path('file'), 'user.a', Buffer.alloc(2)));
      t.see('size', libc.getxattrAt(AT, path('file'), 'user.a', Buffer.alloc(0)));
      t.tries('of a symlink', () => ok(libc.setxattrAt(AT, path('link'), 'user.a', Buffer.from('1'))));
      fs.appendFileSync(path('file'), 'copied up after');
      fs.renameSync(path('file'), path('renamed'));
      t.see('carried along', [list(path('renamed')), text(path('renamed'))]);
    },
  },
  {
    title: 'access() answers as the mode and the caller demand',
    run(t, dir) {
      const may = (name: string, how: number): string => codeOf(() => fs.accessSync(join(dir, name), how));
      for (const name of ['file', 'exec.sh', 'readonly', 'secret', 'sub', 'dangling', 'missing']) {
        t.see(
          name,
          [fs.constants.F_OK, fs.constants.R_OK, fs.constants.W_OK, fs.constants.X_OK].map((how) => may(name, how)),
        );
      }
    },
  },
  {
    title: 'statfs() answers with plausible numbers',
    run(t, dir) {
      const s = fs.statfsSync(join(dir, 'file'));
      t.see('blocks', s.blocks > 0 && s.bfree <= s.blocks && s.bavail <= s.bfree && s.bsize >= 512);
    },
  },
];

function modeOf(path: string): string {
  return (fs.lstatSync(path).mode & 0o7777).toString(8);
}

function times(path: string): string[] {
  const s = fs.lstatSync(path, { bigint: true });
  return [s.atimeNs.toString(), s.mtimeNs.toString()];
}

function list(path: string): string[] {
  const into = Buffer.alloc(4096);
  const length = ok(libc.listxattrAt(AT, path, into));
  const all = into.toString('latin1', 0, length).split('\0');
  return all.filter((name) => name.startsWith('user.')).sort();
}

function get(path: string, name: string): string {
  const into = Buffer.alloc(256);
  const length = libc.getxattrAt(AT, path, name, into);
  return length < 0 ? `errno ${-length}` : into.toString('hex', 0, length);
}
