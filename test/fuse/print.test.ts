/** The trace format, line by line: people and scripts read it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderReply, renderRequest } from '../../src/fuse/codec/print.ts';
import { Reply } from '../../src/fuse/codec/reply.ts';
import { Request } from '../../src/fuse/codec/request.ts';
import { OPERATIONS, UNKNOWN } from '../../src/fuse/ops.ts';
import { EIO, OK } from '../../src/sys/errno.ts';
import { cstring, request, u32, u64, zeros } from './bytes.ts';

function load(bytes: Buffer): Request {
  const loaded = new Request(8192);
  bytes.copy(loaded.buffer);
  loaded.begin(bytes.length);
  return loaded;
}

function line(bytes: Buffer): string {
  const loaded = load(bytes);
  return renderRequest((OPERATIONS[loaded.opcode] ?? UNKNOWN).name, loaded);
}

const read = [u64(0n), u64(4096n), u32(131072), u32(0), zeros(16)];

test('renderRequest shows number, name, node, details and process', () => {
  const lines = [
    line(request(1, {}, cstring('src'))),
    line(request(3, { node: 4n }, zeros(16))),
    line(request(15, { node: 4n }, ...read)),
    line(request(16, { node: 4n }, ...read)),
    line(request(44, { node: 4n }, ...read)),
    line(request(4, { node: 4n }, u32(0b1001), zeros(84))),
    line(request(6, {}, cstring('l'), cstring('../t'))),
    line(request(8, {}, u32(0o100644), zeros(12), cstring('f'))),
    line(request(9, {}, u32(0o755), u32(0), cstring('d'))),
    line(request(10, {}, cstring('f'))),
    line(request(12, {}, u64(2n), cstring('a'), cstring('b'))),
    line(request(45, {}, u64(2n), u32(1), u32(0), cstring('a'), cstring('b'))),
    line(request(13, {}, u64(9n), cstring('twin'))),
    line(request(21, {}, u32(1), u32(0), cstring('user.k'), Buffer.from('v'))),
    line(request(22, {}, u32(1), u32(0), cstring('user.k'))),
    line(request(2, { node: 4n }, u64(3n))),
    line(request(42, { node: 0n }, u32(1), u32(0), u64(3n), u64(1n))),
    line(request(99, { unique: 0x1_0000_0002n })),
  ];
  assert.deepEqual(lines, [
    'rx 7 LOOKUP n1 "src" p812',
    'rx 7 GETATTR n4 p812',
    'rx 7 READ n4 4096+131072 p812',
    'rx 7 WRITE n4 4096+131072 p812',
    'rx 7 READDIRPLUS n4 4096+131072 p812',
    'rx 7 SETATTR n4 mode,size p812',
    'rx 7 SYMLINK n1 "l" "../t" p812',
    'rx 7 MKNOD n1 "f" 0100644 p812',
    'rx 7 MKDIR n1 "d" 0755 p812',
    'rx 7 UNLINK n1 "f" p812',
    'rx 7 RENAME n1 to n2 "a" "b" p812',
    'rx 7 RENAME2 n1 to n2 "a" "b" flags 1 p812',
    'rx 7 LINK n1 of n9 "twin" p812',
    'rx 7 SETXATTR n1 "user.k" p812',
    'rx 7 GETXATTR n1 "user.k" p812',
    'rx 7 FORGET n4 -3 p812',
    'rx 7 BATCH_FORGET n0 x1 p812',
    'rx 4294967298 UNKNOWN n1 p812',
  ]);
});

test('renderRequest shows a name that is not text with escapes', () => {
  assert.equal(line(request(1, {}, cstring('\xff\n'))), 'rx 7 LOOKUP n1 "\\xff\\x0a" p812');
});

test('renderRequest says so when a request is too short for its details', () => {
  assert.equal(line(request(6, {}, Buffer.from('noend'))), 'rx 7 SYMLINK n1 short (5 bytes) p812');
});

test('renderReply shows the errno, or the node and the size of what is sent', () => {
  const reply = new Reply(4096);
  const lookup = load(request(1, {}, cstring('a')));
  assert.equal(renderReply(lookup, reply, EIO), 'tx 7 EIO');
  reply.entry({ nodeId: 0, entryValid: 1 });
  assert.equal(renderReply(lookup, reply, OK), 'tx 7 OK n0 128');
  reply.length = 0;
  assert.equal(renderReply(load(request(10, {}, cstring('a'))), reply, OK), 'tx 7 OK');
});
