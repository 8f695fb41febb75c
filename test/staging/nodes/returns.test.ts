/** Who still has the node of a file as it was before the base changed it, and writes to it. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Caller, Ticket } from '../../../src/fuse/filesystem.ts';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { ENOENT, ESTALE } from '../../../src/sys/errno.ts';
import { openView, type TestView } from '../session-parts.ts';
import { ViewDriver } from '../view-driver.ts';

const CALLER: Caller = { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket };
/** When the file was written that the base has changed since, in seconds. */
const BEFORE = 1000;

/** A file of the base that the kernel knows by the node of before, and by the one that it has since the base was changed. */
function changed(t: TestContext): { view: TestView; path: BytePath; old: NodeId; fresh: NodeId; driver: ViewDriver } {
  const view = openView({ watched: false });
  t.after(() => view.close());
  const [path, driver] = [`${view.dir}/file` as BytePath, new ViewDriver(view.overlay)];
  mkdirSync(view.dir);
  writeFileSync(path, 'as it was');
  utimesSync(path, BEFORE, BEFORE);
  const old = driver.resolve(path) as NodeId;
  writeFileSync(path, 'as the host has it now');
  const fresh = driver.resolve(path) as NodeId;
  assert.notEqual(fresh, old);
  return { view, path, old, fresh, driver };
}

test('a file that is truncated by its old node is that again, and the kernel is to forget the newer one', (t) => {
  const { view, path, old, driver } = changed(t);
  const { overlay, recorder } = view;
  // What its content was is gone: only who wants none of it can go on.
  const reply = overlay.setattr(old, { size: 0 }, CALLER);
  assert.equal(typeof reply === 'object' && reply.stat.size, 0);
  assert.equal(overlay.write(old, 0, Buffer.from('anew'), CALLER), 4);
  assert.equal(driver.resolve(path), old);
  const content = Buffer.alloc(64);
  assert.equal(content.toString('latin1', 0, overlay.read(old, 0, content)), 'anew');
  const [parent, told] = [driver.resolve(view.dir), overlay.content.returns.take()];
  assert.ok(told.length > 0);
  for (const each of told) assert.deepEqual(each, { kind: 'entry', parent, name: 'file' });
  // Its times may follow.
  const [base, staged] = recorder.records.map(({ mutation }) => [mutation.tag, 'path' in mutation && mutation.path]);
  assert.deepEqual(
    [base, staged],
    [
      ['M', path],
      ['S', path],
    ],
  );
});

test('the old node is refused once something was written to the newer one', (t) => {
  const { view, path, old, fresh, driver } = changed(t);
  const { overlay } = view;
  assert.equal(overlay.write(fresh, 0, Buffer.from('AS'), CALLER), 2);
  assert.equal(overlay.setattr(old, { size: 0 }, CALLER), ESTALE);
  assert.equal(driver.resolve(path), fresh);
  const content = Buffer.alloc(64);
  assert.equal(content.toString('latin1', 0, overlay.read(fresh, 0, content)), 'AS the host has it now');
});

test('times that the kernel writes back for the old node do not give it the name', (t) => {
  const { view, path, old, fresh, driver } = changed(t);
  const { overlay, recorder } = view;
  // Somebody has written to it meanwhile, which failed: the kernel has set a time all the same.
  const reply = overlay.setattr(old, { mtime: { sec: 7, nsec: 7 } }, CALLER);
  assert.equal(typeof reply, 'object');
  assert.equal(driver.resolve(path), fresh);
  assert.deepEqual([recorder.records.length, overlay.content.returns.take()], [0, []]);
  const content = Buffer.alloc(64);
  assert.equal(content.toString('latin1', 0, overlay.read(fresh, 0, content)), 'as the host has it now');
});

test('attributes that somebody sets are refused by the old node: what looks the name up again sets those of the newer one', (t) => {
  const { view, path, old, fresh, driver } = changed(t);
  const { overlay, recorder } = view;
  assert.equal(overlay.setattr(old, { mode: 0o600 }, CALLER), ESTALE);
  assert.equal(overlay.setxattr(old, 'user.a', Buffer.from('b'), 0, CALLER), ESTALE);
  assert.equal(recorder.records.length, 0);
  assert.equal(driver.resolve(path), fresh);
  const reply = overlay.setattr(fresh, { mode: 0o600 }, CALLER);
  assert.equal(typeof reply === 'object' && reply.stat.mode & 0o777, 0o600);
  assert.deepEqual(
    recorder.records.map(({ mutation }) => [mutation.tag, 'path' in mutation && mutation.path]),
    [['M', path]],
  );
});

test('the old node of a file with the content that it had gets its name back by its attributes', (t) => {
  const { view, path, old, driver } = changed(t);
  writeFileSync(path, 'as it was');
  utimesSync(path, BEFORE, BEFORE);
  const reply = view.overlay.setattr(old, { mode: 0o600 }, CALLER);
  assert.equal(typeof reply === 'object' && reply.stat.mode & 0o777, 0o600);
  assert.equal(driver.resolve(path), old);
});

/** A file of the base whose mode was changed in the view, and its content outside since. */
function touched(t: TestContext, init = 0): { view: TestView; path: BytePath; old: NodeId; driver: ViewDriver } {
  const view = openView({ watched: true });
  t.after(() => view.close());
  const [path, driver] = [`${view.dir}/file` as BytePath, new ViewDriver(view.overlay)];
  mkdirSync(view.dir);
  writeFileSync(path, 'as it was');
  const old = driver.resolve(path) as NodeId;
  const { echoes } = view.overlay.outside;
  echoes.offer(init);
  if (init === 0) view.overlay.setattr(old, { mode: 0o600 }, CALLER);
  writeFileSync(path, 'new');
  view.overlay.outside.changed({ dir: view.dir as BytePath, name: 'file' as Name }, 'written');
  return { view, path, old, driver };
}

function shows(view: TestView, nodeId: NodeId): [number | undefined, number | undefined, string] {
  const [reply, content] = [view.overlay.getattr(nodeId), Buffer.alloc(64)];
  const { mode, size } = typeof reply === 'number' ? {} : reply.stat;
  return [
    mode && mode & 0o777,
    size,
    content.toString('latin1', 0, Math.max(0, view.overlay.read(nodeId, 0, content))),
  ];
}

test('a file of which only the mode is staged has another node when its content changes outside, and keeps the mode', (t) => {
  const { view, path, old, driver } = touched(t);
  const { overlay, recorder } = view;
  const fresh = driver.resolve(path) as NodeId;
  assert.notEqual(fresh, old);
  assert.deepEqual(shows(view, fresh), [0o600, 3, 'new']);
  // The kernel takes that node to be as long as it was: nothing may be written by it, and its attributes are not those of the name.
  assert.equal(overlay.write(old, 0, Buffer.from('lost'), CALLER), -ESTALE);
  assert.equal(driver.resolve(path), fresh);
  assert.equal(overlay.setattr(fresh, { mode: 0o640 }, CALLER) instanceof Object, true);
  assert.deepEqual(shows(view, fresh), [0o640, 3, 'new']);
  assert.deepEqual(
    recorder.records.map(({ mutation }) => mutation.tag),
    ['M', 'M'],
  );
  // What was only touched outside stays what it is.
  chmodSync(path, 0o755);
  overlay.outside.changed({ dir: view.dir as BytePath, name: 'file' as Name }, 'touched');
  assert.equal(driver.resolve(path), fresh);
  assert.equal(overlay.write(fresh, 0, Buffer.from('NEW'), CALLER), 3);
  assert.deepEqual(shows(view, fresh), [0o640, 3, 'NEW']);
});

test('a mode that is set while a change outside is awaited stays with the name, which has another node', (t) => {
  const { view, path, old, driver } = touched(t, 1);
  const { overlay } = view;
  const { echoes } = overlay.outside;
  // Of what has changed, and is the same file, the init is asked to let the size follow.
  assert.equal(driver.resolve(path), old);
  assert.deepEqual([echoes.overtaken(), echoes.take(new Set()).length], [[], 1]);
  assert.equal(overlay.setattr(old, { mode: 0o600 }, CALLER) instanceof Object, true);
  const told = echoes.overtaken();
  const parent = driver.resolve(view.dir as BytePath);
  assert.deepEqual(told, [
    { kind: 'entry', parent, name: 'file' },
    { kind: 'inode', nodeId: old },
  ]);
  const fresh = driver.resolve(path) as NodeId;
  assert.notEqual(fresh, old);
  assert.deepEqual(shows(view, fresh), [0o600, 3, 'new']);
  assert.deepEqual([echoes.close(), echoes.overtaken()], [[], []]);
});

test('after events were lost, a file of which only the mode is staged has another node, too', (t) => {
  const { view, path, old, driver } = touched(t);
  const between = driver.resolve(path) as NodeId;
  assert.notEqual(between, old);
  writeFileSync(path, 'newer');
  view.overlay.outside.overflow();
  const fresh = driver.resolve(path) as NodeId;
  assert.notEqual(fresh, between);
  assert.deepEqual(shows(view, fresh), [0o600, 5, 'newer']);
});

for (const how of ['replaced', 'removed'] as const) {
  test(`attributes that are set by the node of a file that was ${how} outside stay with that`, (t) => {
    const view = openView({ watched: true });
    t.after(() => view.close());
    const [path, driver] = [`${view.dir}/file` as BytePath, new ViewDriver(view.overlay)];
    mkdirSync(view.dir);
    writeFileSync(path, 'as it was');
    const old = driver.resolve(path) as NodeId;
    if (how === 'replaced') {
      writeFileSync(`${path}.new`, 'new');
      renameSync(`${path}.new`, path);
    } else rmSync(path);
    const reply = view.overlay.setattr(old, { mode: 0o600 }, CALLER);
    assert.equal(typeof reply === 'object' && reply.stat.nlink, 0);
    assert.equal(view.recorder.records.length, 0);
    const fresh = driver.resolve(path);
    if (how === 'removed') assert.equal(fresh, -ENOENT);
    else assert.deepEqual(shows(view, fresh as NodeId).slice(1), [3, 'new']);
  });
}

test('a mode that is set between a write and its data leaves the file its name, which the host has replaced meanwhile', (t) => {
  const view = openView({ watched: true });
  t.after(() => view.close());
  const [path, driver] = [`${view.dir}/file` as BytePath, new ViewDriver(view.overlay)];
  mkdirSync(view.dir);
  writeFileSync(path, 'as it was');
  const node = driver.resolve(path) as NodeId;
  // The kernel has taken what is written, and asks for this before.
  view.overlay.expectWrite(node, CALLER);
  writeFileSync(`${path}.new`, 'new');
  renameSync(`${path}.new`, path);
  assert.equal(typeof view.overlay.setattr(node, { mode: 0o600 }, CALLER), 'object');
  assert.equal(view.overlay.write(node, 0, Buffer.from('AS'), CALLER), 2);
  assert.equal(driver.resolve(path), node);
  assert.deepEqual(shows(view, node), [0o600, 9, 'AS it was']);
});

test('what has the place of a file by now is not read as that, unless it is as long and as old', (t) => {
  const view = openView({ watched: true });
  t.after(() => view.close());
  const [path, driver] = [`${view.dir}/file` as BytePath, new ViewDriver(view.overlay)];
  mkdirSync(view.dir);
  writeFileSync(path, 'as it was');
  utimesSync(path, BEFORE, BEFORE);
  const node = driver.resolve(path) as NodeId;
  const content = Buffer.alloc(64);
  for (const [text, read] of [
    ['another', -ESTALE],
    ['as it is.', 9],
  ] as const) {
    writeFileSync(`${path}.new`, text);
    utimesSync(`${path}.new`, BEFORE, BEFORE);
    renameSync(`${path}.new`, path);
    assert.equal(view.overlay.read(node, 0, content), read, text);
  }
});
