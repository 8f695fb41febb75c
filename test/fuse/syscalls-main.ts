/**
 * System calls that no shell tool makes, in the current directory, with what they returned as JSON. Runs on the
 * host and on a mount; both must print the same.
 */
import koffi from 'koffi';
import * as libc from '../../src/sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../../src/sys/stat.ts';

const c = koffi.load('libc.so.6');
const mmap = c.func('void *mmap(void*, size_t, int, int, int, int64_t)');
const munmap = c.func('int munmap(void*, size_t)');
const memcpy = c.func('void *memcpy(void*, const void*, size_t)');
const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const O_TMPFILE = 0o20000000 | libc.O_DIRECTORY;
const HERE = libc.AT_FDCWD;

const seen: Record<string, unknown> = {};

function make(name: string, content: string): number {
  const fd = libc.openAt(HERE, name, libc.O_RDWR | libc.O_CREAT | libc.O_TRUNC, 0o644);
  libc.pwrite(fd, Buffer.from(content), content.length, 0);
  return fd;
}

function contentOf(fd: number): string {
  const buffer = Buffer.alloc(64);
  return buffer.toString('latin1', 0, libc.pread(fd, buffer, buffer.length, 0));
}

function contentAt(name: string): string | number {
  const fd = libc.openAt(HERE, name, libc.O_RDONLY);
  if (fd < 0) return fd;
  const content = contentOf(fd);
  libc.close(fd);
  return content;
}

function renames(): void {
  libc.close(make('one', '1'));
  libc.close(make('two', '2'));
  seen.noreplace = libc.renameAt2(HERE, 'one', HERE, 'two', libc.RENAME_NOREPLACE);
  seen.exchange = libc.renameAt2(HERE, 'one', HERE, 'two', libc.RENAME_EXCHANGE);
  seen.exchanged = [contentAt('one'), contentAt('two')];
}

function temporary(): void {
  const fd = libc.openAt(HERE, '.', libc.O_RDWR | O_TMPFILE, 0o600);
  libc.pwrite(fd, Buffer.from('nameless'), 8, 0);
  seen.tmpfile = [fd >= 0, contentOf(fd)];
  // AT_SYMLINK_FOLLOW: how an unprivileged process names its temporary file.
  seen.named = [libc.linkAt(HERE, `/proc/self/fd/${fd}`, HERE, 'named', 0x400), contentAt('named')];
  libc.close(fd);
}

function ranges(): void {
  const from = make('from', 'abcdefghij');
  const to = make('to', '----------');
  seen.copied = [libc.copyFileRange({ fd: from, offset: 2 }, { fd: to, offset: 5 }, 3), contentOf(to)];
  seen.allocated = [libc.fallocate(to, 0, 0, 100), contentOf(to).length, libc.lseek(to, 0, libc.SEEK_END)];
  seen.truncated = [libc.ftruncate(to, 4), contentOf(to), libc.ftruncate(to, 8), contentOf(to)];
  seen.synced = [libc.fsync(to), libc.fdatasync(to)];
  libc.close(from);
  libc.close(to);
}

function mapped(): void {
  const fd = make('mapped', 'x'.repeat(8192));
  const at = mmap(null, 8192, PROT_READ_WRITE, MAP_SHARED, fd, 0);
  memcpy(at, Buffer.from('through memory'), 14);
  seen.mapped = contentOf(fd);
  munmap(at, 8192);
  libc.close(fd);
  seen.mappedLater = contentAt('mapped');
}

function unlinked(): void {
  const fd = make('unlinked', 'still');
  libc.unlinkAt(HERE, 'unlinked');
  libc.pwrite(fd, Buffer.from(' here'), 5, 5);
  seen.unlinked = [contentAt('unlinked'), contentOf(fd)];
  libc.close(fd);
}

function attributes(): void {
  libc.close(make('tagged', ''));
  const value = Buffer.alloc(64);
  const get = (name: string) => libc.getxattrAt(HERE, 'tagged', name, value);
  seen.setxattr = libc.setxattrAt(HERE, 'tagged', 'user.one', Buffer.from('first\0value'));
  seen.getxattr = [get('user.one'), value.toString('latin1', 0, 11)];
  seen.getxattrSize = libc.getxattrAt(HERE, 'tagged', 'user.one', Buffer.alloc(0));
  seen.getxattrShort = libc.getxattrAt(HERE, 'tagged', 'user.one', Buffer.alloc(3));
  seen.listxattr = libc.listxattrAt(HERE, 'tagged', value);
  seen.removexattr = [libc.removexattrAt(HERE, 'tagged', 'user.one'), get('user.one')];
}

function times(): void {
  const set = { atimeSec: 1_000_000_000, atimeNsec: 123, mtimeSec: -5, mtimeNsec: 999_999_999 };
  seen.utimes = libc.utimesAt(HERE, 'tagged', set);
  const statx = Buffer.alloc(STATX_SIZE);
  seen.statx = libc.statxInto(HERE, 'tagged', statx, libc.STATX_BASIC_STATS | libc.STATX_BTIME);
  const { atimeSec, atimeNsec, mtimeSec, mtimeNsec, btimeSec } = decodeStatx(statx);
  seen.times = [atimeSec, atimeNsec, mtimeSec, mtimeNsec, Math.abs(Date.now() / 1000 - btimeSec) < 60];
  seen.btimeKnown = (statx.readUInt32LE(0) & libc.STATX_BTIME) !== 0;
}

renames();
temporary();
ranges();
mapped();
unlinked();
attributes();
times();
process.stdout.write(JSON.stringify(seen, null, 1));
