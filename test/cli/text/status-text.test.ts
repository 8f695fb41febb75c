import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusLines } from '../../../src/cli/text/status-text.ts';
import { paintFor } from '../../../src/cli/text/terminal.ts';
import type { Entry, Review } from '../../../src/review/review.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const FROM = { project: '/p' as BytePath, cwd: '/p/src' as BytePath };
const CHANGES: readonly Entry[] = [
  { path: '/etc/hosts' as BytePath, change: 'modified', type: 'file' },
  { path: '/p/lib' as BytePath, change: 'renamed', type: 'directory', from: '/p/old' as BytePath },
  { path: '/p/src/a' as BytePath, change: 'added', type: 'file' },
  { path: '/p/src/b' as BytePath, change: 'deleted', type: 'file' },
  { path: '/p/src/run' as BytePath, change: 'metadata', type: 'file' },
  { path: '/p/z' as BytePath, change: 'added', type: 'directory' },
];

function inReview(entries: readonly Entry[]): Pick<Review, 'project' | 'outside' | 'folded'> {
  const isOutside = ({ path }: Entry): boolean => !path.startsWith('/p/');
  return { project: entries.filter((one) => !isOutside(one)), outside: entries.filter(isOutside), folded: [] };
}

test('statusLines() groups by kind, the destructive ones first', () => {
  assert.deepEqual(
    [...statusLines({ review: inReview(CHANGES), untold: [] }, FROM, paintFor({ isTTY: false }))],
    [
      'Deleted (1)',
      '  b',
      '',
      'Renamed (1)',
      '  ../old/ → ../lib/',
      '',
      'Attributes changed (1)',
      '  run',
      '',
      'Added (2)',
      '  a',
      '  ../z/',
      '',
      'Outside the project (1)',
      '  modified /etc/hosts',
    ],
  );
});

test('statusLines() colours on a terminal, unless $NO_COLOR is set', (t) => {
  const before = { NO_COLOR: process.env.NO_COLOR, TERM: process.env.TERM };
  t.after(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  delete process.env.NO_COLOR;
  process.env.TERM = 'xterm';
  const deleted = CHANGES.filter(({ change }) => change === 'deleted');
  assert.deepEqual(
    [...statusLines({ review: inReview(deleted), untold: [] }, FROM, paintFor({ isTTY: true }))][1],
    '  \x1b[31mb\x1b[39m',
  );
  process.env.NO_COLOR = '1';
  assert.deepEqual(
    [...statusLines({ review: inReview(deleted), untold: [] }, FROM, paintFor({ isTTY: true }))][1],
    '  b',
  );
});

test('N14: statusLines() tells of a directory with many files that is new, or gone, how many there are', () => {
  const added = (path: string, type: 'file' | 'directory'): Entry => {
    return { path: `/p/${path}` as BytePath, change: 'added', type, ...(type === 'file' ? { size: 2 } : {}) };
  };
  const files = Array.from({ length: 21 }, (_, n) => added(`new/deep/${String(n).padStart(2, '0')}`, 'file'));
  const changes = [added('new', 'directory'), added('new-too', 'file'), added('new/deep', 'directory'), ...files];
  const lines = (all: readonly Entry[]): string[] => [
    ...statusLines({ review: inReview(all), untold: [] }, FROM, paintFor({ isTTY: false })),
  ];
  assert.deepEqual(lines(changes), ['Added (24)', '  ../new/ (21 files, 42 B)', '  ../new-too']);
  const gone = changes.map((one): Entry => ({ path: one.path, change: 'deleted', type: one.type }));
  assert.deepEqual(lines(gone), ['Deleted (24)', '  ../new/ (21 files)', '  ../new-too']);
  const chain = Array.from({ length: 22 }, (_, n) => added(`chain${'/d'.repeat(n)}`, 'directory'));
  assert.deepEqual(lines(chain), ['Added (22)', '  ../chain/ (0 files, 0 B)'], 'many directories, too');
  assert.equal(lines(chain.slice(0, -1)).length, 22, 'twenty are listed');
  // A directory that stays says nothing for what went from it.
  assert.equal(lines(gone.filter(({ type }) => type === 'file')).length, 23);
  // One file less, or something to look at in there: all are listed.
  assert.equal(lines(changes.slice(0, -1)).length, 24);
  assert.equal(lines(changes.map((one, n) => (n === 9 ? { ...one, conflict: 'appeared' as const } : one))).length, 27);
});
