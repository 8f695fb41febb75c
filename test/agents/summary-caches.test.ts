import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSummary } from '../../src/agents/summary-text.ts';
import type { BytePath } from '../../src/sys/bytes.ts';
import { change, FROM, summary } from './summaries.ts';

test('a summary has what went into caches in one line at the end, but what is gone, or was moved there, by its name', () => {
  const changes = [
    change('added', '/home/u/.npm/_cacache/content-v2/aa', { type: 'directory', below: { changes: 6, files: 4 } }),
    change('modified', '/home/u/.cache/pip/selfcheck.json'),
    change('deleted', '/home/u/.cache/pip/wheel'),
    change('renamed', '/home/u/.cache/notes', { from: '/home/u/notes' as BytePath }),
    change('added', '/p/src/__pycache__/a.pyc'),
    change('modified', '/p/src/a.py'),
  ];
  assert.deepEqual(renderSummary(summary(changes), FROM).split('\n').slice(0, -2), [
    'yolofs: 1 deleted, 2 modified, 1 renamed, 8 added',
    '  deleted  /home/u/.cache/pip/wheel  (outside the project)',
    '  renamed  /home/u/notes → /home/u/.cache/notes  (outside the project)',
    '  modified src/a.py',
    '  caches   9 changes in /home/u/.npm/_cacache/, /home/u/.cache/, src/__pycache__/',
  ]);
});
