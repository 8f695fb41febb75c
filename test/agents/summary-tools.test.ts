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

test('a log that is rotated counts with its cache, but nothing else that goes from there', () => {
  const logs = '/home/u/.npm/_logs';
  const changes = [
    change('deleted', `${logs}/1.log`, { ofCaches: true }),
    change('added', `${logs}/2.log`),
    change('deleted', '/home/u/.npm/_cacache/index-v5/aa'),
    change('deleted', `${logs}/old`, { type: 'directory' }),
    change('deleted', '/p/logs/1.log'),
    change('added', '/p/logs/2.log'),
  ];
  assert.deepEqual(renderSummary(summary(changes), FROM).split('\n').slice(0, -2), [
    'yolofs: 4 deleted, 2 added',
    '  deleted  /home/u/.npm/_cacache/index-v5/aa  (outside the project)',
    '  deleted  /home/u/.npm/_logs/old/  (outside the project)',
    '  deleted  logs/1.log',
    '  added    logs/2.log',
    '  caches   2 changes in /home/u/.npm/_logs/',
  ]);
});

test('a new directory that has only caches in it counts as one', () => {
  const below = { changes: 9, files: 4 };
  const changes = [
    change('added', '/home/u/.sbt', { type: 'directory', below, ofCaches: true }),
    change('added', '/home/u/.cargo', { type: 'directory', below }),
  ];
  assert.deepEqual(renderSummary(summary(changes), FROM).split('\n').slice(0, -2), [
    'yolofs: 20 added',
    '  added    /home/u/.cargo/ (4 files)  (outside the project)',
    '  caches   10 changes in /home/u/.sbt/',
  ]);
});

test('a summary has what git writes for itself in one line, but hooks, settings, and where its names stand, by their names', () => {
  const git = '/p/.git';
  const changes = [
    change('modified', `${git}/index`),
    change('modified', `${git}/logs/refs/heads/main`),
    change('modified', `${git}/refs/heads/main`),
    change('modified', `${git}/HEAD`),
    change('modified', `${git}/config`),
    change('deleted', `${git}/objects/ab`, { type: 'directory', below: { changes: 1, files: 1 } }),
    change('added', `${git}/objects/1b`, { type: 'directory', below: { changes: 2, files: 2 } }),
    change('added', `${git}/objects/2c/${'0'.repeat(38)}`),
    change('added', `${git}/objects/2c/notes`),
    change('added', `${git}/hooks/post-commit`),
    change('added', '/p/lib/.git/COMMIT_EDITMSG'),
    change('modified', '/p/src/a.py'),
  ];
  assert.deepEqual(renderSummary(summary(changes), FROM).split('\n').slice(0, -2), [
    'yolofs: 2 deleted, 6 modified, 7 added',
    '  deleted  .git/objects/ab/ (1 file)',
    '  modified .git/refs/heads/main',
    '  modified .git/{HEAD,config}',
    '  modified src/a.py',
    '  added    .git/objects/2c/notes',
    '  added    .git/hooks/post-commit',
    '  git      7 changes in .git/, lib/.git/',
  ]);
});
