/** The store is asked for an object once, and again after each change of it. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type BytePath, type Gen, join, type Name, type NodeId } from '../../../src/sys/bytes.ts';
import { openView, type TestView } from '../session-parts.ts';
import { CALLER, ViewDriver } from '../view-driver.ts';

const TIME = { sec: 1_700_000_000, nsec: 5 };

test('the store is asked once for a new file that is written, dated, owned and given a mode', (t) => {
  const v = view(t);
  const dir = new ViewDriver(v.overlay).resolve(v.dir) as NodeId;
  const asked = countLooks(v, () => {
    const made = v.overlay.mknod(dir, 'new' as Name, { mode: 0o100600, rdev: 0, umask: 0 }, CALLER);
    assert.ok(typeof made !== 'number');
    const { nodeId } = made;
    assert.equal(v.overlay.write(nodeId, 0, Buffer.from('text'), CALLER), 4);
    v.overlay.setattr(nodeId, { mtime: TIME }, CALLER);
    v.overlay.setattr(nodeId, { uid: 0, gid: 0, killSuidgid: true }, CALLER);
    const shown = v.overlay.setattr(nodeId, { mode: 0o644 }, CALLER);
    assert.ok(typeof shown !== 'number');
    assert.deepEqual([shown.stat.size, shown.stat.mode, shown.stat.mtimeSec], [4, 0o100644, TIME.sec]);
  });
  assert.equal(asked, 1, 'after the write');
});

test('the size of a file is what the last of several changes of several files made it', (t) => {
  const v = view(t);
  const driver = new ViewDriver(v.overlay);
  const nodes = ['a', 'b'].map((name) => {
    const path = join(v.dir, name as Name) as BytePath;
    driver.create(path, 0o644);
    return driver.resolve(path) as NodeId;
  });
  const [a, b] = nodes as [NodeId, NodeId];
  const sizes = (...files: NodeId[]): unknown[] =>
    files.map((node) => {
      const shown = v.overlay.getattr(node);
      return typeof shown === 'number' ? shown : shown.stat.size;
    });
  v.overlay.write(a, 0, Buffer.from('four'), CALLER);
  assert.deepEqual(sizes(b, a), [0, 4]);
  v.overlay.setattr(a, { size: 2 }, CALLER);
  assert.deepEqual(sizes(a, b), [2, 0]);
  v.overlay.write(b, 0, Buffer.from('b'), CALLER);
  assert.deepEqual(sizes(b, a, b), [1, 2, 1]);
  v.overlay.copyFileRange({ from: a, fromOffset: 0, to: b, toOffset: 1, length: 2 }, CALLER);
  assert.deepEqual(sizes(b, a, b), [3, 2, 3]);
  v.overlay.fallocate(b, 0, { offset: 0, length: 9 }, CALLER);
  assert.deepEqual(sizes(b, a), [9, 2]);
});

test('content that a snapshot froze is copied, and the copy looked at', (t) => {
  const v = view(t);
  const driver = new ViewDriver(v.overlay);
  const path = join(v.dir, 'a' as Name) as BytePath;
  driver.create(path, 0o644);
  const node = driver.resolve(path) as NodeId;
  v.overlay.write(node, 0, Buffer.from('first'), CALLER);
  v.overlay.getattr(node);
  v.recorder.generation = (v.recorder.generation + 1) as Gen;
  v.overlay.write(node, 5, Buffer.from(' second'), CALLER);
  const shown = v.overlay.getattr(node);
  assert.equal(typeof shown === 'number' ? shown : shown.stat.size, 12);
});

function view(t: TestContext): TestView {
  const v = openView();
  t.after(() => v.close());
  mkdirSync(v.dir);
  return v;
}

/** How often the store is asked meanwhile. */
function countLooks({ store }: TestView, act: () => void): number {
  let asked = 0;
  store.statInto = (object, into) => {
    asked += 1;
    return Object.getPrototypeOf(store).statInto.call(store, object, into);
  };
  act();
  return asked;
}
