import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheDirectoryOf, gitDirectoryOf } from '../../src/history/diff/noise.ts';
import type { BytePath } from '../../src/sys/bytes.ts';

const directoryOf = (path: string, project: string): string | undefined =>
  cacheDirectoryOf(path as BytePath, project as BytePath);

test('the cache that a path is in is told by its directory, in the project and beside it', () => {
  const project = '/home/u/p';
  assert.equal(directoryOf('/home/u/.cache/pip/a', project), '/home/u/.cache');
  assert.equal(directoryOf('/home/u/.cache', project), '/home/u/.cache');
  assert.equal(directoryOf('/home/u/.npm/_cacache/a/b', project), '/home/u/.npm/_cacache');
  assert.equal(directoryOf('/home/u/p/src/__pycache__/a.pyc', project), '/home/u/p/src/__pycache__');
  assert.equal(directoryOf('/home/u/go/pkg/mod/a.org/x@v1/a.go', project), '/home/u/go/pkg');
  assert.equal(directoryOf('/home/u/p/.parcel-cache/data.mdb', project), '/home/u/p/.parcel-cache');
  assert.equal(directoryOf('/home/u/p/.nx/cache/d/a', project), '/home/u/p/.nx/cache');
  for (const path of ['/home/u/.cached/a', '/home/u/.npm/a', '/home/u/p', '/home/u/p/.nx/nxw.js', '/'])
    assert.equal(directoryOf(path, project), undefined, path);
  assert.equal(directoryOf('/.cache/a', '/'), '/.cache');
});

test('a checkout in a cache is no cache, and source code below `go/pkg` of a project is none', () => {
  const project = '/home/u/.cache/checkouts/p';
  assert.equal(directoryOf(`${project}/src/a.ts`, project), undefined);
  assert.equal(directoryOf(`${project}/.cache/a`, project), `${project}/.cache`);
  assert.equal(directoryOf('/home/u/.cache/checkouts/other', project), '/home/u/.cache');
  assert.equal(directoryOf('/home/u/go/pkg/mod/p/a.go', '/home/u/go/pkg/mod/p'), undefined);
  for (const path of ['/home/u/p/go/pkg/a.go', '/home/u/p/go/pkg/mod/a.go', '/home/u/p/go/pkg/sumdb/a.go'])
    assert.equal(directoryOf(path, '/home/u/p'), undefined, path);
  assert.equal(directoryOf('/home/u/go/pkg/mod/a.org/x@v1/a.go', '/home/u'), '/home/u/go/pkg');
  assert.equal(directoryOf('/home/u/go/pkg/mod/cache/lock', '/home/u'), '/home/u/go/pkg');
});

test("what Git LFS keeps is git's by its names, and its settings are somebody's", () => {
  const content = `objects/fc/14/fc14${'0'.repeat(60)}`;
  for (const path of ['lfs', 'lfs/tmp', 'lfs/objects', 'lfs/objects/fc/14', `lfs/${content}`])
    assert.equal(gitDirectoryOf(`/p/.git/${path}` as BytePath), '/p/.git', path);
  for (const path of ['lfs/config', 'lfs/objects/fc/14/run', 'lfs/tmp/run', `lfs/${content}/run`])
    assert.equal(gitDirectoryOf(`/p/.git/${path}` as BytePath), undefined, path);
});
