import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryTable, parseTable } from '../../../src/sources/mirror/entry-table.ts';
import type { Entry } from '../../../src/sources/source.ts';
import { Random } from '../../random/random.ts';
import { SEED } from '../../random/seed.ts';

const entry = (path: string, more: Partial<Entry> = {}): Entry => ({
  ...{ path, kind: 'file', size: 7, mtime: 1_700_000_000_123, rev: `rev of ${path}`, acl: ['public'] },
  ...more,
});

const ENTRIES: readonly Entry[] = [
  entry('z.md', { size: undefined, mtime: 0.5, rev: '' }),
  entry('guide', { kind: 'directory', size: 0, acl: [] }),
  entry('guide/\u{1f600}.md', { acl: ['billing', 'public'] }),
  entry('guide/\uffee.md', { size: 2 ** 40, rev: 'two\nlines "quoted"' }),
  entry('guide/link', { kind: 'symlink' }),
  entry('guide/spec.json', { pointer: { kind: 'http', url: 'http://127.0.0.1/spec.json' } }),
];

const byPath = (entries: Iterable<Entry>): Entry[] => [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));

test('a table has every entry as it was, by its path and in its file', () => {
  const table = new EntryTable(ENTRIES);
  for (const one of ENTRIES) assert.deepEqual(table.get(one.path), one);
  for (const path of ['', 'guid', 'guide/', 'zz', 'guide/\u{1f601}.md']) assert.equal(table.get(path), undefined);
  assert.equal(table.files, 5);
  const parsed = parseTable(Buffer.from([...table.render('v "1"')].join('')));
  assert.equal(parsed?.version, 'v "1"');
  assert.deepEqual(byPath(parsed?.table.values() ?? []), byPath(ENTRIES));
  assert.deepEqual([...new EntryTable().values()], []);
});

test('each is found in whatever order they are asked for, and what is between them is not', () => {
  const random = new Random(SEED);
  for (const count of [0, 1, 2, 3, 50, 1000]) {
    const paths = new Set(Array.from({ length: count }, () => `${random.below(100)}/${random.below(1000)}`));
    const table = new EntryTable([...paths].map((path) => entry(path)));
    for (let asked = 0; asked < 3000; asked += 1) {
      // Mostly one after the other, as searches do.
      const start = random.below(100);
      const run = [...paths].sort().slice(start, start + random.below(40));
      for (const path of [...run, `${random.below(100)}/${random.below(1000)}`]) {
        assert.equal(table.get(path)?.path, paths.has(path) ? path : undefined);
      }
      if (run.length > 0) asked += run.length;
    }
  }
});

test('what was set counts, before and after it is settled', () => {
  const table = new EntryTable(ENTRIES);
  table.set('z.md', undefined);
  table.set('guide/link', entry('guide/link', { rev: 'another' }));
  table.set('a.md', entry('a.md'));
  for (const one of [table, table.settled()]) {
    assert.equal(one.get('z.md'), undefined);
    assert.equal(one.get('guide/link')?.rev, 'another');
    assert.deepEqual(one.get('a.md'), entry('a.md'));
    assert.equal(one.files, 5);
    assert.equal([...one.values()].length, 6);
  }
});

test('a file of more lines than one piece has is read whole, and one that is cut short is none', () => {
  const many = Array.from({ length: 2500 }, (_, i) => entry(`page-${i}.md`, { size: i }));
  const file = Buffer.from([...new EntryTable(many).render('1')].join(''));
  assert.deepEqual(byPath(parseTable(file)?.table.values() ?? []), byPath(many));
  assert.equal(JSON.parse(file.toString()).entries.length, 2500);
  for (const damaged of ['', '{', '{"version":"1","checkedAt":1,"entries":[]}', file.subarray(0, file.length - 5)])
    assert.equal(parseTable(Buffer.from(damaged)), undefined);
});
