/** Who still has the node of a file as it was before the base changed it, and writes to it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Caller, Ticket } from '../../../src/fuse/filesystem.ts';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { ESTALE } from '../../../src/sys/errno.ts';
import { openView, type TestView } from '../session-parts.ts';
import { ViewDriver } from '../view-driver.ts';

const CALLER: Caller = { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket };

/** A file of the base that the kernel knows by the node of before, and by the one that it has since the base was changed. */
function changed(t: TestContext): { view: TestView; path: BytePath; old: NodeId; fresh: NodeId; driver: ViewDriver } {
  const view = openView({ watched: false });
  t.after(() => view.close());
  const [path, driver] = [`${view.dir}/file` as BytePath, new ViewDriver(view.overlay)];
  mkdirSync(view.dir);
  writeFileSync(path, 'as it was');
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
