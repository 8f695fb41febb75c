/** The quota counts what the store occupies, as du(1) does, and lets no data pass it. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import type { BytePath, Gen, NodeId, ObjectId } from '../../src/sys/bytes.ts';
import { ENOSPC, OK } from '../../src/sys/errno.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { openView, type TestView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

const CALLER = { uid: 0, gid: 0, pid: 0, ticket: 0 as Ticket };
const LIMIT = 1 << 20;
/** What an object's extents take at most here: the file system takes it, or gives it back, when it writes back. */
const EXTENTS = 4096;
const IN_MEMORY = '/dev/shm';
const TMPFS_MAGIC = 0x01021994;
const NAMES = ['a', 'b', 'base', 'sparse'];

type Op =
  | readonly [verb: 'write', name: string, offset: number, length: number]
  | readonly [verb: 'truncate' | 'punch' | 'allocate', name: string, length: number]
  | readonly [verb: 'copy', from: string, to: string]
  | readonly [verb: 'rm', name: string]
  | readonly [verb: 'snapshot' | 'settle'];

const name = fc.constantFrom(...NAMES);
const bytes = fc.oneof(fc.nat(10_000), fc.nat(600_000));
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('write' as const), name, bytes, bytes) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('truncate' as const, 'punch' as const, 'allocate' as const), name, bytes),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constant('copy' as const), name, name) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('rm' as const), name) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('snapshot' as const, 'settle' as const)) },
);

interface View {
  readonly v: TestView;
  readonly driver: ViewDriver;
  readonly at: (name: string) => BytePath;
}

function view(
  t: TestContext | undefined,
  options: { quota?: number; records?: () => number; under?: string } = {},
): View {
  const v = openView(options);
  t?.after(() => v.close());
  fs.mkdirSync(v.dir);
  fs.writeFileSync(`${v.dir}/base`, 'x'.repeat(50_000));
  fs.truncateSync(`${v.dir}/base`, 300_000);
  return { v, driver: new ViewDriver(v.overlay), at: (name) => `${v.dir}/${name}` as BytePath };
}

/** The objects in the store, from a walk. */
function objects({ store }: TestView): string[] {
  const root = `/proc/self/fd/${store.dirfd}`;
  return fs
    .readdirSync(root)
    .flatMap((shard) => fs.readdirSync(`${root}/${shard}`).map((file) => `${root}/${shard}/${file}`));
}

/** Bytes of the objects on the disk. */
function occupied(v: TestView): number {
  return objects(v).reduce((sum, file) => sum + fs.statSync(file).blocks * 512, 0);
}

/** Has everything written back, which the kernel may do at any time. */
function settle(v: TestView): void {
  for (const file of objects(v)) {
    const fd = fs.openSync(file, 'r');
    fs.fsyncSync(fd);
    fs.closeSync(fd);
  }
}

/** A digest of each file's content, as the view shows it. */
function contents({ v, driver, at }: View): string[] {
  const into = Buffer.alloc(1 << 21);
  return NAMES.map((name) => {
    const node = driver.resolve(at(name));
    const length = node < 0 ? 0 : v.overlay.read(node as NodeId, 0, into);
    return createHash('sha1').update(into.subarray(0, length)).digest('hex');
  });
}

function carryOut({ v, driver, at }: View, [verb, ...args]: Op): number {
  const [first = '', second = 0, third = 0] = args as [string, number | string, number];
  if (verb === 'snapshot') {
    v.recorder.generation = (v.recorder.generation + 1) as Gen;
    return OK;
  }
  if (verb === 'settle') {
    settle(v);
    return OK;
  }
  if (driver.resolve(at(first)) < 0 && driver.create(at(first), 0o644) !== OK) return ENOSPC;
  const node = driver.resolve(at(first)) as NodeId;
  switch (verb) {
    case 'write': {
      const written = v.overlay.write(node, Number(second), Buffer.alloc(third, 1), CALLER);
      return written < 0 ? -written : OK;
    }
    case 'truncate':
      return driver.truncate(at(first), Number(second));
    case 'punch':
      return v.overlay.fallocate(node, 3, { offset: 4096, length: Number(second) + 1 }, CALLER);
    case 'allocate':
      return v.overlay.fallocate(node, 0, { offset: 0, length: Number(second) + 1 }, CALLER);
    case 'copy': {
      if (first === second) return OK;
      if (driver.resolve(at(String(second))) < 0 && driver.create(at(String(second)), 0o644) !== OK) return ENOSPC;
      const to = driver.resolve(at(String(second))) as NodeId;
      const request = { from: node, to, fromOffset: 0, toOffset: 0, length: 1 << 20 };
      const copied = v.overlay.copyFileRange(request, CALLER);
      return copied < 0 ? -copied : OK;
    }
    case 'rm': {
      const errno = driver.unlink(at(first));
      const inode = v.overlay.getattr(node);
      // The kernel lets go of it.
      if (typeof inode === 'object') v.overlay.forget(node, 1_000_000);
      return errno;
    }
  }
}

/** Plays random operations against a view in `under`; after each one `check` looks at it. */
function play(under: string, check: (v: TestView, op: Op) => void): void {
  let refused = 0;
  fc.assert(
    fc.property(fc.array(op, { minLength: 20, maxLength: 60 }), (ops) => {
      const w = view(undefined, { quota: LIMIT, under });
      try {
        for (const each of ops) {
          const before = contents(w);
          const errno = carryOut(w, each);
          assert.ok(errno === OK || errno === ENOSPC, `${JSON.stringify(each)}: ${errno}`);
          if (errno === ENOSPC) {
            refused += 1;
            assert.deepEqual(contents(w), before, `${JSON.stringify(each)} was refused and changed something`);
          }
          check(w.v, each);
        }
      } finally {
        w.v.close();
      }
    }),
    // Shrinking takes long where the disk is slow.
    { numRuns: runs(25), endOnFailure: true, includeErrorInReport: true },
  );
  assert.ok(refused > 20, `only ${refused} operations were refused`);
}

test('the quota counts exactly what the objects occupy, whatever is done, and is never passed', () => {
  assert.equal(fs.statfsSync(IN_MEMORY).type, TMPFS_MAGIC, `${IN_MEMORY} must be a tmpfs`);
  // Only there does nothing but the operations change what a file occupies.
  play(IN_MEMORY, (v, each) => {
    assert.equal(v.quota.used, occupied(v), JSON.stringify(each));
    assert.ok(v.quota.used <= LIMIT);
  });
});

test('on a disk, too, but for the blocks that an object takes for its extents when it is written back', () => {
  play('/var/tmp', (v, each) => {
    const room = EXTENTS * objects(v).length;
    const [counted, there] = [v.quota.used, occupied(v)];
    assert.ok(Math.abs(counted - there) <= room, `${JSON.stringify(each)}: ${counted} counted, ${there} there`);
    assert.ok(counted <= LIMIT + room);
  });
});

test('what the file system takes for an object in the background does not make the count drift', (t) => {
  const w = view(t, { quota: LIMIT });
  assert.equal(carryOut(w, ['write', 'b', 0, 300_000]), OK);
  settle(w.v);
  for (let round = 0; round < 20; round++) {
    // More extents than fit into the inode.
    for (let i = 0; i < 8; i++) assert.equal(carryOut(w, ['write', 'a', i * 8192, 1]), OK);
    settle(w.v);
    assert.equal(carryOut(w, ['rm', 'a']), OK);
    assert.equal(w.v.quota.used, occupied(w.v));
  }
});

test('an object that is no longer remembered was counted as it is', (t) => {
  const { v } = view(t, { quota: 2 ** 40 });
  const make = (object: ObjectId, extents: number): void => {
    const fd = v.store.create(object);
    v.quota.made(object);
    for (let i = 0; i < extents; i++) fs.writeSync(fd, 'x', i * 8192);
    v.quota.changed(object, fd);
    fs.closeSync(fd);
  };
  make(1 as ObjectId, 8);
  settle(v);
  for (let object = 2; object < 9000; object++) make(object as ObjectId, 0);
  assert.equal(v.quota.used, occupied(v));
  for (let object = 1; object < 9000; object++) v.quota.remove(object as ObjectId);
  assert.equal(v.quota.used, 0);
});

test('without a quota nothing is counted, and nothing is refused', (t) => {
  const w = view(t);
  assert.equal(carryOut(w, ['write', 'a', 0, 2 * LIMIT]), OK);
  assert.equal(w.v.quota.used, 0);
});

test('what is there can be written over when nothing more fits, and room comes back with a deletion', (t) => {
  const w = view(t, { quota: LIMIT });
  assert.equal(carryOut(w, ['write', 'a', 0, LIMIT]), OK);
  assert.equal(carryOut(w, ['write', 'b', 0, 1]), ENOSPC);
  assert.equal(carryOut(w, ['write', 'base', 0, 1]), ENOSPC, 'a copy of the base file needs room');
  assert.equal(carryOut(w, ['write', 'a', 5000, 100_000]), OK);
  const { statfs } = w.v.overlay;
  const space = statfs.call(w.v.overlay);
  assert.ok(typeof space === 'object');
  assert.deepEqual([space.blocks * space.frsize, space.bavail], [LIMIT, 0]);
  assert.equal(carryOut(w, ['rm', 'a']), OK);
  assert.equal(carryOut(w, ['write', 'base', 0, 1]), OK);
});

test('a byte in the midst of a hole takes its page, which must fit', (t) => {
  const w = view(t, { quota: LIMIT });
  assert.equal(carryOut(w, ['truncate', 'sparse', 80_487]), OK);
  assert.equal(carryOut(w, ['write', 'a', 0, LIMIT]), OK);
  assert.equal(carryOut(w, ['write', 'sparse', 9771, 12]), ENOSPC);
});

test('content that a snapshot has is not written over, so that it needs room again', (t) => {
  const w = view(t, { quota: LIMIT });
  assert.equal(carryOut(w, ['write', 'a', 0, 600_000]), OK);
  assert.equal(carryOut(w, ['snapshot']), OK);
  assert.equal(carryOut(w, ['write', 'a', 0, 1]), ENOSPC);
  assert.equal(carryOut(w, ['truncate', 'a', 100_000]), OK, 'a copy of less does fit');
  w.v.quota.setLimit(2 * LIMIT);
  assert.equal(carryOut(w, ['write', 'a', 100_000, 1]), OK);
});

test('a count in the background adds up with what is written meanwhile', (t) => {
  const w = view(t);
  assert.equal(carryOut(w, ['write', 'a', 0, 300_000]), OK);
  const counted = occupied(w.v);
  w.v.quota.setLimit(LIMIT);
  w.v.quota.beginCount();
  assert.equal(carryOut(w, ['write', 'b', 0, 300_000]), OK);
  w.v.quota.endCount(counted);
  assert.equal(w.v.quota.used, occupied(w.v));
});

test('S14: records count like contents; at the limit only deletions are recorded', (t) => {
  let bytes = 0;
  const w = view(t, { quota: LIMIT, records: () => bytes });
  assert.equal(carryOut(w, ['write', 'a', 0, 10_000]), OK);
  assert.equal(w.driver.chmod(w.at('a'), 0o600), OK);
  bytes = LIMIT;
  const { length } = w.v.recorder.records;
  assert.equal(w.driver.chmod(w.at('a'), 0o640), ENOSPC);
  assert.equal(w.driver.mkdir(w.at('d'), 0o755), ENOSPC);
  assert.equal(w.driver.rename(w.at('a'), w.at('b')), ENOSPC);
  assert.equal(w.driver.link(w.at('a'), w.at('b')), ENOSPC);
  assert.equal(w.v.recorder.records.length, length);
  assert.equal(w.driver.unlink(w.at('a')), OK);
  // What is staged was committed or aborted: its records are of the past.
  bytes = 0;
  assert.equal(w.driver.mkdir(w.at('d'), 0o755), OK);
});
