/** Times below a millisecond, by which programs tell two contents of one length apart. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Mirror } from '../../../src/sources/mirror/mirror.ts';
import { self } from '../../support/accounts.ts';
import { plainDirectory } from '../../support/plain.ts';

const PATHS = Array.from({ length: 20 }, (_, i) => `page-${i}.md`);

test('of a revision that changes the time changes with it, and from the time nobody finds the revision', (t) => {
  const plain = plainDirectory(self);
  t.after(() => plain.remove());
  const marks = (name: string, rev: (i: number) => string): bigint[] => {
    const mirror = new Mirror({ root: join(plain.root, name), state: join(plain.root, `${name}-state`) });
    const entries = PATHS.map(
      (path, i) => ({ path, kind: 'file', size: 1, mtime: 1000, rev: rev(i), acl: [] }) as const,
    );
    mirror.show({ version: rev(0), entries }, new Map());
    return PATHS.map((path) => statSync(join(mirror.root, path), { bigint: true }).mtimeNs % 1_000_000n);
  };
  const first = marks('one', (i) => `${i}.1.index`);
  // The same state again, as after a restart.
  const second = marks('one', (i) => `${i + 100}.1.index`);
  assert.ok(first.every((mark, i) => mark !== second[i]));
  assert.deepEqual(
    marks('one', (i) => `${i + 100}.1.index`),
    second,
  );
  const elsewhere = marks('other', (i) => `${i}.1.index`);
  assert.ok(
    first.every((mark, i) => mark !== elsewhere[i]),
    'it is no function of what a server says',
  );
});
