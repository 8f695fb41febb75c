import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderSummary } from '../../src/cli/summary.ts';
import { paintFor } from '../../src/cli/terminal.ts';
import type { ChangeKind, ChangeLine, RunSummary } from '../../src/daemon/protocol.ts';
import { type BytePath, toBytes } from '../../src/sys/bytes.ts';

const FROM = { project: '/p' as BytePath, cwd: '/p' as BytePath };
const plain = paintFor({ isTTY: false });

function line(change: ChangeKind, path: string, over: Partial<ChangeLine> = {}): ChangeLine {
  return { path: toBytes(path) as BytePath, change, type: 'file', ...over };
}

function summary(changes: readonly ChangeLine[], over: Partial<RunSummary> = {}): RunSummary {
  const counts = { added: 0, modified: 0, deleted: 0, renamed: 0, metadata: 0 };
  for (const { change } of changes) counts[change] += 1;
  return { generation: 7, snapshot: true, counts, changes, refused: [], ...over };
}

function render(changes: readonly ChangeLine[], over: Partial<RunSummary> = {}): string {
  return renderSummary(summary(changes, over), FROM, plain);
}

describe('renderSummary()', () => {
  test('is empty when nothing changed', () => {
    assert.equal(render([]), '');
  });

  test('tells deletions first, then what lies outside, then by kind', () => {
    const text = render([
      line('added', '/p/new.txt'),
      line('added', '/home/u/.bashrc'),
      line('metadata', '/p/run.sh'),
      line('modified', '/p/src/a.ts'),
      line('renamed', '/p/b', { from: '/p/a' as BytePath, type: 'directory' }),
      line('deleted', '/p/old.txt'),
      line('deleted', '/etc/fstab'),
    ]);
    assert.equal(
      text,
      [
        'yolofs: 2 deleted, 1 modified, 1 renamed, 1 metadata, 2 added',
        '  deleted  /etc/fstab  (outside the project)',
        '  deleted  old.txt',
        '  added    /home/u/.bashrc  (outside the project)',
        '  modified src/a.ts',
        '  renamed  a/ → b/',
        '  metadata run.sh',
        '  added    new.txt',
        "snapshot 7; staged only: 'yolofs status' lists, 'yolofs commit' applies, 'yolofs abort' discards",
        '',
      ].join('\n'),
    );
  });

  test('says when there is no snapshot', () => {
    assert.match(render([line('added', '/p/a')], { snapshot: false }), /^generation 7, no snapshot; staged only/m);
  });

  test('stays below about a kilobyte and counts what it leaves out', () => {
    const many = Array.from({ length: 300 }, (_, i) => line('added', `/p/${'deep/'.repeat(i % 40)}${i}.txt`));
    const text = render(many, { counts: { added: 5000, modified: 0, deleted: 0, renamed: 0, metadata: 0 } });
    assert.ok(Buffer.byteLength(text) < 1100, `${Buffer.byteLength(text)} bytes`);
    const shown = text.split('\n').filter((row) => row.startsWith('  added')).length;
    assert.match(text, new RegExp(`… and ${5000 - shown} more`));
  });

  test('writes names so that they cannot forge a line or a colour', () => {
    assert.match(
      render([line('added', '/p/a\nyolofs: 0 deleted\x1b[0m')]),
      /^ {2}added {4}a\\x0ayolofs: 0 deleted\\x1b\[0m$/m,
    );
  });

  test('shows paths from where the person stands', () => {
    const text = renderSummary(summary([line('added', '/p/src/ä')]), { ...FROM, cwd: '/p/test' as BytePath }, plain);
    assert.match(text, /^ {2}added {4}\.\.\/src\/ä$/m);
  });
});
