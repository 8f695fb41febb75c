/** What is agreed on with kernels old and new. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionOptions } from '../../src/fuse/codec/connection-options.ts';
import { encodeInitOut } from '../../src/fuse/codec/init.ts';
import { initRequest, request, u32, zeros } from './bytes.ts';
import { exchange } from './fake-kernel.ts';
import { recordingFs } from './recording-fs.ts';

function initOut(init: Buffer, options: Partial<ConnectionOptions> = {}): { error: number; payload: Buffer } {
  const { replies } = exchange(recordingFs().fs, [init], options);
  const [reply] = replies;
  assert.ok(reply !== undefined);
  return reply;
}

const NAMES: Record<number, string> = {
  0: 'ASYNC_READ',
  3: 'ATOMIC_O_TRUNC',
  5: 'BIG_WRITES',
  12: 'AUTO_INVAL_DATA',
  13: 'DO_READDIRPLUS',
  14: 'READDIRPLUS_AUTO',
  16: 'WRITEBACK_CACHE',
  17: 'NO_OPEN_SUPPORT',
  18: 'PARALLEL_DIROPS',
  22: 'MAX_PAGES',
  23: 'CACHE_SYMLINKS',
  24: 'NO_OPENDIR_SUPPORT',
  28: 'HANDLE_KILLPRIV_V2',
  29: 'SETXATTR_EXT',
  30: 'INIT_EXT',
};

function flagNames(flags: number): string[] {
  const bits = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => (flags >>> bit) & 1);
  return bits.map((bit) => NAMES[bit] ?? `bit ${bit}`);
}

test('INIT with a kernel of 7.45 that offers everything takes what is wanted and no more', () => {
  const { error, payload } = initOut(initRequest(45));
  assert.equal(error, 0);
  assert.deepEqual(flagNames(payload.readUInt32LE(12)), [
    'ASYNC_READ',
    'BIG_WRITES',
    'DO_READDIRPLUS',
    'WRITEBACK_CACHE',
    'NO_OPEN_SUPPORT',
    'PARALLEL_DIROPS',
    'MAX_PAGES',
    'CACHE_SYMLINKS',
    'NO_OPENDIR_SUPPORT',
    'HANDLE_KILLPRIV_V2',
    'SETXATTR_EXT',
    'INIT_EXT',
  ]);
});

test('INIT replies fuse_init_out of 64 bytes, field by field', () => {
  const { payload } = initOut(initRequest(45, 1 << 22, 262144));
  const expected = [
    u32(7), // major
    u32(45), // minor
    u32(262144), // max_readahead as offered
    u32(1 << 22), // flags: only what was offered
    Buffer.from([64, 0, 48, 0]), // max_background, congestion_threshold
    u32(1048576), // max_write
    u32(1), // time_gran
    Buffer.from([0, 1, 0, 0]), // max_pages 256, map_alignment
    u32(0), // flags2
    zeros(28),
  ];
  assert.equal(payload.toString('hex'), Buffer.concat(expected).toString('hex'));
});

test('INIT lets the kernel read a MiB at once, whatever the size of its pages', () => {
  for (const page of [4096, 16384, 65536]) {
    const reply = encodeInitOut({ minor: 45, flags: 1 << 22, maxReadahead: 131072 }, page);
    assert.equal(reply.readUInt16LE(28) * page, 1048576, `pages of ${page} bytes`);
  }
});

test('INIT takes the lower minor: the oldest as it is, an unknown newer one as the newest known', () => {
  assert.equal(initOut(initRequest(31)).payload.readUInt32LE(4), 31);
  assert.equal(initOut(initRequest(32)).payload.readUInt32LE(4), 32);
  assert.equal(initOut(initRequest(99)).payload.readUInt32LE(4), 45);
});

test('INIT obeys the options', () => {
  const options = { writeback: false, readdirplusAuto: true, autoInvalData: true };
  const names = flagNames(initOut(initRequest(45), options).payload.readUInt32LE(12));
  assert.ok(!names.includes('WRITEBACK_CACHE'));
  assert.ok(names.includes('READDIRPLUS_AUTO'));
  assert.ok(names.includes('DO_READDIRPLUS'));
  assert.ok(names.includes('AUTO_INVAL_DATA'));
});

test('INIT with a kernel that is too old is refused with EPROTO, and run says what is needed', () => {
  const run = () => exchange(recordingFs().fs, [initRequest(30)]);
  assert.throws(run, /^Error: this kernel speaks FUSE 7\.30; 7\.31 \(Linux 5\.4\) or newer is needed$/);
});

test('INIT of a later major version is answered with ours, so that the kernel asks again', () => {
  const later = request(26, { unique: 1n, node: 0n }, u32(8), u32(0), u32(0), u32(0), zeros(48));
  const { error, payload } = initOut(later);
  assert.equal(error, 0);
  assert.equal(payload.toString('hex'), Buffer.concat([u32(7), u32(45), zeros(56)]).toString('hex'));
});
