import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { auditJson, auditLine, auditWord } from '../../../src/cli/text/audit-text.ts';
import { paintFor } from '../../../src/cli/text/terminal.ts';
import type { Journal } from '../../../src/history/log/journal.ts';
import type { Body, JournalRecord } from '../../../src/history/log/record.ts';
import { type AuditEntry, audit, indexJournal, pathsOf } from '../../../src/history/past/audit.ts';
import { parseRange } from '../../../src/history/timeline/ranges.ts';
import type { BytePath, Gen } from '../../../src/sys/bytes.ts';
import { journalOf, newFile, record, snapshot } from '../../history/samples.ts';

const FROM = { project: '/p' as BytePath, cwd: '/p' as BytePath };

function renamed(from: string, to: string): Body {
  const pre = { kind: 'other', type: 0o040000 } as const;
  const paths = { from: from as BytePath, to: to as BytePath };
  return {
    tag: 'R',
    ...paths,
    exchange: false,
    hides: false,
    ino: 1 as never,
    pre,
    over: { kind: 'absent' },
    stamp: undefined,
    overStamp: undefined,
  };
}

const travel = (target: number): Body => ({ tag: 'T', target: target as Gen, name: '' });

/** Two runs; the second is abandoned; then a commit, and an epoch that is aborted. */
const STORY: readonly JournalRecord[] = [
  record({ tag: 'N', fields: ['run', 'make all'] }),
  record(newFile('/p/src/a', 1)),
  record(snapshot('first'), 1),
  { ...record(newFile('/p/b', 2), 1), who: { run: 2, pid: 7, process: 'vi' } },
  { ...record({ tag: 'P', name: '', command: 'vi b' }, 2), who: { run: 2, pid: 9, process: 'yolofs' } },
  record(travel(1), 3),
  record(renamed('/p/src', '/p/lib'), 3),
  record({ tag: 'K', changes: 2, commit: 1, carried: 0 }, 3),
  record(newFile('/p/c', 3), 3),
  record({ tag: 'A', changes: 1 }, 3),
  record({ tag: 'G', fields: ['denied', 'read', 'open', '/etc/shadow', 'ask', '/etc', '1'] }, 3),
];

function entries(journal: Journal, word?: string, paths: readonly string[] = []): AuditEntry[] {
  const index = indexJournal(journal, 0);
  const range = word === undefined ? undefined : parseRange(word, index.timeline);
  assert.ok(range === undefined || !('error' in range));
  return [...audit(journal, index, { range, paths: paths as BytePath[] })];
}

const told = (entry: AuditEntry): string =>
  auditLine(entry, FROM, paintFor({ isTTY: false })).replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'TIME');

test('what a commit or a travel makes anew over another base is told as carried, from wherever the list begins', (t) => {
  const { journal } = journalOf(t, [
    record(newFile('/p/a', 1)),
    record(snapshot('first'), 1),
    record({ tag: 'K', changes: 1, commit: 1, carried: 2 }, 1),
    record(newFile('/p/b', 2), 1),
    record(snapshot('after commit 1'), 2),
    record({ tag: 'T', target: 1 as Gen, name: '', carried: 2 }, 3),
    record(newFile('/p/a', 3), 3),
    record(snapshot('state of 1'), 4),
    record(newFile('/p/c', 4), 4),
  ]);
  const words = (word?: string): string[] =>
    entries(journal, word).map(
      (entry) =>
        auditWord(entry) +
        pathsOf(entry.body)
          .map((path) => ` ${path}`)
          .join(''),
    );
  const travel = ['travel', 'carried /p/a', 'snapshot', 'staged /p/c'];
  const all = ['staged /p/a', 'snapshot', 'commit', 'carried /p/b', 'snapshot', ...travel];
  assert.deepEqual(words(), all);
  assert.deepEqual(words('2..'), travel);
  assert.deepEqual(words('3..'), travel.slice(1));
});

function story(t: TestContext): Journal {
  return journalOf(t, STORY).journal;
}

test('audit() tells every record, with the command line of its run, and marks what was abandoned', (t) => {
  assert.deepEqual(entries(story(t)).map(told), [
    '  TIME     0  run 1    sh[100]           note        run make all',
    '  TIME     0  run 1    sh[100]           staged      src/a  (make all)',
    '  TIME     1  run 1    sh[100]           snapshot    first',
    '○ TIME     1  run 2    vi[7]             staged      b  (vi b)',
    '○ TIME     2  run 2    yolofs[9]         snapshot    (vi b)',
    '  TIME     3  run 1    sh[100]           travel      to 1  (make all)',
    '  TIME     3  run 1    sh[100]           renamed     src → lib  (make all)',
    '  TIME     3  run 1    sh[100]           commit      2 changes  (make all)',
    '○ TIME     3  run 1    sh[100]           staged      c  (make all)',
    '  TIME     3  run 1    sh[100]           abort       1 change  (make all)',
    "  TIME     3  run 1    sh[100]           denied      read /etc/shadow  (open; '/etc' is ask)  (make all)",
  ]);
});

test('audit() of a range is what came between its ends in the journal', (t) => {
  const journal = story(t);
  const tags = (word: string): string =>
    entries(journal, word)
      .map(({ body }) => body.tag)
      .join('');
  assert.equal(tags('1'), 'NSP');
  assert.equal(tags('first'), 'NSP');
  assert.equal(tags('2'), 'SP');
  assert.equal(tags('1..3'), 'SPT');
  assert.equal(tags('3..1'), 'SPT');
  assert.equal(tags('3..'), 'RKSAG');
  assert.equal(tags('0..'), 'NSPSPTRKSAG', '0 is what was there before anything was committed');
  assert.equal(tags('first..'), 'SPTRKSAG');
});

test('audit() of paths is what happened to them, below them, and to the directories above', (t) => {
  const journal = story(t);
  const tags = (...paths: string[]): string =>
    entries(journal, undefined, paths)
      .map(({ body }) => body.tag)
      .join('');
  assert.equal(tags('/p/src'), 'SR');
  assert.equal(tags('/p/src/a'), 'SR', 'its directory was renamed');
  assert.equal(tags('/p/lib'), 'R');
  assert.equal(tags('/p/b', '/p/c'), 'SS');
  assert.equal(tags('/p/s'), '');
});

test('auditJson() has every field, and paths as text', (t) => {
  const [note, first, second, , , fourth, renaming, commit] = entries(story(t)).map(auditJson);
  const by = { run: 1, command: 'make all', pid: 100, process: 'sh', live: true };
  const at = (generation: number): object => ({ time: '2024-11-20T13:58:31.000Z', generation });
  assert.deepEqual(note, { ...at(0), tag: 'N', what: 'note', fields: ['run', 'make all'], ...by });
  assert.deepEqual(first, { ...at(0), tag: 'S', what: 'staged', path: '/p/src/a', ...by });
  assert.deepEqual(second, { ...at(1), tag: 'P', what: 'snapshot', name: 'first', ...by });
  assert.deepEqual(fourth, { ...at(3), tag: 'T', what: 'travel', target: 1, name: '', ...by });
  assert.deepEqual(renaming, { ...at(3), tag: 'R', what: 'renamed', path: '/p/lib', from: '/p/src', ...by });
  assert.deepEqual(commit, { ...at(3), tag: 'K', what: 'commit', changes: 2, commit: 1, ...by });
});

test('an audit can be printed, whatever the bytes of names, processes and commands', (t) => {
  const evil = 'a\x1b]0;x\x07\n\xff\t"';
  const who = { run: 1, pid: 5, process: evil };
  const { journal } = journalOf(t, [
    { ...record({ tag: 'N', fields: ['run', evil] }), who },
    { ...record(newFile(`/p/${evil}`, 1)), who },
    { ...record(snapshot(evil), 1), who },
    { ...record({ tag: 'C', fields: [evil] }, 1), who },
  ]);
  for (const entry of entries(journal)) {
    const line = told(entry);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    assert.ok(!/[\x00-\x1f\x7f-\x9f]/.test(line), line);
    assert.ok(line.includes('a\\x1b]0;x\\x07\\x0a\\xff\\x09"'), line);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
    assert.ok(!/[\x00-\x1f\x7f-\x9f]/.test(Object.values(auditJson(entry)).flat().join('')));
  }
});
