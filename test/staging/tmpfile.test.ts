import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import type { Name, NodeId } from '../../src/sys/bytes.ts';
import { ENOSPC } from '../../src/sys/errno.ts';
import { openView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

const CALLER = { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket };

test('linkat() of an O_TMPFILE file whose attributes cannot be recorded leaves no name, in the journal neither', () => {
  const view = openView();
  try {
    fs.mkdirSync(view.dir, { recursive: true });
    const dir = new ViewDriver(view.overlay).resolve(view.dir) as NodeId;
    const entry = view.overlay.tmpfile(dir, { mode: 0o600, rdev: 0, umask: 0 }, CALLER);
    assert.ok(typeof entry !== 'number');
    view.overlay.setxattr(entry.nodeId, 'user.a', Buffer.from('1'), 0, CALLER);
    const { recorder } = view;
    const record = recorder.record.bind(recorder);
    recorder.record = (mutation, time) => (mutation.tag === 'M' && mutation.xattr ? ENOSPC : record(mutation, time));
    assert.equal(view.overlay.link(entry.nodeId, dir, 'f' as Name, CALLER), ENOSPC);
    assert.deepEqual(
      recorder.records.map(({ mutation }) => mutation.tag),
      ['S', 'M', 'D'],
    );
    const found = view.overlay.lookup(dir, 'f' as Name);
    assert.ok(typeof found === 'object' && found.nodeId === 0);
    recorder.record = record;
    assert.ok(typeof view.overlay.link(entry.nodeId, dir, 'f' as Name, CALLER) === 'object');
  } finally {
    view.close();
  }
});

test('O_TMPFILE gives its descriptor back (each one used to cost the daemon one)', () => {
  const view = openView();
  try {
    fs.mkdirSync(view.dir, { recursive: true });
    const dir = new ViewDriver(view.overlay).resolve(view.dir) as NodeId;
    const before = fs.readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 20; i++) {
      const entry = view.overlay.tmpfile(dir, { mode: 0o600, rdev: 0, umask: 0 }, CALLER);
      assert.ok(typeof entry !== 'number');
      view.overlay.forget(entry.nodeId, 1);
    }
    assert.ok(fs.readdirSync('/proc/self/fd').length <= before + 2);
  } finally {
    view.close();
  }
});
