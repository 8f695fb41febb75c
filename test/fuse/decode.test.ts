/** Every request, laid out by hand from the C structs, arrives at the FileSystem as the call it stands for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OK } from '../../src/sys/errno.ts';
import { decodeStatx, STATX_SIZE } from '../../src/sys/stat.ts';
import { cstring, i64, initRequest, request, u32, u64, zeros } from './bytes.ts';
import { exchange } from './fake-kernel.ts';
import { type Calls, recordingFs } from './recording-fs.ts';

const WHO = { uid: 1001, gid: 1002, pid: 812, ticket: 7 };

function decoded(...requests: Buffer[]): Calls {
  const { fs, calls } = recordingFs({ forget: () => {}, fsync: () => OK });
  const { log } = exchange(fs, requests);
  assert.deepEqual(log, []);
  return calls;
}

test('LOOKUP hands on the parent, the name as bytes, and who asks', () => {
  const calls = decoded(request(1, { node: 0x1_0000_0002n }, cstring('na\xffme\n')));
  assert.deepEqual(calls, [['lookup', 0x1_0000_0002, 'na\xffme\n', WHO]]);
});

test('LOOKUP hands on a name of 255 bytes', () => {
  assert.deepEqual(decoded(request(1, {}, cstring('x'.repeat(255)))), [['lookup', 1, 'x'.repeat(255), WHO]]);
});

test('FORGET and BATCH_FORGET hand on every node with its count', () => {
  const batch = [u32(2), u32(0), u64(5n), u64(1n), u64(6n), u64(0x1_0000_0000n)];
  const calls = decoded(request(2, { node: 4n }, u64(3n)), request(42, { node: 0n }, ...batch));
  assert.deepEqual(calls, [
    ['forget', 4, 3],
    ['forget', 5, 1],
    ['forget', 6, 0x1_0000_0000],
  ]);
});

test('GETATTR and STATX ask for the same attributes; GETATTR tells who asks, and whether with an open file', () => {
  const getattr = request(3, { node: 9n }, u32(0), u32(0), u64(0n));
  const opened = request(3, { node: 9n }, u32(1), u32(0), u64(0n));
  const statx = request(52, { node: 9n }, u32(0), u32(0), u64(0n), u32(0), u32(0xfff));
  assert.deepEqual(decoded(getattr, opened, statx), [
    ['getattr', 9, WHO, false],
    ['getattr', 9, WHO, true],
    ['getattr', 9],
  ]);
});

function setattr(valid: number): Buffer {
  return request(
    4,
    { node: 3n },
    u32(valid),
    u32(0), // padding
    u64(0n), // fh
    u64(0x1_0000_0000n), // size
    u64(0n), // lock_owner
    i64(-1n), // atime
    i64(1_700_000_000n), // mtime
    i64(0x1_0000_0000n), // ctime
    u32(999_999_999), // atimensec
    u32(1), // mtimensec
    u32(2), // ctimensec
    u32(0o100755), // mode
    u32(0), // unused4
    u32(10), // uid
    u32(20), // gid
    u32(0), // unused5
  );
}

test('SETATTR hands on every field that is valid, times before 1970 included', () => {
  const everything = {
    mode: 0o100755,
    uid: 10,
    gid: 20,
    size: 0x1_0000_0000,
    atime: { sec: -1, nsec: 999_999_999 },
    mtime: { sec: 1_700_000_000, nsec: 1 },
    ctime: { sec: 0x1_0000_0000, nsec: 2 },
    killSuidgid: true,
  };
  assert.deepEqual(decoded(setattr(0b1100_0011_1111)), [['setattr', 3, everything, WHO]]);
});

test('SETATTR leaves out what is not valid', () => {
  assert.deepEqual(decoded(setattr(1 << 3)), [['setattr', 3, { size: 0x1_0000_0000 }, WHO]]);
});

test('SETATTR of nothing is the call to drop set-id bits before a write', () => {
  assert.deepEqual(decoded(setattr(0)), [['setattr', 3, { killSuidgid: true }, WHO]]);
  const opened = [['setattr', 3, { killSuidgid: true, opened: true }, WHO]];
  assert.deepEqual(decoded(setattr((1 << 6) | (1 << 9))), opened);
});

test('SETATTR prefers the server clock where the caller asked for now', () => {
  const now = (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8);
  assert.deepEqual(decoded(setattr(now)), [['setattr', 3, { atime: 'now', mtime: 'now' }, WHO]]);
});

test('READLINK and STATFS carry nothing but their node', () => {
  assert.deepEqual(decoded(request(5, { node: 8n }), request(17, {})), [['readlink', 8], ['statfs']]);
});

test('SYMLINK hands on the name and then the target', () => {
  const calls = decoded(request(6, {}, cstring('link'), cstring('../a b/\xe9')));
  assert.deepEqual(calls, [['symlink', 1, 'link', '../a b/\xe9', WHO]]);
});

test('MKNOD hands on mode, device and umask', () => {
  const calls = decoded(request(8, {}, u32(0o020644), u32(0x103), u32(0o22), u32(0), cstring('null')));
  assert.deepEqual(calls, [['mknod', 1, 'null', { mode: 0o020644, rdev: 0x103, umask: 0o22 }, WHO]]);
});

test('MKDIR hands on mode and umask', () => {
  const calls = decoded(request(9, {}, u32(0o755), u32(0o27), cstring('dir')));
  assert.deepEqual(calls, [['mkdir', 1, 'dir', { mode: 0o755, rdev: 0, umask: 0o27 }, WHO]]);
});

test('UNLINK and RMDIR hand on the parent and the name', () => {
  const calls = decoded(request(10, { node: 2n }, cstring('f')), request(11, { node: 2n }, cstring('d')));
  assert.deepEqual(calls, [
    ['unlink', 2, 'f', WHO],
    ['rmdir', 2, 'd', WHO],
  ]);
});

test('RENAME and RENAME2 hand on both parents, both names and the flags', () => {
  const plain = request(12, { node: 2n }, u64(3n), cstring('old'), cstring('new name'));
  const exchanged = request(45, { node: 2n }, u64(3n), u32(2), u32(0), cstring('a'), cstring('b'));
  assert.deepEqual(decoded(plain, exchanged), [
    ['rename', { fromParent: 2, from: 'old', toParent: 3, to: 'new name', flags: 0 }, WHO],
    ['rename', { fromParent: 2, from: 'a', toParent: 3, to: 'b', flags: 2 }, WHO],
  ]);
});

test('LINK hands on the file, then where it gets its new name', () => {
  assert.deepEqual(decoded(request(13, { node: 2n }, u64(5n), cstring('twin'))), [['link', 5, 2, 'twin', WHO]]);
});

test('TMPFILE hands on mode and umask', () => {
  const calls = decoded(request(51, { node: 2n }, u32(0o2), u32(0o100600), u32(0o77), u32(0), cstring('/')));
  assert.deepEqual(calls, [['tmpfile', 2, { mode: 0o100600, rdev: 0, umask: 0o77 }, WHO]]);
});

test('READ hands on the offset and room for exactly the size', () => {
  const rooms: number[] = [];
  const { fs, calls } = recordingFs({
    read: (_node, _offset, into) => {
      rooms.push(into.length);
      return 0;
    },
  });
  const read = (offset: bigint, size: number) =>
    request(15, { node: 4n }, u64(0n), u64(offset), u32(size), u32(0), u64(0n), u32(0), u32(0));
  exchange(fs, [read(0x2_0000_1000n, 131072), read(5n, 3), read(0n, 131072), read(0n, 0)]);
  assert.deepEqual(rooms, [131072, 3, 131072, 0]);
  assert.deepEqual(
    calls.map((call) => call.slice(0, 3)),
    [
      ['read', 4, 0x2_0000_1000],
      ['read', 4, 5],
      ['read', 4, 0],
      ['read', 4, 0],
    ],
  );
});

function write(data: string, flags = 0): Buffer {
  const fixed = [u64(0n), u64(0x1_0000_0003n), u32(data.length), u32(flags), u64(0n), u32(0), u32(0)];
  return request(16, { node: 4n }, ...fixed, Buffer.from(data, 'latin1'));
}

test('WRITE hands on the offset and the data', () => {
  const page = 'x'.repeat(4096);
  assert.deepEqual(decoded(write('data \0\xff'), write(page), write('')), [
    ['write', 4, 0x1_0000_0003, 'data \0\xff', WHO],
    ['write', 4, 0x1_0000_0003, page, WHO],
    ['write', 4, 0x1_0000_0003, '', WHO],
  ]);
});

test('WRITE that must drop set-id bits drops them first, and fails if that fails', () => {
  const withMode = (mode: number) => {
    const stat = { ...decodeStatx(Buffer.alloc(STATX_SIZE)), mode };
    const { fs, calls } = recordingFs({ getattr: () => ({ stat, attrValid: 0 }) });
    exchange(fs, [write('data', 1 << 2)]);
    return calls.map((call) => call.slice(0, 3));
  };
  const attributes = ['getattr', 4];
  assert.deepEqual(withMode(0o104755), [attributes, ['setattr', 4, { killSuidgid: true }]]);
  assert.deepEqual(withMode(0o102755), [attributes, ['setattr', 4, { killSuidgid: true }]]);
  assert.deepEqual(withMode(0o100755), [attributes, ['write', 4, 0x1_0000_0003]]);
});

test('FSYNC, FSYNCDIR and SYNCFS sync their node', () => {
  const calls = decoded(
    request(20, { node: 4n }, u64(0n), u32(0), u32(0)),
    request(20, { node: 4n }, u64(0n), u32(1), u32(0)),
    request(30, { node: 2n }, u64(0n), u32(1), u32(0)),
    request(50, { node: 1n }, u64(0n)),
  );
  assert.deepEqual(calls, [
    ['fsync', 4, false],
    ['fsync', 4, true],
    ['fsync', 2, true],
    ['fsync', 1, false],
  ]);
});

test('SETXATTR is decoded in the short layout until the extended one is agreed on', () => {
  const short = request(21, { node: 4n }, u32(3), u32(1), cstring('user.k'), Buffer.from('v\0w'));
  const long = request(21, { node: 4n }, u32(3), u32(2), u32(0), u32(0), cstring('user.k'), Buffer.from('v\0w'));
  const older = decoded(initRequest(32, 0), short);
  assert.deepEqual(older, [['setxattr', 4, 'user.k', 'v\0w', 1, WHO]]);
  assert.deepEqual(decoded(initRequest(45), long), [['setxattr', 4, 'user.k', 'v\0w', 2, WHO]]);
});

test('GETXATTR, LISTXATTR and REMOVEXATTR hand on node and name', () => {
  const calls = decoded(
    request(22, { node: 4n }, u32(100), u32(0), cstring('user.k')),
    request(23, { node: 4n }, u32(100), u32(0)),
    request(24, { node: 4n }, cstring('user.k')),
  );
  assert.deepEqual(calls, [
    ['getxattr', 4, 'user.k', WHO],
    ['listxattr', 4],
    ['removexattr', 4, 'user.k', WHO],
  ]);
});

test('READDIR and READDIRPLUS hand on the cookie', () => {
  const fixed = [u64(0n), u64(0x1_0000_0009n), u32(4096), u32(0), u64(0n), u32(0), u32(0)];
  assert.deepEqual(decoded(request(28, { node: 2n }, ...fixed), request(44, { node: 2n }, ...fixed)), [
    ['readdir', 2, 0x1_0000_0009, 'sink', false, WHO],
    ['readdir', 2, 0x1_0000_0009, 'sink', true, WHO],
  ]);
});

test('FALLOCATE hands on mode and range', () => {
  const calls = decoded(request(43, { node: 4n }, u64(0n), u64(4096n), u64(8192n), u32(3), u32(0)));
  assert.deepEqual(calls, [['fallocate', 4, 3, { offset: 4096, length: 8192 }, WHO]]);
});

test('COPY_FILE_RANGE hands on both files and both offsets', () => {
  const fixed = [u64(0n), u64(1n), u64(6n), u64(0n), u64(2n), u64(0x7fff_f000n), u64(0n)];
  const copy = { from: 5, fromOffset: 1, to: 6, toOffset: 2, length: 0x7fff_f000 };
  assert.deepEqual(decoded(request(47, { node: 5n }, ...fixed), request(53, { node: 5n }, ...fixed)), [
    ['copyFileRange', copy, WHO],
    ['copyFileRange', copy, WHO],
  ]);
});

test('DESTROY, INTERRUPT, RELEASE and what is refused reach no method', () => {
  const opcodes = [14, 18, 25, 27, 29, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 46, 48, 49];
  assert.deepEqual(decoded(...opcodes.map((opcode) => request(opcode, {}, zeros(64)))), []);
});
