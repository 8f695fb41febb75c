/** Contents that a server says along with what may match. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Mirror } from '../../../src/sources/mirror/mirror.ts';
import { Searches } from '../../../src/sources/searching/searches.ts';
import { Unfilled } from '../../../src/sources/searching/unfilled.ts';
import type { Entry, Wanted } from '../../../src/sources/source.ts';

const PATHS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const SEARCH = { formula: { kind: 'literal', text: 'needle', fold: false }, scopes: [''], lines: 'plain' } as const;

test('a content is kept that is what is shown and has not come before', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-brought-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const mirror = new Mirror({ root: join(dir, 'root'), state: join(dir, 'state') });
  const entries = PATHS.map((path): Entry => ({ path, kind: 'file', size: 6, mtime: 0, rev: '1', acl: [] }));
  mirror.show({ version: '1', entries }, new Map());
  mirror.present.comes('a');
  const unfilled = new Unfilled();
  const asked: Wanted[] = [];
  const searches = new Searches({
    mirror,
    unfilled,
    fetch: () => Promise.resolve([]),
    isHeld: () => false,
    isPaused: () => false,
    candidates: (wanted) => {
      asked.push(wanted);
      const content = Buffer.from('needle');
      for (const [path, rev] of [
        ['a', '1'],
        ['b', '1'],
        ['c', '2'],
        ['nowhere', '1'],
      ] as const)
        wanted.take?.({ path, content, rev });
      return Promise.resolve(new Set(['a', 'b', 'c']));
    },
  });
  const { answer, unfilled: bytes } = await searches.narrowed({ ...SEARCH, ofAll: true });
  assert.deepEqual([answer[0]?.kept, answer[0]?.excerpts?.lengths], ['a/b/c', [-1, 6, -1]]);
  assert.equal(bytes, 6);
  assert.deepEqual(
    unfilled.take(9).map(({ path }) => path),
    ['b'],
  );
  // Others say their contents when they are asked for.
  await searches.narrowed(SEARCH);
  await searches.narrowed({ ...SEARCH, scopes: ['a', 'b'], ofAll: true });
  assert.deepEqual(
    asked.map(({ take }) => take !== undefined),
    [true, false, false],
  );
});
