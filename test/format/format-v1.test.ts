/** A session of format 1 must be readable for ever; its records are those of format 2, without stamps. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Layout, SESSION_DIR } from '../../src/history/layout.ts';
import { Journal } from '../../src/history/log/journal.ts';
import { loadSession } from '../../src/history/timeline/load.ts';
import { objectPath } from '../../src/staging/object-store.ts';
import type { ObjectId } from '../../src/sys/bytes.ts';
import { dumpTree } from '../history/dump-tree.ts';
import { layoutOf } from '../history/registry/layouts.ts';
import { REPOSITORY } from '../support/source-files.ts';
import { OBJECTS, SAMPLE } from './sample-session.ts';

const SAMPLE_DIR = join(REPOSITORY, 'test/format/v1');

/** A copy of the sample as a session of its own. */
function copyOf(t: TestContext): Layout {
  const project = mkdtempSync(join(tmpdir(), 'yolofs-format-'));
  t.after(() => rmSync(project, { recursive: true, force: true }));
  cpSync(SAMPLE_DIR, join(project, SESSION_DIR), { recursive: true });
  return layoutOf(project);
}

test('a journal of format 1 is read record by record', (t) => {
  const journal = Journal.open(copyOf(t).journal, { readOnly: true });
  t.after(() => journal.close());
  assert.deepEqual(
    [...journal.scan()].map((each) => each.record),
    SAMPLE,
  );
});

test('a session of format 1 is loaded by a reader and by a writer', async (t) => {
  const layout = copyOf(t);
  for (const readOnly of [true, false, true]) {
    const session = loadSession(layout, { readOnly });
    assert.ok(session);
    assert.equal(dumpTree(session.tree), readFileSync(join(SAMPLE_DIR, 'tree.txt'), 'utf8'));
    const { generation, nextObject, nextIno, changedSinceMarker, lastRun } = session.state;
    assert.deepEqual([generation, nextObject, nextIno, changedSinceMarker, lastRun], [4, 9, 2 ** 48 + 9, true, 4]);
    await session.close();
  }
});

test('a session of format 1 finds its contents', (t) => {
  const { files } = copyOf(t);
  for (const [object, content] of Object.entries(OBJECTS)) {
    assert.equal(readFileSync(join(files, objectPath(Number(object) as ObjectId)), 'latin1'), content);
  }
});

test('a writer makes a journal of format 1 one of format 2, a reader leaves it alone', (t) => {
  const path = copyOf(t).journal;
  const old = readFileSync(path, 'latin1');
  Journal.open(path, { readOnly: true }).close();
  assert.equal(readFileSync(path, 'latin1'), old);
  Journal.open(path).close();
  assert.equal(readFileSync(path, 'latin1').split('\t', 1)[0], 'yolofs journal 2');
  assert.deepEqual(withoutHeader(path), withoutHeader(join(SAMPLE_DIR, 'journal')));
});

function withoutHeader(path: string): string[] {
  return readFileSync(path, 'latin1').split('\n').slice(1);
}

test('the lines that FORMAT.md shows are lines of the samples', () => {
  const document = readFileSync(join(REPOSITORY, 'src/history/FORMAT.md'), 'latin1');
  const shown = document.split('\n').filter((line) => /^[0-9a-f]{8}\t|^yolofs journal /.test(line));
  const samples = ['v1', 'v2'].map((name) => join(REPOSITORY, 'test/format', name, 'journal'));
  const lines = new Set(samples.flatMap((path) => readFileSync(path, 'latin1').split('\n')));
  assert.ok(shown.length >= 8, `only ${shown.length} examples`);
  assert.deepEqual(
    shown.filter((line) => !lines.has(line)),
    [],
  );
});
