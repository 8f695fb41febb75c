/** A journal of format 2 must be readable for ever; as long as 2 is what we write, we must write the same bytes. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Journal } from '../../src/history/log/journal.ts';
import { loadSession } from '../../src/history/timeline/load.ts';
import { OK } from '../../src/sys/errno.ts';
import { dumpTree } from '../history/dump-tree.ts';
import { layoutOf } from '../history/registry/layouts.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { SAMPLE } from './sample-v2.ts';

const PATH = join(REPOSITORY, 'test/format/v2/journal');

function scratch(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-format-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a journal of format 2 is read record by record', (t) => {
  const journal = Journal.open(PATH, { readOnly: true });
  t.after(() => journal.close());
  assert.deepEqual(
    [...journal.scan()].map((each) => each.record),
    SAMPLE,
  );
});

test('append() writes format 2 to the byte', (t) => {
  const path = join(scratch(t), 'journal');
  const journal = Journal.open(path, { create: true });
  for (const record of SAMPLE) assert.equal(journal.append(record), OK);
  journal.close();
  assert.equal(readFileSync(path, 'latin1'), readFileSync(PATH, 'latin1'));
});

test('records that count only together are overlooked by a reader and cut off by a writer when one is missing', async (t) => {
  const layout = layoutOf(scratch(t));
  mkdirSync(layout.dir);
  copyFileSync(PATH, layout.journal);
  const lines = readFileSync(PATH, 'latin1').split('\n');
  const upTo = (count: number): number => lines.slice(0, count).join('\n').length + 1;
  // Header, S, K; U and the S it carries are there, the P is not.
  truncateSync(layout.journal, upTo(5));
  const reader = loadSession(layout, { readOnly: true });
  assert.deepEqual([reader?.state.applied, reader?.state.journalOffset], [[1], upTo(3)]);
  await reader?.close();
  assert.equal(statSync(layout.journal).size, upTo(5));
  const writer = loadSession(layout, { readOnly: false });
  assert.deepEqual([writer.state.applied, writer.state.journalOffset], [[1], upTo(3)]);
  assert.equal(dumpTree(writer.tree).includes('dist.js'), false);
  await writer.close();
  assert.equal(statSync(layout.journal).size, upTo(3));
});
