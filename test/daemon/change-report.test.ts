import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeReport } from '../../src/daemon/runs/change-report.ts';
import type { ChangeKind, FileType, PathChange } from '../../src/history/diff/changes.ts';
import type { Facts } from '../../src/history/diff/facts.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../src/sys/stat.ts';

// What is asked for: the size of new content, how many names the old file has, and what is in directories.
const entry = (name: string, ino: number, type = S_IFREG): object => ({ name, ino, type });
const BASE: Record<string, object[]> = {
  '/p': [entry('a', 5), entry('b', 6), entry('deep', 7, S_IFDIR)],
  '/p/deep': [entry('c', 5), entry('d', 8)],
};
const facts = {
  size: () => 0,
  of: (path: string) => ({ nlink: 3, ino: path.endsWith('d') ? 8 : 5 }),
  list: (dir: string) => BASE[dir],
} as unknown as Facts;

function tell(changes: readonly PathChange[]): { lines: string[]; counts: Record<ChangeKind, number> } {
  const report = new ChangeReport('/p' as BytePath);
  for (const change of [...changes].sort((a, b) => (a.path < b.path ? -1 : 1))) report.add(change);
  const lines = report.finish(facts).map(({ change, path, below, emptied, names, also, replaces, ofCaches }) => {
    const marks = [
      below && `+${below.changes} (${below.files})`,
      emptied && 'emptied',
      names && `names ${names}`,
      also && `also ${also.join()}`,
      replaces && 'replaces',
      ofCaches && 'of caches',
    ];
    return [change, path, ...marks.filter(Boolean)].join(' ');
  });
  return { lines, counts: report.counts };
}

function change(kind: ChangeKind, path: string, type: FileType = 'file'): PathChange {
  return { path: path as BytePath, change: kind, type };
}

test('ChangeReport lets a deleted or new directory stand for all of its kind below it, and for nothing else', () => {
  const { lines, counts } = tell([
    change('deleted', '/p/src', 'directory'),
    change('deleted', '/p/src/a'),
    change('deleted', '/p/src/deep', 'directory'),
    change('deleted', '/p/src/deep/b'),
    change('deleted', '/p/src-old'),
    change('added', '/p/new', 'directory'),
    change('added', '/p/new/x'),
    change('renamed', '/p/new/y'),
    change('modified', '/p/kept/z'),
  ]);
  assert.deepEqual(lines, [
    'deleted /p/src +3 (2)',
    'deleted /p/src-old',
    'modified /p/kept/z',
    'renamed /p/new/y',
    'added /p/new +1 (1)',
  ]);
  assert.deepEqual(counts, { added: 2, modified: 1, deleted: 5, renamed: 1, metadata: 0 });
});

test('ChangeReport keeps a place for every kind, what lies outside first, and counts all', () => {
  const many = (kind: ChangeKind, dir: string): PathChange[] =>
    Array.from({ length: 500 }, (_, i) => change(kind, `${dir}/${kind}${i}`));
  const { lines, counts } = tell([...many('deleted', '/p'), ...many('modified', '/p'), ...many('added', '/etc')]);
  const of = (kind: string): number => lines.filter((line) => line.startsWith(kind)).length;
  assert.deepEqual([of('deleted'), of('modified'), of('added')], [240, 30, 30]);
  assert.deepEqual([counts.deleted, counts.modified, counts.added], [500, 500, 500]);
});

test('ChangeReport tells what lies in caches last of its kind, so that it takes no place of others', () => {
  const many = Array.from({ length: 500 }, (_, i) => change('added', `/home/u/.cache/${i}`));
  const { lines } = tell([...many, change('added', '/home/u/.profile'), change('added', '/p/a')]);
  assert.deepEqual(lines.slice(0, 3), ['added /home/u/.profile', 'added /p/a', 'added /home/u/.cache/0 +499 (499)']);
});

test('ChangeReport counts what is written into a cache with the first of its kind there, however much that is', () => {
  const cache = '/home/u/.npm/_cacache';
  const many = Array.from({ length: 400 }, (_, i) => [
    change('added', `${cache}/content-v2/${i}`, 'directory'),
    change('added', `${cache}/content-v2/${i}/a`),
    change('modified', `${cache}/index-v5/${i}`),
  ]);
  const { lines, counts } = tell([
    ...many.flat(),
    change('added', '/home/u/.npm/_npx/b5', 'directory'),
    change('added', '/home/u/.npm/_npx/b5/package.json'),
  ]);
  assert.deepEqual(lines, [
    `modified ${cache}/index-v5/0 +399 (399)`,
    `added ${cache}/content-v2/0 +799 (400)`,
    'added /home/u/.npm/_npx/b5 +1 (1)',
  ]);
  assert.deepEqual([counts.added, counts.modified], [802, 400]);
});

test('ChangeReport marks a log of a cache that is rotated, however many others are told before', () => {
  const [logs, many] = ['/home/u/.npm/_logs', Array.from({ length: 900 }, (_, i) => change('added', `/srv/${i}`))];
  const { lines } = tell([
    ...many,
    change('deleted', `${logs}/1.log`),
    change('added', `${logs}/2.log`),
    change('deleted', `${logs}/old`, 'directory'),
    change('deleted', '/home/u/.npm/_cacache/index-v5/aa'),
    change('added', '/home/u/.npm/_cacache/index-v5/bb/cc'),
    change('deleted', '/p/logs/1.log'),
    change('added', '/p/logs/2.log'),
  ]);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('deleted')),
    [
      'deleted /p/logs/1.log',
      'deleted /home/u/.npm/_cacache/index-v5/aa',
      `deleted ${logs}/1.log of caches`,
      `deleted ${logs}/old`,
    ],
  );
});

test('ChangeReport marks a new directory in which there is no file but those of caches', () => {
  const { lines } = tell([
    change('added', '/home/u/.m2', 'directory'),
    change('added', '/home/u/.m2/repository', 'directory'),
    change('added', '/home/u/.m2/repository/a'),
    change('added', '/home/u/.npm', 'directory'),
    change('added', '/home/u/.npm/_cacache', 'directory'),
    change('added', '/home/u/.npm/_cacache/a'),
    change('added', '/home/u/.npm/other'),
    change('added', '/home/u/.npm/z', 'directory'),
    change('added', '/home/u/empty', 'directory'),
    change('added', '/home/u/empty/.cache', 'directory'),
  ]);
  assert.deepEqual(lines, [
    'added /home/u/.m2 +2 (1) of caches',
    'added /home/u/.npm +4 (2)',
    'added /home/u/empty +1 (0)',
  ]);
});

test('ChangeReport says what was emptied, and what a rename has taken the place of', () => {
  const object = { backing: { kind: 'base', type: S_IFREG, path: '/p/a' as BytePath } } as const;
  const { lines } = tell([
    { ...change('modified', '/p/a'), oldSide: object, newSide: object },
    { ...change('renamed', '/p/b'), from: '/p/c' as BytePath, replaced: object },
  ]);
  assert.deepEqual(lines, ['modified /p/a emptied names 2 also /p/deep/c', 'renamed /p/b replaces']);
});
