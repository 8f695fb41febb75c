/** A write by anybody but root takes the set-id bits, as write(2) says: the kernel leaves that to us. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { openView } from '../session-parts.ts';
import { ViewDriver } from '../view-driver.ts';

function modeAfterWrite(before: number, uid: number): string {
  const view = openView();
  try {
    const path = `${view.dir}/file` as BytePath;
    fs.mkdirSync(view.dir, { recursive: true });
    fs.writeFileSync(path, 'base');
    fs.chmodSync(path, before);
    const node = new ViewDriver(view.overlay).resolve(path) as NodeId;
    const written = view.overlay.write(node, 0, Buffer.from('new!'), { uid, gid: uid, pid: 1, ticket: 0 as Ticket });
    assert.equal(written, 4);
    const attributes = view.overlay.getattr(node);
    assert.ok(typeof attributes !== 'number');
    assert.equal(fs.statSync(path).mode & 0o7777, before, 'the base stays as it is');
    return (attributes.stat.mode & 0o7777).toString(8);
  } finally {
    view.close();
  }
}

test('write() by a user takes set-user-id, and set-group-id where the group may execute', () => {
  const modes = [0o4755, 0o2755, 0o6755, 0o6777, 0o4644, 0o2644, 0o2745, 0o6644, 0o1755, 0o640];
  assert.deepEqual(
    modes.map((mode) => modeAfterWrite(mode, 1000)),
    ['755', '755', '755', '777', '644', '2644', '2745', '2644', '1755', '640'],
  );
});

test('write() by root takes no set-id bit', () => {
  assert.deepEqual(
    [0o4755, 0o2755, 0o6644].map((mode) => modeAfterWrite(mode, 0)),
    ['4755', '2755', '6644'],
  );
});
