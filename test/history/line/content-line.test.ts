/** The record that is read byte by byte, judged by the decoder of all records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Journal } from '../../../src/history/journal.ts';
import { ContentLine } from '../../../src/history/line/content-line.ts';
import { decodeRecord, encodeRecord, type JournalRecord } from '../../../src/history/record.ts';
import { Replayer } from '../../../src/history/replay.ts';
import { currentEpoch } from '../../../src/history/segments.ts';
import { Markers } from '../../../src/history/travel/markers.ts';
import { treeAt } from '../../../src/history/travel/state-at.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import { type BytePath, type Gen, type Ino, type ObjectId, splitPath } from '../../../src/sys/bytes.ts';
import { S_IFREG } from '../../../src/sys/stat.ts';
import { dumpTree } from '../../support/dump-tree.ts';
import { backing, fingerprint, path, record } from '../arbitraries.ts';
import { HistoryView } from '../history-view.ts';
import { fill, step, take } from '../view-steps.ts';

/** Most of them as they mostly are. */
const mostly = <T>(usual: fc.Arbitrary<T>, any: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: any });
const usualPath = fc.constantFrom('/f', '/g', '/d/f', '/d/g', '/d/ e/f') as fc.Arbitrary<BytePath>;
const usualTime = fc.record({ sec: fc.nat(), nsec: fc.nat(999_999_999) }, { noNullPrototype: true });
const usualPrint = fc.record(
  { dev: fc.nat(), ino: fc.nat(), size: fc.nat(), mtime: usualTime, ctime: usualTime, nlink: fc.nat(3) },
  { noNullPrototype: true },
);

/** Content of files, most of them at their own place. */
const content = fc
  .record({
    frame: record,
    path: mostly(usualPath, path),
    print: fc.option(mostly(usualPrint, fingerprint), { nil: undefined }),
    other: mostly(fc.constant(undefined), backing),
    n: fc.nat(99),
  })
  .map(({ frame, path, print, other, n }): JournalRecord => {
    const object = n as ObjectId;
    const base = { kind: 'base', type: S_IFREG, path } as const;
    const pre = other ?? (n % 2 === 0 ? base : ({ kind: 'object', object, path } as const));
    return { ...frame, body: { tag: 'S', how: 'content', path, object, fingerprint: print, pre, ino: n as Ino } };
  });

test('read() takes of any record what decodeRecord() makes of it, or leaves it alone', () => {
  const bytes = Buffer.alloc(64 * 1024);
  const line = new ContentLine();
  let taken = 0;
  let directory: string | undefined;
  const property = fc.property(fc.oneof(content, record), (each) => {
    const end = encodeRecord(each, bytes) - 1;
    if (!line.read({ bytes, start: 0, end, offset: 0, next: end + 1 })) return;
    taken++;
    const { body, generation } = decodeRecord(bytes, 0, end);
    assert.ok(body.tag === 'S' && body.how === 'content');
    assert.deepEqual({ dir: line.directory, name: line.name }, splitPath(body.path));
    assert.equal(line.isInSameDirectory(), line.directory === directory);
    directory = line.directory;
    const { ino, object, fingerprint } = body;
    assert.deepEqual(
      [line.generation, line.ino, line.object, line.fingerprint],
      [generation, ino, object, fingerprint],
    );
    assert.ok(body.pre.kind === 'object' || (body.pre.kind === 'base' && body.pre.type === S_IFREG));
    assert.equal(body.pre.path, body.path);
  });
  fc.assert(property, { numRuns: 2000 });
  assert.ok(taken > 300, `only ${taken} were taken`);
});

test('read() leaves lines alone that end anywhere, or have something else at any place', () => {
  const body = {
    tag: 'S',
    how: 'content',
    path: '/d/f',
    ino: 1,
    object: 2,
    pre: { kind: 'base', type: S_IFREG, path: '/d/f' },
  };
  const print = { dev: 1, ino: 2, size: 3, mtime: { sec: 4, nsec: 5 }, ctime: { sec: 6, nsec: 7 }, nlink: 1 };
  const frame = { generation: 3 as Gen, time: { sec: 1, nsec: 2 }, who: { run: 1, pid: 2, process: 'sh' } };
  const bytes = Buffer.alloc(1024);
  const end =
    encodeRecord({ ...frame, body: { ...body, fingerprint: print } as unknown as JournalRecord['body'] }, bytes) - 1;
  const reads = (to: number): boolean => new ContentLine().read({ bytes, start: 0, end: to, offset: 0, next: to + 1 });
  assert.ok(reads(end));
  for (let cut = 12; cut < end; cut++) assert.ok(!reads(cut), `cut at ${cut}`);
  for (const byte of ['\\', '-', ':'])
    for (let at = bytes.indexOf('content'); at < end; at++) {
      const before = bytes[at] ?? 0;
      if (before === byte.charCodeAt(0)) continue;
      bytes.write(byte, at, 'latin1');
      assert.ok(!reads(end), `${byte} at ${at}`);
      bytes[at] = before;
    }
});

function plainTree(journal: Journal): OverrideTree {
  const tree = new OverrideTree();
  const replayer = new Replayer(tree);
  for (const { record } of journal.scan()) replayer.apply(record);
  return tree;
}

test('treeAt() gives the tree that the records give one by one, whatever was done', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (all) => {
    const view = new HistoryView(fill);
    try {
      for (const each of all) await take(view, each);
      const { journal } = view.history;
      const timeline = new Markers(journal).timeline();
      const { history } = view;
      if (timeline.length > 1 || timeline[0].markers.some(({ kind }) => kind === 'travel')) return;
      const snapshot = history.snapshot('here');
      assert.ok(typeof snapshot === 'object');
      const epoch = currentEpoch(new Markers(journal).timeline());
      assert.equal(dumpTree(treeAt(journal, epoch, snapshot.generation)), dumpTree(plainTree(journal)));
    } finally {
      await view.close();
    }
  });
  await fc.assert(property, { numRuns: Number(process.env.YOLOFS_MODEL_RUNS ?? 100) });
});
