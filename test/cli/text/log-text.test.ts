import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logLines, markerLines } from '../../../src/cli/text/log-text.ts';
import { drawTree } from '../../../src/cli/text/log-tree.ts';
import { paintFor } from '../../../src/cli/text/terminal.ts';
import type { Body } from '../../../src/history/log/record.ts';
import { readLog } from '../../../src/history/past/log.ts';
import { buildTimeline, currentEpoch, type Epoch } from '../../../src/history/timeline/segments.ts';
import type { BytePath, Gen } from '../../../src/sys/bytes.ts';
import { journalOf, newFile, record } from '../../history/samples.ts';

/** Records from a word: `P` snapshot, `T2` travel to 2, `K`, `A`, `U` the ends of epochs, `a` a file of that name. */
function recordsOf(story: string, name = 'name'): ReturnType<typeof record>[] {
  let generation = 0;
  return story.split(' ').map((word, i) => {
    if (word === 'P' || word.startsWith('T')) generation += 1;
    return record(bodyOf(word, i, name), generation);
  });
}

function bodyOf(word: string, i: number, name: string): Body {
  if (word === 'P') return { tag: 'P', name, command: 'make' };
  if (word.startsWith('T')) return { tag: 'T', target: Number(word.slice(1)) as Gen, name: '' };
  if (word === 'K') return { tag: 'K', changes: 2, commit: 1, carried: 0 };
  if (word === 'A') return { tag: 'A', changes: 1 };
  if (word === 'U') return { tag: 'U', commit: 1, changes: 3, carried: 0 };
  return newFile(`/${word}`, i + 1);
}

function epochOf(story: string): Epoch {
  const marks = recordsOf(story).map((each, i) => ({ offset: i, next: i + 1, record: each }));
  return currentEpoch(buildTimeline(marks, { start: 0, end: marks.length }));
}

function drawn(story: string): string[] {
  return [...drawTree(epochOf(story))].map(({ graph, index }) => `${graph}${index ?? ''}`);
}

test('drawTree() puts the live branch first and hangs the others where they left', () => {
  assert.deepEqual(drawn('P'), ['●1', '●0']);
  assert.deepEqual(drawn('P P P T1 P'), ['●5', '●4', '│ ○3', '│ ○2', '├─╯', '●1', '●0']);
  assert.deepEqual(drawn('P T0 P T0 P'), ['●5', '●4', '│ ○3', '│ ○2', '├─╯', '│ ○1', '├─╯', '●0']);
  const nested = ['●8', '●7', '│ ○6', '│ ○5', '│ │ ○4', '│ ├─╯', '│ ○3', '│ ○2', '├─╯', '●1', '●0'];
  assert.deepEqual(drawn('P P P P T3 P T1 P'), nested);
});

test('drawTree() stays narrow, whatever was travelled', () => {
  const width = (story: string): number => Math.max(...drawn(story).map((row) => row.replace(/\d+/, '').length));
  assert.equal(width(Array.from({ length: 500 }, () => 'P T0').join(' ')), 3);
  const back = Array.from({ length: 500 }, (_, i) => `P T${2 * i}`).join(' ');
  assert.ok(width(back) <= 2 * 11, `${width(back)}`);
  let seed = 1;
  const random = Array.from({ length: 1000 }, (_, i) => {
    seed = (seed * 48271) % 2147483647;
    return seed % 3 === 0 ? `T${seed % (i + 1)}` : 'P';
  });
  assert.equal(drawn(random.join(' ')).filter((row) => /\d/.test(row)).length, 1001);
  assert.ok(width(random.join(' ')) <= 2 * 12);
});

test('logLines() shows every epoch with what ended it, and what came after the last marker', (t) => {
  const { journal } = journalOf(t, recordsOf('a P b c P T1 K d P A U e'));
  const lines = [...logLines(readLog(journal, 0), paintFor({ isTTY: false }))];
  const clock = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;
  assert.deepEqual(
    lines.map((line) => line.replace(clock, 'TIME')),
    [
      '@     now  1 path since then',
      '◆          TIME  undo of commit 1  3 changes',
      '◆          TIME  abort  1 change',
      '●       4  TIME  name  make  (1 path)',
      '◆          TIME  commit 1  2 changes',
      '●       3  TIME  travel to 1',
      '│ ○     2  TIME  name  make  (2 paths)',
      '├─╯',
      '●       1  TIME  name  make  (1 path)',
      '◆       0  the files as they were',
    ],
  );
});

test('logLines() leaves out travels that led nowhere, and says how many; a log about paths has what changed them', (t) => {
  const story = 'a P b P T1 T2 T1 c P';
  const { journal } = journalOf(t, recordsOf(story));
  const log = readLog(journal, 0);
  const plain = paintFor({ isTTY: false });
  const numbers = (lines: Iterable<string>): string[] =>
    [...lines].map((line) => line.replace(/ {2}\d{4}-.*/, '').trimEnd());
  assert.deepEqual(numbers(logLines(log, plain, false)), [
    '@       6',
    '●       5',
    '│ ○     2',
    '├─╯',
    '●       1',
    '◆       0  the files as they were',
    "2 travels back and forth not shown: 'yolofs log --all' does",
  ]);
  assert.equal(numbers(logLines(log, plain)).filter((line) => /[345]$/.test(line)).length, 3);
  const about = (path: string): string[] => numbers(markerLines(readLog(journal, 0, [path as BytePath]), plain));
  assert.deepEqual(
    [about('/a'), about('/b'), about('/')],
    [['●     1'], ['○     2'], ['●     6', '○     2', '●     1']],
  );
  assert.deepEqual(about('/none'), []);
});

test('logLines() marks the present, and prints names harmlessly', (t) => {
  const { journal } = journalOf(t, recordsOf('a P', 'x\x1b[2J\n\xff'));
  const [first = ''] = logLines(readLog(journal, 0), paintFor({ isTTY: false }));
  assert.match(first, /^@ {5}1 {2}.* {2}x\\x1b\[2J\\x0a\\xff {2}make/);
});

test('readLog() reads of the records between markers only those that are asked about', (t) => {
  const { journal } = journalOf(t, recordsOf('a b P c P d e f P g'));
  const scan = t.mock.method(journal, 'scan');
  const read = (): number[] => scan.mock.calls.map(({ arguments: [options] }) => options?.from ?? 0).filter(Boolean);
  const { touched, sinceLast, timeline } = readLog(journal, 0);
  assert.equal(sinceLast, 1);
  assert.equal(read().length, 1);
  assert.equal(touched(3 as Gen), 3);
  assert.equal(touched(3 as Gen), 3);
  assert.equal(read().length, 2);
  assert.equal(read()[1], currentEpoch(timeline).markers[1]?.next);
  assert.deepEqual(
    [1, 2].map((generation) => touched(generation as Gen)),
    [2, 1],
  );
});
