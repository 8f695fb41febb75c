/** The session against a kernel that says what it should not, and against a file system with defects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileSystem } from '../../src/fuse/filesystem.ts';
import { FuseSession } from '../../src/fuse/session.ts';
import { type Errno, OK } from '../../src/sys/errno.ts';
import { boundCalls, close, eventfd, read, write } from '../../src/sys/libc.ts';
import { cstring, initRequest, request, u32, u64, zeros } from './bytes.ts';
import { exchange, FakeKernel } from './fake-kernel.ts';
import { recordingFs } from './recording-fs.ts';

const unlink = (unique: bigint) => request(10, { unique }, cstring('f'));
const working: Partial<FileSystem> = { unlink: () => OK, forget: () => {} };

function errors(fs: FileSystem, requests: Buffer[]): { byUnique: Record<string, number>; log: readonly string[] } {
  const { replies, log } = exchange(fs, requests);
  return { byUnique: Object.fromEntries(replies.map(({ unique, error }) => [`${unique}`, error])), log };
}

test('an unknown opcode is answered ENOSYS and the next request is served', () => {
  const requests = [request(54, { unique: 2n }), request(7, { unique: 4n }), request(4096, { unique: 6n }), unlink(8n)];
  const { byUnique, log } = errors(recordingFs(working).fs, requests);
  assert.deepEqual(byUnique, { 2: -38, 4: -38, 6: -38, 8: 0 });
  assert.deepEqual(log, []);
});

test('opening, flushing, seeking and access checks are refused so that the kernel does them itself', () => {
  const opcodes = [14, 27, 25, 35, 46, 34, 31, 32, 33, 37, 40];
  const requests = opcodes.map((opcode) => request(opcode, { unique: BigInt(opcode * 2) }, zeros(64)));
  const { byUnique } = errors(recordingFs(working).fs, requests);
  assert.deepEqual(byUnique, Object.fromEntries(opcodes.map((opcode) => [`${opcode * 2}`, -38])));
});

test('IOCTL is answered ENOTTY, RELEASE, RELEASEDIR and DESTROY OK', () => {
  const requests = [39, 18, 29, 38].map((opcode) => request(opcode, { unique: BigInt(opcode) }, zeros(64)));
  assert.deepEqual(errors(recordingFs(working).fs, requests).byUnique, { 39: -25, 18: 0, 29: 0, 38: 0 });
});

test('FORGET, BATCH_FORGET, INTERRUPT and NOTIFY_REPLY are never answered', () => {
  const batch = request(42, { unique: 4n }, u32(1), u32(0), u64(5n), u64(1n));
  const others = [
    request(2, { unique: 2n }, u64(1n)),
    request(36, { unique: 6n }, u64(2n)),
    request(41, {}, zeros(40)),
  ];
  assert.deepEqual(errors(recordingFs(working).fs, [...others, batch, unlink(8n)]).byUnique, { 8: 0 });
});

test('a request that is gone while it is read, or a connection that ends then, ends nothing by itself', () => {
  const calls = boundCalls as { read: (...args: unknown[]) => number };
  const real = calls.read;
  const gone = [-2, -4, -103];
  calls.read = (...args) => gone.pop() ?? real(...args);
  try {
    const { replies, outcome } = exchange(recordingFs(working).fs, [unlink(2n)]);
    assert.deepEqual([replies.map(({ unique, error }) => [unique, error]), outcome], [[[2n, 0]], 'unmounted']);
    assert.deepEqual(gone, []);
  } finally {
    calls.read = real;
  }
});

test('a request shorter than its struct is answered EINVAL and logged', () => {
  const requests = [
    request(4, { unique: 2n }, zeros(80)),
    request(1, { unique: 4n }),
    request(2, { unique: 6n }, zeros(4)),
    unlink(8n),
  ];
  const { byUnique, log } = errors(recordingFs(working).fs, requests);
  assert.deepEqual(byUnique, { 2: -22, 4: -22, 8: 0 });
  assert.deepEqual(log, [
    'fuse: SETATTR request of 120 bytes is too short or garbled',
    'fuse: LOOKUP request of 40 bytes is too short or garbled',
    'fuse: FORGET request of 44 bytes is too short or garbled',
  ]);
});

test('a message shorter than a header is logged and left alone', () => {
  const { byUnique, log } = errors(recordingFs(working).fs, [Buffer.alloc(39, 1), unlink(8n)]);
  assert.deepEqual(byUnique, { 8: 0 });
  assert.match(log[0] ?? '', /of 39 bytes is too short or garbled$/);
});

test('a request whose length field is wrong is answered EINVAL', () => {
  const lying = unlink(2n);
  lying.writeUInt32LE(4000, 0);
  assert.deepEqual(errors(recordingFs(working).fs, [lying, unlink(8n)]).byUnique, { 2: -22, 8: 0 });
});

test('sizes and strings that reach beyond the request are answered EIO and logged with a stack', () => {
  const longWrite = request(16, { unique: 2n }, zeros(16), u32(4096), u32(0), zeros(16), Buffer.from('data'));
  const endless = request(6, { unique: 4n }, Buffer.from('noend'));
  const longValue = request(21, { unique: 6n }, u32(100), u32(0), cstring('user.k'), Buffer.from('v'));
  const hugeRead = request(15, { unique: 10n }, zeros(16), u32(0xffff_f000), u32(0), zeros(16));
  const countless = request(42, { unique: 12n }, u32(0xffff_ffff), u32(0));
  const all = [longWrite, endless, longValue, hugeRead, countless, unlink(8n)];
  const { byUnique, log } = errors(recordingFs(working).fs, all);
  assert.deepEqual(byUnique, { 2: -5, 4: -5, 6: -5, 10: -5, 8: 0 });
  assert.equal(log.length, 5);
  assert.match(log[0] ?? '', /^fuse: WRITE of node 1 threw: RangeError: .*\n {4}at /);
});

test('a file system that throws costs the caller EIO, the log one stack, and nothing else', () => {
  const broken = {
    ...working,
    lookup: () => {
      throw new Error('defect');
    },
    forget: () => {
      throw new Error('defect in forget');
    },
  };
  const lookup = request(1, { unique: 2n, node: 9n }, cstring('x'));
  const { byUnique, log } = errors(recordingFs(broken).fs, [lookup, request(2, { unique: 4n }, u64(1n)), unlink(8n)]);
  assert.deepEqual(byUnique, { 2: -5, 8: 0 });
  assert.match(log[0] ?? '', /^fuse: LOOKUP of node 9 threw: Error: defect\n {4}at /);
  assert.match(log[1] ?? '', /^fuse: FORGET of node 1 threw: Error: defect in forget\n/);
});

test('a result that is no errno is answered EIO, for the kernel would let the caller hang', () => {
  const results = [-2, 512, Number.NaN].map((value) => value as Errno);
  const { fs } = recordingFs({ unlink: () => results.shift() ?? OK });
  const { byUnique, log } = errors(fs, [unlink(2n), unlink(4n), unlink(6n), unlink(8n)]);
  assert.deepEqual(byUnique, { 2: -5, 4: -5, 6: -5, 8: 0 });
  assert.deepEqual(log, [
    'fuse: opcode 10 was answered with -2, which is no errno',
    'fuse: opcode 10 was answered with 512, which is no errno',
    'fuse: opcode 10 was answered with NaN, which is no errno',
  ]);
});

test('counters name every opcode that was seen', () => {
  const { fs } = recordingFs(working);
  const requests = [initRequest(45), unlink(2n), unlink(4n), request(2, {}, u64(1n)), request(99, {})];
  const { session } = exchange(fs, requests);
  assert.deepEqual(session.counters, { UNKNOWN: 1, FORGET: 1, UNLINK: 2, INIT: 1 });
});

test('the end of the device ends run with unmounted', () => {
  assert.equal(exchange(recordingFs(working).fs, []).outcome, 'unmounted');
});

test('a descriptor that is no device makes run throw the errno', () => {
  const session = new FuseSession({ fd: 9999, fs: recordingFs().fs, writeback: false, log: () => {} });
  assert.throws(() => session.run(), /^SystemError: read from the FUSE device: EBADF/);
});

test('stop from a watched descriptor ends run with stopped, between requests', () => {
  const kernel = new FakeKernel();
  const wake = eventfd();
  const order: string[] = [];
  const { fs } = recordingFs({
    unlink: () => {
      order.push('unlink begins');
      write(wake, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
      order.push('unlink ends');
      return OK;
    },
  });
  const onReadable = () => {
    order.push(`readable ${read(wake, Buffer.alloc(8))}`);
    session.stop();
  };
  const parts = { fd: kernel.fd, fs, writeback: true, watch: [{ fd: wake, onReadable }] };
  const session = new FuseSession({ ...parts, log: (line) => order.push(line) });
  kernel.send(unlink(2n));
  assert.equal(session.run(), 'stopped');
  assert.deepEqual(order, ['unlink begins', 'unlink ends', 'readable 8']);
  kernel.hangUp();
  assert.equal(session.run(), 'unmounted', 'it can be run again');
  kernel.close();
  close(wake);
});

test('drain() serves all that is queued before what a watched descriptor asks for', () => {
  const kernel = new FakeKernel();
  const wake = eventfd();
  let served = 0;
  const { fs } = recordingFs({
    unlink: () => {
      served += 1;
      return OK;
    },
  });
  const seen: number[] = [];
  const onReadable = (): void => {
    session.drain(1000);
    seen.push(served);
    session.stop();
  };
  const parts = { fd: kernel.fd, fs, writeback: true, watch: [{ fd: wake, onReadable }] };
  const session = new FuseSession({ ...parts, log: assert.fail });
  for (let unique = 2n; unique < 202n; unique++) kernel.send(unlink(unique));
  write(wake, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
  assert.equal(session.run(), 'stopped');
  assert.deepEqual(seen, [200]);
  assert.equal(kernel.receive().length, 200);
  kernel.close();
  close(wake);
});

test('a watched descriptor is served although requests never cease', () => {
  const kernel = new FakeKernel();
  const wake = eventfd();
  let served = 0;
  const { fs } = recordingFs({
    unlink: () => {
      served++;
      kernel.send(unlink(2n));
      kernel.receive();
      return OK;
    },
  });
  const watch = [{ fd: wake, onReadable: () => session.stop() }];
  const session = new FuseSession({ fd: kernel.fd, fs, writeback: true, watch, log: assert.fail });
  write(wake, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
  kernel.send(unlink(2n));
  assert.equal(session.run(), 'stopped');
  assert.ok(served > 0 && served <= 100, `${served} requests served before the descriptor`);
  kernel.close();
  close(wake);
});

test('idle is called after the work, and again when it asked to be', () => {
  const kernel = new FakeKernel();
  const order: string[] = [];
  const { fs } = recordingFs({
    unlink: () => {
      order.push('unlink');
      return OK;
    },
  });
  const answers = [5, 5, -1];
  const idle = () => {
    order.push('idle');
    if (answers.length === 1) kernel.hangUp();
    return answers.shift() ?? -1;
  };
  kernel.send(unlink(2n));
  kernel.send(unlink(4n));
  const session = new FuseSession({ fd: kernel.fd, fs, writeback: true, idle, log: assert.fail });
  assert.equal(session.run(), 'unmounted');
  assert.deepEqual(order, ['unlink', 'unlink', 'idle', 'idle', 'idle']);
  kernel.close();
});
