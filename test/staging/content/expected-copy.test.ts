/** The kernel asks for an attribute before a write, and others ask for it, too: only who could write has a file copied. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import type { Ticket } from '../../../src/fuse/filesystem.ts';
import type { BytePath, NodeId } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { openView } from '../session-parts.ts';
import { ViewDriver } from '../view-driver.ts';

/** How many copies there are after somebody with these numbers has asked, of a file of ours with this mode. */
function copiesFor(mode: number, as: (uid: number, gid: number) => { uid: number; gid: number }): number {
  const view = openView();
  try {
    const path = `${view.dir}/file` as BytePath;
    fs.mkdirSync(view.dir, { recursive: true });
    fs.writeFileSync(path, 'base');
    fs.chmodSync(path, mode);
    const { uid, gid } = fs.statSync(path);
    const node = new ViewDriver(view.overlay).resolve(path) as NodeId;
    assert.equal(view.overlay.expectWrite(node, { ...as(uid, gid), pid: 1, ticket: 1 as Ticket }), OK);
    assert.equal(fs.readFileSync(path, 'utf8'), 'base');
    return [...view.overlay.content.copyUps.objects()].length;
  } finally {
    view.close();
  }
}

test('expectWrite() has a file copied for its group or others where they may write, and for root always', () => {
  const group = (uid: number, gid: number) => ({ uid: uid + 1, gid });
  const other = (uid: number, gid: number) => ({ uid: uid + 1, gid: gid + 1 });
  const root = () => ({ uid: 0, gid: 0 });
  const copies = [0o644, 0o664, 0o646, 0o620, 0o602, 0o400].map((mode) =>
    [group, other, root].map((as) => copiesFor(mode, as)).join(''),
  );
  assert.deepEqual(copies, ['001', '101', '011', '101', '011', '001']);
});
