/** Two connections of one session: whose node 1 is what, whose turn it is, and what is left when one ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entry, FileSystem } from '../../src/fuse/filesystem.ts';
import type { SharingEvents } from '../../src/fuse/nodes.ts';
import { FuseSession } from '../../src/fuse/session.ts';
import type { Ino, NodeId } from '../../src/sys/bytes.ts';
import { OK } from '../../src/sys/errno.ts';
import { cstring, request, u32, u64, zeros } from './bytes.ts';
import { FakeKernel } from './fake-kernel.ts';
import { type Calls, recordingFs } from './recording-fs.ts';

const ROOT = 42 as NodeId;
const times = {
  atimeSec: 0,
  atimeNsec: 0,
  mtimeSec: 0,
  mtimeNsec: 0,
  ctimeSec: 0,
  ctimeNsec: 0,
  btimeSec: 0,
  btimeNsec: 0,
};
const stat = {
  mode: 0o100644,
  nlink: 1,
  uid: 0,
  gid: 0,
  ino: 5 as Ino,
  size: 0,
  blocks: 0,
  blksize: 4096,
  dev: 0,
  rdev: 0,
};
const entry = (nodeId: number): Entry => ({
  nodeId: nodeId as NodeId,
  inodeGeneration: 0,
  entryValid: 1,
  attrValid: 1,
  stat: { ...stat, ...times },
});

const NOTHING: SharingEvents = { onShared: () => {}, onRenamed: () => {}, areApart: () => false };

interface Pair {
  readonly first: FakeKernel;
  readonly second: FakeKernel;
  readonly session: FuseSession;
  readonly calls: Calls;
  end(): void;
}

function pair(answers: Partial<FileSystem>, sharing: SharingEvents = NOTHING): Pair {
  const [first, second] = [new FakeKernel(), new FakeKernel()];
  const { fs, calls } = recordingFs({ forget: () => {}, ...answers });
  const beside = { fd: second.fd, fs, root: ROOT };
  const session = new FuseSession({
    fd: first.fd,
    fs,
    openless: false,
    beside,
    sharing,
    writeback: true,
    log: assert.fail,
  });
  const end = (): void => {
    first.close();
    second.close();
  };
  return { first, second, session, calls, end };
}

function serveAll({ first, second, session }: Pair): void {
  first.hangUp();
  second.hangUp();
  assert.equal(session.run(), 'unmounted');
}

test('node 1 is the root on the first connection and the directory on the second, in every place of a request', () => {
  const both = pair({ lookup: () => entry(7), unlink: () => OK, rename: () => OK, link: () => entry(9) });
  for (const kernel of [both.first, both.second]) {
    kernel.send(request(1, { unique: 2n }, cstring('name')));
    kernel.send(request(12, { unique: 4n }, u64(1n), cstring('a'), cstring('b')));
    kernel.send(request(13, { unique: 6n }, u64(7n), cstring('other')));
    kernel.send(request(42, { unique: 8n }, u32(1), u32(0), u64(1n), u64(3n)));
  }
  serveAll(both);
  const nodes = (method: string): unknown[] =>
    both.calls.filter(([name]) => name === method).map((call) => (method === 'link' ? call[2] : call[1]));
  assert.deepEqual(nodes('lookup').sort(), [1, ROOT]);
  assert.deepEqual(nodes('link').sort(), [1, ROOT]);
  assert.deepEqual(
    nodes('rename').map((rename) => [
      (rename as { fromParent: number }).fromParent,
      (rename as { toParent: number }).toParent,
    ]),
    [
      [1, 1],
      [ROOT, ROOT],
    ],
  );
  assert.deepEqual(
    [both.first.receive(), both.second.receive()].map((replies) => replies.map(({ unique, error }) => [unique, error])),
    [0, 1].map(() => [
      [2n, 0],
      [4n, 0],
      [6n, 0],
    ]),
  );
  both.end();
});

test('open(2) is asked on the connection that is gated and refused for good on the other', () => {
  const both = pair({ open: () => OK });
  both.first.send(request(14, { unique: 2n, node: 5n }, zeros(8)));
  both.second.send(request(14, { unique: 2n, node: 6n }, zeros(8)));
  serveAll(both);
  assert.deepEqual(
    [both.first, both.second].map((kernel) => kernel.receive()[0]?.error),
    [0, -38],
  );
  assert.deepEqual(
    both.calls.filter(([method]) => method === 'open').map((call) => call[1]),
    [5],
  );
  both.end();
});

test('a session ends when all connections have; what one of them alone knew is forgotten with it', () => {
  let looked = 0;
  const both = pair({ lookup: () => entry(++looked === 3 ? 8 : 7), unlink: () => OK });
  both.second.send(request(1, { unique: 2n }, cstring('seven')));
  both.second.send(request(1, { unique: 4n }, cstring('seven')));
  both.second.send(request(1, { unique: 6n }, cstring('eight')));
  both.second.send(request(2, { node: 8n }, u64(1n)));
  both.second.hangUp();
  both.first.send(request(10, { unique: 2n }, cstring('f')));
  both.first.hangUp();
  assert.equal(both.session.run(), 'unmounted');
  assert.equal(both.first.receive().length, 1, 'the first was served as well');
  const forgotten = both.calls.filter(([method]) => method === 'forget').map(([, node, count]) => [node, count]);
  assert.ok(
    forgotten.some(([node, count]) => node === 8 && count === 1),
    'by the kernel',
  );
  assert.deepEqual(
    forgotten.filter(([node]) => node === ROOT),
    [],
    'the directory is held by whoever made the mount',
  );
  both.end();
});

test('knowing() names the connections that remember a node', () => {
  const both = pair({ lookup: () => entry(7), unlink: () => OK });
  const seen: number[][] = [];
  both.first.send(request(1, { unique: 2n }, cstring('seven')));
  serveAllBut(both, () =>
    seen.push(...[1, ROOT, 7, 8].map((node) => both.session.knowing(node as NodeId).map(({ fd }) => fd))),
  );
  const { first, second } = both;
  assert.deepEqual(seen, [[first.fd], [second.fd], [first.fd], []]);
  both.end();
});

/** Serves what was sent, then looks. */
function serveAllBut({ first, session }: Pair, look: () => void): void {
  session.drain(1000);
  look();
  first.receive();
}

test('drain() before run() serves the second connection although the first has nothing to say', () => {
  const both = pair({ unlink: () => OK });
  both.second.send(request(10, { unique: 2n }, cstring('f')));
  both.session.drain(1000);
  assert.equal(both.second.receive().length, 1);
  both.end();
});

test('a connection is served soon although requests on the other never cease', () => {
  let served = 0;
  const both = pair({
    unlink: (node) => {
      if (node === ROOT) both.session.stop();
      else both.first.send(request(10, { unique: 2n }, cstring('f')));
      served++;
      both.first.receive();
      return OK;
    },
  });
  both.second.send(request(10, { unique: 2n }, cstring('f')));
  both.first.send(request(10, { unique: 2n }, cstring('f')));
  assert.equal(both.session.run(), 'stopped');
  assert.ok(served <= 20, `${served} requests before it`);
  both.end();
});

test('a file that is changed by one connection comes back by the other under another number', () => {
  const shared: number[] = [];
  const both = pair(
    { lookup: () => entry(7), write: () => 1, read: () => 0 },
    { ...NOTHING, onShared: (node) => shared.push(node) },
  );
  const look = (kernel: FakeKernel): { id: bigint; valid: bigint } => {
    kernel.send(request(1, { unique: 2n }, cstring('seven')));
    both.session.drain(1000);
    const payload = kernel.receive()[0]?.payload ?? Buffer.alloc(40);
    return { id: payload.readBigUInt64LE(0), valid: payload.readBigUInt64LE(16) };
  };
  const write = (kernel: FakeKernel, node: bigint): void => {
    kernel.send(request(16, { unique: 4n, node }, zeros(16), u32(1), u32(0), zeros(16), Buffer.from('x')));
    both.session.drain(1000);
    assert.equal(kernel.receive()[0]?.error, 0);
  };
  const { first, second } = both;
  assert.deepEqual(look(first), { id: 7n, valid: 1n });
  assert.deepEqual(look(second), { id: 7n, valid: 0n });
  assert.deepEqual(shared, [7]);
  write(second, 7n);
  const again = look(first);
  assert.ok(again.id >= 2n ** 40n, `${again.id}`);
  assert.deepEqual([look(first), look(second)], [again, { id: 7n, valid: 0n }]);
  assert.deepEqual(both.session.knowing(7 as NodeId)[0]?.aliases, [Number(again.id)]);
  write(first, again.id);
  assert.notEqual(look(second).id, 7n);
  assert.deepEqual(
    both.calls.filter(([method]) => method === 'write').map((call) => call[1]),
    [7, 7],
  );
  first.send(request(2, { node: again.id }, u64(2n)));
  first.send(request(2, { node: 7n }, u64(1n)));
  both.session.drain(1000);
  assert.deepEqual(
    both.session.knowing(7 as NodeId).map(({ fd }) => fd),
    [second.fd],
  );
  assert.deepEqual(
    both.calls.filter(([method]) => method === 'forget').map(([, node, count]) => [node, count]),
    [
      [7, 2],
      [7, 1],
    ],
  );
  both.end();
});

test('a name that changes by one connection is told to the other, once both are reached by it', () => {
  const told: unknown[] = [];
  let areApart = false;
  const both = pair(
    { lookup: () => entry(7), unlink: () => OK, rename: () => OK },
    { ...NOTHING, onRenamed: (parent, name, device) => told.push([parent, name, device]), areApart: () => areApart },
  );
  const { first, second } = both;
  first.send(request(1, { unique: 2n }, cstring('seven')));
  const rename = request(12, { unique: 4n, node: 7n }, u64(1n), cstring('a'), cstring('b'));
  second.send(rename);
  both.session.drain(1000);
  areApart = true;
  second.send(rename);
  first.send(request(10, { unique: 6n, node: 7n }, cstring('c')));
  both.session.drain(1000);
  assert.deepEqual(told, [[7, 'a', first.fd]]);
  both.end();
});
