import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import type { NodeId } from '../../src/sys/bytes.ts';
import { openView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

test('O_TMPFILE gives its descriptor back (each one used to cost the daemon one)', () => {
  const view = openView();
  try {
    fs.mkdirSync(view.dir, { recursive: true });
    const dir = new ViewDriver(view.overlay).resolve(view.dir) as NodeId;
    const before = fs.readdirSync('/proc/self/fd').length;
    for (let i = 0; i < 20; i++) {
      const entry = view.overlay.tmpfile(
        dir,
        { mode: 0o600, rdev: 0, umask: 0 },
        { uid: 0, gid: 0, pid: 1, ticket: 0 as Ticket },
      );
      assert.ok(typeof entry !== 'number');
      view.overlay.forget(entry.nodeId, 1);
    }
    assert.ok(fs.readdirSync('/proc/self/fd').length <= before + 2);
  } finally {
    view.close();
  }
});
