import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { likelyNext } from '../../src/sources/ahead.ts';
import { Mirror } from '../../src/sources/mirror/mirror.ts';
import type { Entry } from '../../src/sources/source.ts';

const MOST = { files: 1000, bytes: 1e9 };

function mirrorOf(entries: readonly Partial<Entry>[], t: { after(work: () => void): void }): Mirror {
  const dir = mkdtempSync('/var/tmp/yolofs-test-ahead-');
  t.after(() => rmSync(dir, { recursive: true }));
  const mirror = new Mirror({ root: join(dir, 'root'), state: join(dir, 'state') });
  const whole = entries.map(
    (one) => ({ ...{ path: '', kind: 'file', size: 3, mtime: 0, rev: '1', acl: [] }, ...one }) as Entry,
  );
  mirror.show({ version: '1', entries: whole }, new Map());
  return mirror;
}

test('what follows a file in the order of paths is asked for with it, from the end on from the beginning', (t) => {
  const paths = ['a/1.md', 'a/2.md', 'a/3.md', 'b/1.md'];
  const mirror = mirrorOf([...paths.map((path) => ({ path })), { path: 'c/?.md', size: undefined }], t);
  assert.deepEqual(likelyNext(mirror, ['a/2.md'], MOST), ['a/3.md', 'b/1.md', 'a/1.md']);
  assert.deepEqual(likelyNext(mirror, ['a/2.md', 'a/3.md'], { files: 1, bytes: 1e9 }), ['b/1.md']);
  assert.deepEqual(likelyNext(mirror, ['a/1.md'], { files: 9, bytes: 6 }), ['a/2.md', 'a/3.md']);
  assert.deepEqual(likelyNext(mirror, ['gone.md'], { files: 1, bytes: 1e9 }), ['a/1.md']);
});

test('of a large tree that is nearly all here only a part is looked at for what is not', (t) => {
  const mirror = mirrorOf(
    Array.from({ length: 3000 }, (_, i) => ({ path: `page-${String(i).padStart(4, '0')}.md`, size: i < 2990 ? 0 : 3 })),
    t,
  );
  // An empty file is here as soon as its name is, and not looked at.
  assert.equal(likelyNext(mirror, ['page-0000.md'], MOST).length, 10);
  const here = mirrorOf(
    Array.from({ length: 1000 }, (_, i) => ({ path: `page-${String(i).padStart(4, '0')}.md` })),
    t,
  );
  for (let i = 0; i < 900; i++) {
    const path = join(here.root, `page-${String(i).padStart(4, '0')}.md`);
    rmSync(path);
    writeFileSync(path, 'abc', { mode: 0o600 });
  }
  assert.deepEqual(likelyNext(here, ['page-0000.md'], MOST), []);
  assert.equal(likelyNext(here, ['page-0899.md'], MOST).length, 100);
});
