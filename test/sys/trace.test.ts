import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTrace } from '../../src/sys/trace.ts';

test('openTrace is undefined for a channel that is off', () => {
  assert.equal(openTrace('fuse', {}), undefined);
  assert.equal(openTrace('fuse', { YOLOFS_TRACE: '' }), undefined);
  assert.equal(openTrace('fuse', { YOLOFS_TRACE: 'journal,fused' }), undefined);
});

test('openTrace appends lines to the file for a channel that is on', () => {
  const directory = mkdtempSync(join(tmpdir(), 'trace-'));
  const file = join(directory, 'trace');
  try {
    openTrace('fuse', { YOLOFS_TRACE: 'journal,fuse', YOLOFS_TRACE_FILE: file })?.('one');
    openTrace('rules', { YOLOFS_TRACE: 'all', YOLOFS_TRACE_FILE: file })?.('two');
    assert.equal(readFileSync(file, 'utf8'), 'one\ntwo\n');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
