/** Which version of a base file a node stands for, once the base has another or none. */
import assert from 'node:assert/strict';
import { mkdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { BytePath, Name, NodeId } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { openView, type TestView } from '../session-parts.ts';
import { CALLER, ViewDriver } from '../view-driver.ts';

/** A view of a base with the file `f`, which nobody watches, and its node. */
function seen(t: TestContext): { view: TestView; path: BytePath; driver: ViewDriver; node: NodeId } {
  const view = openView({ watched: false });
  t.after(view.close);
  mkdirSync(view.dir);
  const path = `${view.dir}/f` as BytePath;
  writeFileSync(path, 'as it was');
  const driver = new ViewDriver(view.overlay);
  return { view, path, driver, node: driver.resolve(path) as NodeId };
}

test('what is first overridden is recorded with the mtime of the version that was seen, or none that a file can have', (t) => {
  for (const isChanged of [false, true]) {
    const { view, path, node } = seen(t);
    if (isChanged) writeFileSync(path, 'changed outside');
    assert.equal(typeof view.overlay.setattr(node, { mode: 0o600 }, CALLER), 'object');
    const mutation = view.recorder.records.at(-1)?.mutation;
    assert.ok(mutation?.tag === 'M');
    const sec = Math.floor(statSync(path).mtimeMs / 1000);
    assert.equal(mutation.fingerprint?.mtime.sec, isChanged ? 0 : sec);
  }
});

test('a deleted file that a process still has keeps its content when a commit takes it from the base', (t) => {
  const { view, path, driver, node } = seen(t);
  const dir = driver.resolve(view.dir) as NodeId;
  assert.equal(view.overlay.unlink(dir, 'f' as Name, CALLER), OK);
  view.overlay.treeSwitch.holdUnnamed();
  unlinkSync(path);
  const into = Buffer.alloc(20);
  assert.equal(into.toString('utf8', 0, view.overlay.read(node, 0, into, CALLER)), 'as it was');
});
