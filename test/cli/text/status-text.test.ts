import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusLines } from '../../../src/cli/text/status-text.ts';
import { paintFor } from '../../../src/cli/text/terminal.ts';
import type { ChangeLine } from '../../../src/daemon/protocol.ts';
import type { BytePath } from '../../../src/sys/bytes.ts';

const FROM = { project: '/p' as BytePath, cwd: '/p/src' as BytePath };
const CHANGES: readonly ChangeLine[] = [
  { path: '/etc/hosts' as BytePath, change: 'modified', type: 'file' },
  { path: '/p/lib' as BytePath, change: 'renamed', type: 'directory', from: '/p/old' as BytePath },
  { path: '/p/src/a' as BytePath, change: 'added', type: 'file' },
  { path: '/p/src/b' as BytePath, change: 'deleted', type: 'file' },
  { path: '/p/src/run' as BytePath, change: 'metadata', type: 'file' },
  { path: '/p/z' as BytePath, change: 'added', type: 'directory' },
];

test('statusLines() groups by kind, the destructive ones first', () => {
  assert.deepEqual(
    [...statusLines({ changes: CHANGES, untold: [] }, FROM, paintFor({ isTTY: false }))],
    [
      'Deleted (1)',
      '  b',
      '',
      'Modified (1)',
      '  /etc/hosts',
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
      '1 of them outside the project, shown with absolute paths',
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
    [...statusLines({ changes: deleted, untold: [] }, FROM, paintFor({ isTTY: true }))][1],
    '  \x1b[31mb\x1b[39m',
  );
  process.env.NO_COLOR = '1';
  assert.deepEqual([...statusLines({ changes: deleted, untold: [] }, FROM, paintFor({ isTTY: true }))][1], '  b');
});

test('N14: statusLines() tells of a new directory with many files how many there are', () => {
  const added = (path: string, type: 'file' | 'directory'): ChangeLine => {
    return { path: `/p/${path}` as BytePath, change: 'added', type };
  };
  const files = Array.from({ length: 21 }, (_, n) => added(`new/deep/${String(n).padStart(2, '0')}`, 'file'));
  const changes = [added('new', 'directory'), added('new-too', 'file'), added('new/deep', 'directory'), ...files];
  const lines = (all: readonly ChangeLine[]): string[] => [
    ...statusLines({ changes: all, untold: [] }, FROM, paintFor({ isTTY: false })),
  ];
  assert.deepEqual(lines(changes), [
    'Added (24)',
    '  ../new/ (21 files: --json, or diff --stat, lists them)',
    '  ../new-too',
  ]);
  // One file less, or something to look at in there: all are listed.
  assert.equal(lines(changes.slice(0, -1)).length, 24);
  assert.equal(lines(changes.map((one, n) => (n === 9 ? { ...one, conflict: 'appeared' as const } : one))).length, 27);
});
