/** The records that are read byte by byte, judged by the decoder of all records. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Journal } from '../../../src/history/log/journal.ts';
import { PlainLine } from '../../../src/history/log/plain-line.ts';
import { type Body, decodeRecord, encodeRecord, type JournalRecord } from '../../../src/history/log/record.ts';
import { Markers } from '../../../src/history/timeline/markers.ts';
import { Replayer } from '../../../src/history/timeline/replayer.ts';
import { currentEpoch } from '../../../src/history/timeline/segments.ts';
import { treeAt } from '../../../src/history/timeline/state-at.ts';
import type { Attributes } from '../../../src/staging/inode.ts';
import { OverrideTree } from '../../../src/staging/override-tree.ts';
import type { Backing } from '../../../src/staging/recorder.ts';
import { type BytePath, type Gen, type Ino, type ObjectId, splitPath } from '../../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../../src/sys/stat.ts';
import { fc } from '../../random/fast-check.ts';
import { runs } from '../../random/seed.ts';
import { attributes, backing, fingerprint, path, record } from '../arbitraries.ts';
import { dumpTree } from '../dump-tree.ts';
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

const usualMoment = fc.record({ mtime: usualTime, ctime: usualTime }, { noNullPrototype: true });
const usualSet = fc.record(
  { mode: fc.nat(0o7777), uid: fc.nat(), gid: fc.nat(), atime: usualTime, mtime: usualTime, ctime: usualTime },
  { requiredKeys: [], noNullPrototype: true },
);

/** What the name stood for: the file itself, one born in the view, a directory. */
const backings = (path: BytePath, n: number): Backing[] => [
  { kind: 'base', type: S_IFREG, path },
  { kind: 'object', object: n as ObjectId, path },
  { kind: 'object', object: n as ObjectId, path: undefined },
  { kind: 'base', type: S_IFDIR, path },
  { kind: 'other', type: S_IFDIR },
];

/** What is read byte by byte, most of it as it mostly is. */
const plain = fc
  .record({
    frame: record,
    usual: fc.record({ time: usualTime, run: fc.nat(99) }),
    path: mostly(usualPath, path),
    print: fc.option(mostly(usualPrint, fingerprint), { nil: undefined }),
    other: mostly(fc.constant(undefined), backing),
    attributes: mostly<Attributes>(fc.oneof(usualMoment, usualSet), attributes),
    n: fc.nat(99),
  })
  .map(({ frame, usual, path, print, other, attributes, n }): JournalRecord => {
    const object = n as ObjectId;
    const ino = n as Ino;
    const pre = other ?? backings(path, n)[n % 5] ?? { kind: 'absent' };
    const bodies: Body[] = [
      { tag: 'S', how: 'content', path, object, fingerprint: print, pre, ino },
      { tag: 'M', path, ino, changed: n % 5, attributes, xattr: undefined, fingerprint: print, pre },
      {
        ...{ tag: 'S', how: 'new', path, type: n % 2 === 0 ? S_IFREG : S_IFDIR, ino, object },
        ...{ mode: attributes.mode ?? n, uid: n, gid: n + 1, rdev: 0, target: undefined },
        pre: other ?? { kind: 'absent' },
      },
    ];
    const who = { ...frame.who, run: usual.run };
    return { ...frame, time: usual.time, who, body: bodies[Math.floor(n / 5) % 3] as Body };
  });

/** What `line` said, as the decoder would tell it, without what makes no difference. */
function told(line: PlainLine): unknown {
  const { generation, time, run, kind, type, ino, object, mode, uid, gid, rdev, changed, attributes, fingerprint } =
    line;
  const frame = { generation, run, path: { dir: line.directory, name: line.name } };
  if (kind === 'new') return { ...frame, time, kind, type, ino, object, mode, uid, gid, rdev };
  if (kind === 'content') return { ...frame, kind, type, ino, object, fingerprint };
  return { ...frame, kind, type, ino, changed, attributes, fingerprint };
}

function decoded({ generation, time, who, body }: JournalRecord): unknown {
  assert.ok(body.tag === 'M' || (body.tag === 'S' && body.how !== 'kept'));
  const { ino } = body;
  const frame = { generation, run: who.run, path: splitPath(body.path), ino };
  if (body.tag === 'S' && body.how === 'new') {
    assert.equal(body.target, undefined);
    const { type, object, mode, uid, gid, rdev } = body;
    return { ...frame, time, kind: 'new', type, object, mode, uid, gid, rdev };
  }
  const { pre, fingerprint } = body;
  assert.ok(pre.kind === 'object' || pre.kind === 'base' || pre.kind === 'other');
  if (pre.kind !== 'other') assert.ok(pre.path === body.path || (pre.kind === 'object' && pre.path === undefined));
  const type = pre.kind === 'object' ? S_IFREG : pre.type;
  if (body.tag === 'S') return { ...frame, kind: 'content', type, object: body.object, fingerprint };
  assert.equal(body.xattr, undefined);
  return { ...frame, kind: 'change', type, changed: body.changed, attributes: body.attributes, fingerprint };
}

test('read() takes of any record what decodeRecord() makes of it, or leaves it alone', () => {
  const bytes = Buffer.alloc(64 * 1024);
  const line = new PlainLine();
  const taken = { new: 0, content: 0, change: 0 };
  let directory: string | undefined;
  const property = fc.property(fc.oneof({ weight: 3, arbitrary: plain }, record), (each) => {
    const end = encodeRecord(each, bytes) - 1;
    if (!line.read({ bytes, start: 0, end, offset: 0, next: end + 1 })) return;
    taken[line.kind]++;
    assert.deepEqual(told(line), decoded(decodeRecord(bytes, 0, end)));
    assert.equal(line.isInSameDirectory(), line.directory === directory);
    directory = line.directory;
  });
  fc.assert(property, { numRuns: runs(3000) });
  for (const [kind, count] of Object.entries(taken))
    assert.ok(count > runs(150), `only ${count} of ${kind} were taken`);
});

const time = { sec: 4, nsec: 5 };
const print = { dev: 1, ino: 2, size: 3, mtime: time, ctime: { sec: 6, nsec: 7 }, nlink: 1 };
const at = { path: '/d/f' as BytePath, ino: 1 as Ino };
const object = 2 as ObjectId;
const samples: readonly Body[] = [
  { tag: 'S', how: 'content', ...at, object, fingerprint: print, pre: { kind: 'base', type: S_IFREG, path: at.path } },
  {
    ...{ tag: 'S', how: 'new', ...at, type: S_IFREG, object, mode: 0o644, uid: 8, gid: 9, rdev: 0, target: undefined },
    pre: { kind: 'absent' },
  },
  {
    ...{ tag: 'M', ...at, changed: 1, attributes: { mode: 0o600, uid: 3, mtime: time, ctime: time }, xattr: undefined },
    ...{ fingerprint: print, pre: { kind: 'object', object, path: at.path } },
  },
];

test('read() leaves lines alone that end anywhere, have a field more, or make no sense at any place', () => {
  const frame = { generation: 3 as Gen, time: { sec: 1, nsec: 2 }, who: { run: 1, pid: 2, process: 'sh' } };
  const line = new PlainLine();
  for (const body of samples) {
    const bytes = Buffer.alloc(1024);
    const end = encodeRecord({ ...frame, body }, bytes) - 1;
    const reads = (to: number): boolean => line.read({ bytes, start: 0, end: to, offset: 0, next: to + 1 });
    assert.ok(reads(end), bytes.toString('latin1', 0, end));
    bytes.write('\t7', end, 'latin1');
    assert.ok(!reads(end + 2), 'with a field more');
    for (let cut = 12; cut < end; cut++) assert.ok(!reads(cut), `cut at ${cut}`);
    for (const byte of ['\\', '-', ':', ',', '/', '\t', '9'])
      for (let place = bytes.indexOf('sh\t') + 3; place < end; place++) {
        const before = bytes[place] ?? 0;
        bytes.write(byte, place, 'latin1');
        if (reads(end)) assert.deepEqual(told(line), decoded(decodeRecord(bytes, 0, end)));
        bytes[place] = before;
      }
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
  await fc.assert(property, { numRuns: runs(100) });
});
