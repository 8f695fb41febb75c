/** A content gets into the file that it was fetched for, and into no other one that has taken its place. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fill } from '../../../src/daemon/sources/fill.ts';
import { Mirror } from '../../../src/sources/mirror/mirror.ts';
import { Unfilled } from '../../../src/sources/searching/unfilled.ts';
import type { Entry } from '../../../src/sources/source.ts';
import { toBytePath } from '../../../src/sys/bytes.ts';

const entry = (rev: string): Entry => ({ path: 'page', kind: 'file', size: 3, mtime: 1000, rev, acl: [] });

test('a content that comes late is not that of the revision that is shown by then', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-fill-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const mirror = new Mirror({ root: join(dir, 'root'), state: join(dir, 'state') });
  const show = (rev: string): void => void mirror.show({ version: rev, entries: [entry(rev)] }, new Map());
  const path = toBytePath(join(mirror.root, 'page'));
  const text = (): string => readFileSync(path, 'latin1');
  const unfilled = new Unfilled();
  show('old');
  const ino = mirror.inoOf('page', 'old') ?? 0;
  assert.equal(ino, statSync(path).ino);
  unfilled.add({ path: 'page', content: Buffer.from('old'), rev: 'old' });
  assert.equal(unfilled.among(['page', 'other'], mirror.entries).length, 1);
  show('new');
  assert.equal(mirror.inoOf('page', 'old'), undefined);
  assert.deepEqual(unfilled.among(['page'], mirror.entries), []);
  assert.equal(fill({ path, content: Buffer.from('old'), ino }), 'not awaited');
  assert.equal(text(), '\0\0\0');
  const fresh = { path, content: Buffer.from('new'), ino: mirror.inoOf('page', 'new') ?? 0 };
  assert.equal(fill(fresh), 'filled');
  assert.equal(fill(fresh), 'not awaited');
  assert.equal(text(), 'new');
});

test('contents wait until they are taken, the last of a path', () => {
  const unfilled = new Unfilled();
  const add = (path: string, content: string): void =>
    unfilled.add({ path, content: Buffer.from(content), rev: content });
  add('a', 'first');
  add('b', 'four');
  add('a', 'second');
  assert.equal(unfilled.bytes, 10);
  assert.deepEqual(
    unfilled.take(1).map(({ rev }) => rev),
    ['four'],
  );
  assert.equal(unfilled.bytes, 6);
  assert.deepEqual(
    unfilled.take(5).map(({ rev }) => rev),
    ['second'],
  );
  assert.deepEqual([unfilled.bytes, unfilled.take(5)], [0, []]);
});
