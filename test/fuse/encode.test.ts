/** What a FileSystem returns is compared, byte by byte, with the C structs laid out by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry, FileSystem } from '../../src/fuse/filesystem.ts';
import type { Ino, Name, NodeId } from '../../src/sys/bytes.ts';
import { EIO, ENOENT, ENOSPC, OK } from '../../src/sys/errno.ts';
import type { Stat } from '../../src/sys/stat.ts';
import { cstring, i64, request, u16, u32, u64, zeros } from './bytes.ts';
import { exchange, type ReplyMessage } from './fake-kernel.ts';
import { recordingFs } from './recording-fs.ts';

const STAT: Stat = {
  mode: 0o100644,
  nlink: 2,
  uid: 1001,
  gid: 1002,
  ino: 0x12_3456_789a,
  size: 0x1_0000_0001,
  blocks: 9,
  blksize: 4096,
  dev: 77,
  rdev: 0x0070_0103,
  atimeSec: -2,
  atimeNsec: 1,
  mtimeSec: 0x1_0000_0000,
  mtimeNsec: 2,
  ctimeSec: 1_700_000_000,
  ctimeNsec: 3,
  btimeSec: 1_600_000_000,
  btimeNsec: 4,
};

const ATTR = Buffer.concat([
  u64(0x12_3456_789an), // ino
  u64(0x1_0000_0001n), // size
  u64(9n), // blocks
  i64(-2n), // atime
  u64(0x1_0000_0000n), // mtime
  u64(1_700_000_000n), // ctime
  u32(1), // atimensec
  u32(2), // mtimensec
  u32(3), // ctimensec
  u32(0o100644), // mode
  u32(2), // nlink
  u32(1001), // uid
  u32(1002), // gid
  u32(0x0070_0103), // rdev
  u32(4096), // blksize
  u32(0), // flags
]);

const ENTRY: Entry = {
  nodeId: 0x1_0000_0005 as NodeId,
  inodeGeneration: 3,
  entryValid: 1.5,
  attrValid: 60,
  stat: STAT,
};

const ENTRY_OUT = Buffer.concat([
  u64(0x1_0000_0005n), // nodeid
  u64(3n), // generation
  u64(1n), // entry_valid
  u64(60n), // attr_valid
  u32(500_000_000), // entry_valid_nsec
  u32(0), // attr_valid_nsec
  ATTR,
]);

function reply(answers: Partial<FileSystem>, ...requests: Buffer[]): ReplyMessage {
  const { fs } = recordingFs(answers);
  const { replies, log } = exchange(fs, requests);
  assert.deepEqual(log, []);
  const last = replies.at(-1);
  assert.ok(last !== undefined);
  assert.equal(last.unique, 7n);
  return last;
}

function assertPayload(actual: ReplyMessage, expected: Buffer): void {
  assert.equal(actual.error, 0);
  assert.equal(actual.payload.toString('hex'), expected.toString('hex'));
}

const readRequest = (opcode: number, size: number) =>
  request(opcode, {}, u64(0n), u64(0n), u32(size), u32(0), u64(0n), u32(0), u32(0));

test('LOOKUP replies fuse_entry_out', () => {
  assertPayload(reply({ lookup: () => ENTRY }, request(1, {}, cstring('a'))), ENTRY_OUT);
});

test('LOOKUP replies node 0 with a validity for a name that is known to be absent', () => {
  const absent = reply({ lookup: () => ({ nodeId: 0, entryValid: 2.25 }) }, request(1, {}, cstring('a')));
  assertPayload(absent, Buffer.concat([zeros(16), u64(2n), u64(0n), u32(250_000_000), u32(0), zeros(88)]));
});

test('LOOKUP clamps an infinite validity to a hundred years', () => {
  const forever = { ...ENTRY, entryValid: Number.POSITIVE_INFINITY, attrValid: Number.POSITIVE_INFINITY };
  const { payload } = reply({ lookup: () => forever }, request(1, {}, cstring('a')));
  assert.equal(payload.readBigUInt64LE(16), 3_155_760_000n);
  assert.equal(payload.readBigUInt64LE(24), 3_155_760_000n);
  assert.equal(payload.readBigUInt64LE(32), 0n);
});

test('SYMLINK, MKNOD, MKDIR and LINK reply fuse_entry_out', () => {
  const two = Buffer.concat([cstring('a'), cstring('b')]);
  assertPayload(reply({ symlink: () => ENTRY }, request(6, {}, two)), ENTRY_OUT);
  assertPayload(reply({ mknod: () => ENTRY }, request(8, {}, zeros(16), cstring('a'))), ENTRY_OUT);
  assertPayload(reply({ mkdir: () => ENTRY }, request(9, {}, zeros(8), cstring('a'))), ENTRY_OUT);
  assertPayload(reply({ link: () => ENTRY }, request(13, {}, zeros(8), cstring('a'))), ENTRY_OUT);
});

test('TMPFILE replies fuse_entry_out and fuse_open_out with handle 0 that keeps the cache', () => {
  const expected = Buffer.concat([ENTRY_OUT, u64(0n), u32(2), u32(0)]);
  assertPayload(reply({ tmpfile: () => ENTRY }, request(51, {}, zeros(16), cstring('/'))), expected);
});

test('GETATTR and SETATTR reply fuse_attr_out', () => {
  const expected = Buffer.concat([u64(0n), u32(250_000_000), u32(0), ATTR]);
  const answer = { stat: STAT, attrValid: 0.25 };
  assertPayload(reply({ getattr: () => answer }, request(3, {}, zeros(16))), expected);
  assertPayload(reply({ setattr: () => answer }, request(4, {}, zeros(88))), expected);
});

test('STATX replies fuse_statx_out with the birth time', () => {
  const statx = Buffer.concat([
    u32(0xfff), // mask: basic and btime
    u32(4096), // blksize
    u64(0n), // attributes
    u32(2), // nlink
    u32(1001),
    u32(1002),
    u16(0o100644), // mode
    u16(0),
    u64(0x12_3456_789an), // ino
    u64(0x1_0000_0001n), // size
    u64(9n), // blocks
    u64(0n), // attributes_mask
    ...[i64(-2n), u32(1), u32(0)], // atime
    ...[i64(1_600_000_000n), u32(4), u32(0)], // btime
    ...[i64(1_700_000_000n), u32(3), u32(0)], // ctime
    ...[i64(0x1_0000_0000n), u32(2), u32(0)], // mtime
    u32(1), // rdev_major
    u32(0x703), // rdev_minor
    u32(0), // dev_major
    u32(0), // dev_minor
    zeros(112),
  ]);
  const answer = { stat: STAT, attrValid: 1 };
  const actual = reply({ getattr: () => answer }, request(52, {}, zeros(24)));
  assertPayload(actual, Buffer.concat([u64(1n), u32(0), u32(0), zeros(16), statx]));
  const unborn = { stat: { ...STAT, btimeSec: 0, btimeNsec: 0 }, attrValid: 1 };
  assert.equal(reply({ getattr: () => unborn }, request(52, {}, zeros(24))).payload.readUInt32LE(32), 0x7ff);
});

test('READLINK replies the target without a NUL', () => {
  assertPayload(reply({ readlink: () => '../\xe9' }, request(5, {})), Buffer.from('../\xe9', 'latin1'));
});

test('READ replies the bytes that were filled in and no more', () => {
  const read: FileSystem['read'] = (_node, _offset, into) => into.write('content');
  assertPayload(reply({ read }, readRequest(15, 4096)), Buffer.from('content'));
  assertPayload(reply({ read: () => 0 }, readRequest(15, 4096)), Buffer.alloc(0));
  assert.equal(reply({ read: () => -5 }, readRequest(15, 4096)).error, -5);
});

test('WRITE replies the count', () => {
  const write = request(16, {}, zeros(16), u32(4), u32(0), zeros(16), Buffer.from('data'));
  assertPayload(reply({ write: () => 4 }, write), Buffer.concat([u32(4), u32(0)]));
  const failed = reply({ write: () => -ENOSPC }, write);
  assert.equal(failed.error, -28);
  assert.equal(failed.payload.length, 0);
});

test('COPY_FILE_RANGE replies 32 bits, its successor 64', () => {
  const narrow = reply({ copyFileRange: () => 0x7fff_f000 }, request(47, {}, zeros(56)));
  assertPayload(narrow, Buffer.concat([u32(0x7fff_f000), u32(0)]));
  assertPayload(reply({ copyFileRange: () => 0x2_0000_0001 }, request(53, {}, zeros(56))), u64(0x2_0000_0001n));
});

test('STATFS replies struct fuse_kstatfs', () => {
  const statfs = { blocks: 0x1_0000_0001, bfree: 2, bavail: 3, files: 4, ffree: 5, bsize: 4096, namelen: 255 };
  const expected = [u64(0x1_0000_0001n), u64(2n), u64(3n), u64(4n), u64(5n), u32(4096), u32(255), u32(512), zeros(28)];
  assertPayload(reply({ statfs: () => ({ ...statfs, frsize: 512 }) }, request(17, {})), Buffer.concat(expected));
});

test('GETXATTR replies the value, its size for no room, ERANGE for too little', () => {
  const getxattr = () => Buffer.from('value');
  const ask = (room: number) => request(22, {}, u32(room), u32(0), cstring('user.k'));
  assertPayload(reply({ getxattr }, ask(5)), Buffer.from('value'));
  assertPayload(reply({ getxattr }, ask(0)), Buffer.concat([u32(5), u32(0)]));
  assert.equal(reply({ getxattr }, ask(4)).error, -34);
  assertPayload(reply({ getxattr: () => Buffer.alloc(0) }, ask(5)), Buffer.alloc(0));
});

test('LISTXATTR replies the names, or their size for no room', () => {
  const listxattr = () => Buffer.from('user.a\0user.b\0');
  assertPayload(reply({ listxattr }, request(23, {}, u32(64), u32(0))), Buffer.from('user.a\0user.b\0'));
  assertPayload(reply({ listxattr }, request(23, {}, u32(0), u32(0))), Buffer.concat([u32(14), u32(0)]));
});

const dirent = (ino: bigint, off: bigint, type: number, name: string) => {
  const end = (8 - (name.length % 8)) % 8;
  return Buffer.concat([u64(ino), u64(off), u32(name.length), u32(type), Buffer.from(name, 'latin1'), zeros(end)]);
};

test('READDIR replies padded fuse_dirents with the types of DT_*', () => {
  const readdir: FileSystem['readdir'] = (_node, _cookie, sink) => {
    sink.add('.' as Name, 10 as Ino, 0o040000, 1);
    sink.add('eight888' as Name, 11 as Ino, 0o100755, 0x1_0000_0002);
    sink.add('\xff' as Name, 12 as Ino, 0o120000, 3);
    return OK;
  };
  const expected = [dirent(10n, 1n, 4, '.'), dirent(11n, 0x1_0000_0002n, 8, 'eight888'), dirent(12n, 3n, 10, '\xff')];
  assertPayload(reply({ readdir }, readRequest(28, 4096)), Buffer.concat(expected));
});

test('READDIRPLUS puts an entry before each name, and an empty one where there is none', () => {
  const readdir: FileSystem['readdir'] = (_node, _cookie, sink) => {
    sink.add('a' as Name, 11 as Ino, 0o100000, 1, ENTRY);
    sink.add('..' as Name, 10 as Ino, 0o040000, 2);
    return OK;
  };
  const expected = [ENTRY_OUT, dirent(11n, 1n, 8, 'a'), zeros(128), dirent(10n, 2n, 4, '..')];
  assertPayload(reply({ readdir }, readRequest(44, 4096)), Buffer.concat(expected));
});

test('READDIR stops where the next entry does not fit', () => {
  const asked: boolean[] = [];
  const readdir: FileSystem['readdir'] = (_node, _cookie, sink) => {
    for (let i = 1; i <= 3; i++) {
      asked.push(sink.fits('12345678' as Name));
      if (asked.at(-1)) sink.add('12345678' as Name, i as Ino, 0o100000, i);
    }
    return OK;
  };
  const { payload } = reply({ readdir }, readRequest(28, 64));
  assert.deepEqual(asked, [true, true, false]);
  assert.equal(payload.length, 64);
});

test('READDIR that fails half way replies the errno alone', () => {
  const readdir: FileSystem['readdir'] = (_node, _cookie, sink) => {
    sink.add('a' as Name, 11 as Ino, 0o100000, 1);
    return EIO;
  };
  const failed = reply({ readdir }, readRequest(28, 4096));
  assert.equal(failed.error, -5);
  assert.equal(failed.payload.length, 0);
});

test('an errno is replied as a bare negative number', () => {
  const { error, payload } = reply({ lookup: () => ENOENT }, request(1, {}, cstring('a')));
  assert.equal(error, -2);
  assert.equal(payload.length, 0);
});
