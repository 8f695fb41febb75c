/** What stat(2) and statx(2) say, where Linux leaves room, or a program has found us wrong. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';
import { CALLER } from '../history/kernel.ts';
import { Used } from './used.ts';

test('D11: a removed directory that is open has no link, any other has one', (t) => {
  const used = new Used(t, { 'd/f': '', 'empty/f': '' });
  fs.unlinkSync(`${used.project}/empty/f`);
  used.makeDirectory('new');
  used.makeDirectory('new/below');
  const nodes = ['new/below', 'empty'].map((path) => used.kernel.node(path));
  assert.deepEqual(
    ['', 'd', 'new', 'new/below', 'empty'].map((path) => used.kernel.stat(used.kernel.node(path)).nlink),
    [1, 1, 1, 1, 1],
  );
  for (const path of ['new/below', 'empty'])
    used.kernel.remove(path, ({ dir, name }) => used.live.overlay.rmdir(dir, name, CALLER));
  assert.deepEqual(
    nodes.map((node) => used.kernel.stat(node).nlink),
    [0, 0],
  );
});

test('D11: a file of the base tells when it was made, also after it was written to', (t) => {
  const used = new Used(t, { f: 'text' });
  const made = Math.floor(fs.statSync(`${used.project}/f`).birthtimeMs / 1000);
  const node = used.kernel.node('f');
  assert.equal(used.kernel.stat(node).btimeSec, made);
  used.append('f', ', more');
  assert.equal(used.kernel.stat(node).btimeSec, made);
});

test('D11: a rename over one of the names of a file changes its ctime', (t) => {
  const used = new Used(t, {});
  const fifo = { mode: 0o010644, rdev: 0, umask: 0 };
  for (const path of ['a', 'b'])
    used.kernel.make(path, ({ dir, name }) => used.live.overlay.mknod(dir, name, fifo, CALLER));
  const node = used.kernel.node('b');
  used.kernel.make('c', ({ dir, name }) => used.live.overlay.link(node, dir, name, CALLER));
  used.kernel.setattr(node, { ctime: { sec: 1, nsec: 0 } });
  used.kernel.rename('a', 'b', 0);
  const { ctimeSec, nlink } = used.kernel.stat(used.kernel.node('c'));
  assert.equal(nlink, 1);
  assert.ok(ctimeSec > 1, 'its link count has changed');
});
