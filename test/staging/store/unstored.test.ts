/** D2, without a mount: what the store refuses of the kernel's write-back is shown under a new node, as it is stored. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Caller } from '../../../src/fuse/filesystem.ts';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { EIO, ENOSPC, type Errno, ESTALE, OK } from '../../../src/sys/errno.ts';
import { boundCalls } from '../../../src/sys/libc.ts';
import { Watch } from '../../crash/faults.ts';
import { openView, type TestView } from '../session-parts.ts';
import { CALLER, ViewDriver } from '../view-driver.ts';

const KERNEL: Caller = { ...CALLER, pid: 0 };

interface View {
  readonly v: TestView;
  readonly driver: ViewDriver;
  readonly node: (name: string) => NodeId;
  readonly at: (name: string) => BytePath;
  readonly content: (name: string) => string | undefined;
}

function view(t: TestContext, quota?: number): View {
  const v = openView(quota === undefined ? {} : { quota });
  t.after(() => v.close());
  mkdirSync(v.dir);
  writeFileSync(`${v.dir}/base`, 'of the base');
  const driver = new ViewDriver(v.overlay);
  const at = (name: string): BytePath => `${v.dir}/${name}` as BytePath;
  const content = (name: string): string | undefined => driver.image(v.dir).get(name)?.content;
  return { v, driver, at, content, node: (name) => driver.resolve(at(name)) as NodeId };
}

/** A write whose system calls fail from the `at`th on. */
function failing(does: Errno, at: number, write: () => number): number {
  const watch = new Watch({ at, does, named: /^pwrite$/, lasting: true });
  try {
    return write();
  } finally {
    watch.end();
  }
}

for (const errno of [ENOSPC, EIO]) {
  test(`D2: after write-back got errno ${errno} the name has another node, which shows what is stored`, (t) => {
    const { v, driver, at, node, content } = view(t);
    assert.equal(driver.create(at('a'), 0o644), OK);
    const old = node('a');
    assert.equal(v.overlay.write(old, 0, Buffer.from('kept'), KERNEL), 4);
    assert.equal(
      failing(errno, 1, () => v.overlay.write(old, 4, Buffer.from('lost'), KERNEL)),
      -errno,
    );
    const now = node('a');
    assert.notEqual(now, old, 'the kernel would believe its own size of the old one');
    assert.equal(content('a'), 'kept');
    const attr = v.overlay.getattr(now);
    assert.equal(typeof attr === 'number' ? attr : attr.stat.size, 4);
    // Whoever has it open.
    assert.equal(v.overlay.getattr(old), ESTALE);
    assert.equal(v.overlay.getattr(old, KERNEL, true), errno);
    assert.equal(v.overlay.read(old, 0, Buffer.alloc(8)), -errno);
    assert.equal(v.overlay.write(old, 8, Buffer.from('more'), KERNEL), -errno, 'the reason stays what it was');
    const parent = driver.resolve(v.dir) as NodeId;
    const forgotten = [
      { kind: 'inode', nodeId: old },
      { kind: 'entry', parent, name: 'a' as Name },
    ];
    assert.deepEqual(v.overlay.content.returns.take(), forgotten);
    assert.deepEqual(v.overlay.content.unstored.takeForgotten(), forgotten, 'whoever waits for it is told, too');
    assert.deepEqual(v.overlay.content.unstored.takeForgotten(), []);
    assert.deepEqual(v.overlay.content.unstored.losses({ tell: true }), {
      errno,
      paths: [at('a')],
      more: 0,
      quota: undefined,
    });
    assert.deepEqual(
      v.overlay.content.unstored.losses({ tell: true }),
      { errno: undefined, paths: [], more: 0, quota: undefined },
      'told once',
    );
  });
}

test('D2: what the store takes only a part of is refused, as the kernel takes a short answer for a whole one', (t) => {
  const { v, driver, at, node, content } = view(t);
  driver.create(at('a'), 0o644);
  const calls = boundCalls as { pwrite: (fd: number, data: Buffer, length: number, offset: number) => number };
  const { pwrite } = calls;
  calls.pwrite = (fd, data, length, offset) => (offset === 0 ? pwrite(fd, data, Math.min(3, length), 0) : -ENOSPC);
  const a = node('a');
  const written = v.overlay.write(a, 0, Buffer.from('a line'), CALLER);
  const written2 = v.overlay.write(a, 0, Buffer.from('a line'), KERNEL);
  calls.pwrite = pwrite;
  assert.deepEqual([written, written2], [3, -ENOSPC], 'a program goes on from there itself');
  assert.equal(content('a'), 'a l');
  assert.notEqual(node('a'), a);
});

test('D2: a program that writes past the cache gets the errno, and goes on with what it has open', (t) => {
  const { v, driver, at, node } = view(t);
  driver.create(at('a'), 0o644);
  const a = node('a');
  assert.equal(
    failing(ENOSPC, 1, () => v.overlay.write(a, 0, Buffer.from('lost'), CALLER)),
    -ENOSPC,
  );
  assert.equal(node('a'), a);
  assert.equal(v.overlay.write(a, 0, Buffer.from('kept'), CALLER), 4);
  assert.deepEqual(v.overlay.content.unstored.losses({ tell: true }), {
    errno: undefined,
    paths: [],
    more: 0,
    quota: undefined,
  });
});

test('D2: a file of the base that cannot be copied shows the base again', (t) => {
  const { v, content, node } = view(t, 0);
  const old = node('base');
  assert.equal(v.overlay.write(old, 0, Buffer.from('lost'), KERNEL), -ENOSPC);
  assert.notEqual(node('base'), old);
  assert.equal(content('base'), 'of the base');
  assert.deepEqual(v.recorder.records, []);
});

test('D2: all hard links of a file are looked up anew', (t) => {
  const { v, driver, at, node } = view(t);
  driver.create(at('a'), 0o644);
  mkdirSync(`${v.dir}/d`);
  assert.equal(driver.link(at('a'), at('d/b')), OK);
  const old = node('a');
  failing(ENOSPC, 1, () => v.overlay.write(old, 0, Buffer.from('lost'), KERNEL));
  const entries = v.overlay.content.returns.take().filter((one) => one.kind === 'entry');
  assert.deepEqual(entries.map(({ name }) => name).sort(), ['a', 'b']);
  assert.equal(node('a'), node('d/b'));
  assert.notEqual(node('a'), old);
});

test('D2: the id of a node that is out of use is given again when the kernel has forgotten it, not before', (t) => {
  const { v, driver, at, node, content } = view(t);
  driver.create(at('a'), 0o644);
  const old = node('a');
  failing(ENOSPC, 1, () => v.overlay.write(old, 0, Buffer.from('lost'), KERNEL));
  for (let i = 0; i < 50; i++) {
    driver.create(at(`n${i}`), 0o644);
    assert.notEqual(node(`n${i}`), old);
  }
  const now = node('a');
  const known = v.overlay.liveInodes;
  v.overlay.forget(old, 1000);
  assert.equal(v.overlay.liveInodes, known, 'what has the name now is not forgotten with it');
  assert.equal(node('a'), now);
  driver.create(at('next'), 0o644);
  assert.equal(node('next'), old);
  assert.equal(v.overlay.write(old, 0, Buffer.from('fine'), KERNEL), 4);
  assert.equal(content('next'), 'fine');
});

test('D2: the object of a file without a name goes with the node', (t) => {
  const { v, driver, at, node } = view(t);
  driver.create(at('a'), 0o644);
  const a = node('a');
  v.overlay.write(a, 0, Buffer.from('some'), KERNEL);
  assert.equal(driver.unlink(at('a')), OK);
  failing(ENOSPC, 1, () => v.overlay.write(a, 4, Buffer.from('lost'), KERNEL));
  assert.equal(v.overlay.read(a, 0, Buffer.alloc(4)), -ENOSPC);
  v.overlay.forget(a, 1000);
  assert.deepEqual([...v.overlay.heldObjects()], []);
});

test('D4: a regular file never has 0 blocks: the kernel may hold data of it that nobody has seen', (t) => {
  const { v, driver, at, node } = view(t);
  writeFileSync(`${v.dir}/empty`, '');
  driver.create(at('a'), 0o644);
  for (const name of ['a', 'empty']) {
    const entry = v.overlay.lookup(driver.resolve(v.dir) as NodeId, name as Name);
    assert.ok(typeof entry !== 'number' && 'stat' in entry);
    assert.equal(entry.stat.blocks, 1, name);
    const attr = v.overlay.getattr(node(name));
    assert.equal(typeof attr === 'number' ? undefined : attr.stat.blocks, 1, name);
  }
  v.overlay.write(node('a'), 0, Buffer.alloc(50_000, 1), KERNEL);
  const attr = v.overlay.getattr(node('a'));
  assert.ok(typeof attr !== 'number' && attr.stat.blocks >= 96, 'then what it occupies');
});
