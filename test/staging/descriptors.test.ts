/** Descriptors of contents, when the process has none left: what is in use is not given up. */
import assert from 'node:assert/strict';
import { closeSync, mkdirSync, readSync } from 'node:fs';
import test from 'node:test';
import type { Ticket } from '../../src/fuse/filesystem.ts';
import type { BytePath, Ino, NodeId, ObjectId } from '../../src/sys/bytes.ts';
import { EMFILE, ENOENT } from '../../src/sys/errno.ts';
import { S_IFREG } from '../../src/sys/stat.ts';
import { openView } from './session-parts.ts';
import { ViewDriver } from './view-driver.ts';

const CALLER = { uid: 0, gid: 0, pid: 0, ticket: 0 as Ticket };

test('copyFileRange() keeps the descriptor that it writes to while it opens the other', (t) => {
  const view = openView();
  t.after(() => view.close());
  mkdirSync(view.dir);
  const driver = new ViewDriver(view.overlay);
  const node = (path: string): NodeId => driver.resolve(`${view.dir}/${path}` as BytePath) as NodeId;
  for (const path of ['from', 'to']) {
    assert.equal(driver.create(`${view.dir}/${path}` as BytePath, 0o644), 0);
    assert.equal(view.overlay.write(node(path), 0, Buffer.from(path), CALLER), path.length);
  }
  // With the kernel's last reference its descriptor is given up.
  view.overlay.forget(node('from'), Number.MAX_SAFE_INTEGER);
  const [from, to] = [node('from'), node('to')];
  const open = view.store.open.bind(view.store);
  let failures = 1;
  view.store.open = (object) => (failures-- > 0 ? -EMFILE : open(object));
  const request = { from, fromOffset: 0, to, toOffset: 6, length: 4 };
  assert.equal(view.overlay.copyFileRange(request, CALLER), 4);
  assert.equal(failures, -1);
  const image = driver.image(view.dir);
  assert.deepEqual([image.get('from')?.content, image.get('to')?.content], ['from', 'to\0\0\0\0from']);
});

test('forget() of a large file without a name leaves its blocks to another thread, of a small one to nobody', (t) => {
  const view = openView();
  t.after(() => view.close());
  mkdirSync(view.dir);
  const driver = new ViewDriver(view.overlay);
  const handed: number[] = [];
  const unused = (): void => assert.fail('nothing is copied');
  view.overlay.content.copyUps.copier = { start: unused, resume: unused, close: (fd) => void handed.push(fd) };
  const remove = (name: string, offset: number): ObjectId => {
    const path = `${view.dir}/${name}` as BytePath;
    assert.equal(driver.create(path, 0o644), 0);
    const node = driver.resolve(path) as NodeId;
    assert.equal(view.overlay.write(node, offset, Buffer.from('end'), CALLER), 3);
    const object = view.tree.resolve(path, S_IFREG, 0 as Ino).staged?.object ?? assert.fail('it has none');
    assert.equal(driver.unlink(path), 0);
    view.overlay.forget(node, Number.MAX_SAFE_INTEGER);
    return object;
  };
  const small = remove('small', 0);
  assert.deepEqual([handed, view.store.open(small)], [[], -ENOENT]);
  const large = remove('large', 2 ** 25);
  const [fd = assert.fail('nothing was handed over')] = handed;
  assert.equal(view.store.open(large), -ENOENT, 'it has no name any more');
  const read = Buffer.alloc(3);
  assert.equal(readSync(fd, read, 0, 3, 2 ** 25), 3);
  assert.equal(read.toString(), 'end');
  closeSync(fd);
});
