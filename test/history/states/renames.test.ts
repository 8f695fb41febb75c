/** Pairs of a deleted and an added file that `diff` shows as a rename. */
import assert from 'node:assert/strict';
import { appendFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { renderDiff } from '../../../src/history/diff/diff.ts';
import { Facts } from '../../../src/history/diff/facts.ts';
import { rangeChanges } from '../../../src/history/diff/range-changes.ts';
import { findShownRenames, pairRenames } from '../../../src/history/diff/text/renames.ts';
import { ObjectStore } from '../../../src/staging/object-store.ts';
import { allSteps } from '../../../src/sys/all-steps.ts';
import type { ObjectId } from '../../../src/sys/bytes.ts';
import { OK } from '../../../src/sys/errno.ts';
import { type StagedProject, withProject } from '../projects/staged-project.ts';

const text = (seed: string, n = 20): string => Array.from({ length: n }, (_, i) => `${seed} line ${i}\n`).join('');

/** Numbers of files, all of three digits. More than are searched for what is only similar. */
const MANY = Array.from({ length: 500 }, (_, i) => 100 + i);

function paired(p: StagedProject): string[] {
  return [...pairRenames(() => p.changes(), p.view)].map((change) => p.line(change));
}

test('pairRenames() joins a file deleted and the same content added', () =>
  withProject({ 'a/f': text('f'), g: text('g') }, (p) => {
    p.mkdir('b').write('b/f', text('f')).rm('a/f').rm('g');
    assert.deepEqual(paired(p), ['added directory b', 'renamed file b/f < a/f', 'deleted file g']);
  }));

test('pairRenames() joins files that have half of their content in common', () =>
  withProject({ f: text('f'), g: text('g') }, (p) => {
    p.write('f2', text('f') + text('new', 9))
      .rm('f')
      .write('g2', text('g', 2) + text('other', 18))
      .rm('g');
    assert.deepEqual(paired(p), ['renamed file f2 < f', 'deleted file g', 'added file g2']);
  }));

test('pairRenames() prefers the best pair, then the same name', () =>
  withProject({ 'a/x': text('x'), 'a/y': text('x') }, (p) => {
    p.mkdir('b')
      .write('b/y', text('x'))
      .write('c', `${text('x')}more\n`)
      .rm('a/x')
      .rm('a/y');
    assert.deepEqual(paired(p), ['added directory b', 'renamed file b/y < a/y', 'renamed file c < a/x']);
  }));

test('pairRenames() leaves empty files, directories and symlinks alone', () =>
  withProject({ e: '', 'd/': '' }, (p) => {
    p.write('e2', '').rm('e').mkdir('d2').rmdir('d');
    assert.deepEqual(paired(p), ['deleted directory d', 'added directory d2', 'deleted file e', 'added file e2']);
  }));

test('findShownRenames() leaves files alone that are too large to be shown, which pairRenames() joins', () =>
  withProject({ small: text('small'), large: text('a large one', 500_000) }, (p) => {
    p.write('small2', text('small')).rm('small');
    p.write('large2', text('a large one', 500_000)).rm('large');
    assert.deepEqual(paired(p), ['renamed file large2 < large', 'renamed file small2 < small']);
    const facts = new Facts(p.view.base, p.view.store);
    const found = allSteps(findShownRenames(p.changes(), facts));
    assert.deepEqual([...found.keys()], [p.at('small2')]);
  }));

test('findShownRenames() compares no more than so much of files that begin alike and are not', () => {
  const [count, size] = [20, 8 << 20];
  const names = Array.from({ length: count }, (_, i) => `old${i}`);
  return withProject(Object.fromEntries(names.map((name) => [name, ''])), (p) => {
    const end = (i: number): string => String.fromCharCode(65 + i);
    p.native((dir) => {
      for (const [i, name] of names.entries()) {
        truncateSync(join(dir, name), size - 1);
        appendFileSync(join(dir, name), end(i));
      }
    });
    for (const [i, name] of names.entries()) {
      p.rm(name).write(`new${i}`, '');
      assert.equal(p.driver.write(p.at(`new${i}`), size - 1, end(count + i)), OK);
    }
    let compared = 0;
    class Counted extends Facts {
      override same(...sides: Parameters<Facts['same']>): boolean {
        compared += 1;
        return super.same(...sides);
      }
    }
    allSteps(findShownRenames(p.changes(), new Counted(p.view.base, p.view.store)));
    assert.equal(compared, 128);
  });
});

test('pairRenames() takes each file for one pair only', () =>
  withProject({ f: text('f') }, (p) => {
    p.write('f1', text('f')).write('f2', text('f')).rm('f');
    assert.deepEqual(paired(p), ['renamed file f1 < f', 'added file f2']);
  }));

test('renderDiff() of a range shows one state of the store against another', () =>
  withProject({ f: text('f', 3) }, (p) => {
    p.append('f', 'one\n').write('new', 'v1\n');
    const first = p.snapshot().records;
    p.append('f', 'two\n').mv('new', 'newer').append('newer', 'v2\n');
    const { base, store, recorder, dir } = p.view;
    const records = recorder.records.slice(first).map(({ mutation }) => mutation);
    p.snapshot().write('f', 'later').rm('newer');
    assert.equal(
      [...renderDiff(rangeChanges(records, { base, store }), { base, store, project: dir })].join(''),
      `diff --git a/f b/f
--- a/f
+++ b/f
@@ -2,3 +2,4 @@
 f line 1
 f line 2
 one
+two
diff --git a/new b/newer
similarity index 50%
rename from new
rename to newer
--- a/new
+++ b/newer
@@ -1 +1,2 @@
 v1
+v2
`,
    );
  }));

/** Counts how often contents are opened. */
class CountingStore extends ObjectStore {
  opened = 0;

  override open(object: ObjectId): number {
    this.opened += 1;
    return super.open(object);
  }
}

test('pairRenames() compares few of many files that have one size', () =>
  withProject(Object.fromEntries(MANY.map((i) => [`old/${i}`, `old content ${i}`])), (p) => {
    p.mkdir('new');
    for (const i of MANY) p.write(`new/${i}`, i % 10 === 0 ? `old content ${i}` : `new content ${i}`).rm(`old/${i}`);
    const store = new CountingStore(join(p.view.dir, '../store'));
    const pairs = [...pairRenames(() => p.changes(), { base: p.view.base, store })];
    store.close();
    const renamed = pairs.filter(({ change }) => change === 'renamed').map((change) => p.line(change));
    const expected = MANY.filter((i) => i % 10 === 0).map((i) => `renamed file new/${i} < old/${i}`);
    assert.deepEqual(renamed, expected);
    // Once to see how each begins, and what begins alike.
    assert.ok(store.opened <= MANY.length * 1.5, `${store.opened} times`);
  }));
