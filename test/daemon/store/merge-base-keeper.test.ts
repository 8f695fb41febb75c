import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionFiles } from '../../../src/daemon/runs/session-files.ts';
import { MergeBaseKeeper } from '../../../src/daemon/store/merge-base-keeper.ts';
import type { MergeBases } from '../../../src/history/commit/conflict/merge-bases.ts';
import { Journal } from '../../../src/history/log/journal.ts';
import type { Body } from '../../../src/history/log/record.ts';
import type { BytePath, Ino } from '../../../src/sys/bytes.ts';
import { S_IFREG } from '../../../src/sys/stat.ts';
import { journalOf, record } from '../../history/samples.ts';

const TIME = { sec: 1732111111, nsec: 5 };
const base = (path: string) => ({ kind: 'base', type: S_IFREG, path: path as BytePath }) as const;

/** What touch(1) leaves in the journal. */
function touched(path: string): Body {
  const what = { ino: 7 as Ino, changed: 4, attributes: { mtime: TIME }, xattr: undefined, fingerprint: undefined };
  return { tag: 'M', path: path as BytePath, ...what, pre: base(path) };
}

function covered(path: string): Body {
  const print = { dev: 1, ino: 7, size: 3, mtime: TIME, ctime: TIME, nlink: 1 };
  return {
    tag: 'S',
    how: 'content',
    path: path as BytePath,
    object: 1 as never,
    ino: 7 as Ino,
    fingerprint: print,
    pre: base(path),
  };
}

test('each line of the journal is read once, also while none tells of a merge base; then the next is heard of', async (t) => {
  const { journal, path } = journalOf(t, []);
  const reader = Journal.open(path, { readOnly: true });
  t.after(() => reader.close());
  const read: number[] = [];
  const kept: string[] = [];
  const counting = Object.create(reader, {
    size: { get: () => reader.size },
    lines: {
      value: function* (options: { from?: number }) {
        for (const line of reader.lines(options)) {
          read.push(line.offset);
          yield line;
        }
      },
    },
    decode: { value: (line: Parameters<Journal['decode']>[0]) => reader.decode(line) },
  }) as Journal;
  const mergeBases = {
    keep: (original: BytePath) => kept.push(original),
    clear: () => undefined,
    removeCleared: () => false,
  };
  const files = { journal: counting, base: {} } as unknown as SessionFiles;
  const keeper = new MergeBaseKeeper(files, mergeBases as unknown as MergeBases, () => true);
  t.after(() => keeper.stop());
  for (let n = 0; n < 50; n++) journal.append(record(touched(`/p/${n}`)));
  await sleep(1700);
  journal.append(record(covered('/p/text')));
  await sleep(700);
  assert.equal(read.length, new Set(read).size, 'no line twice');
  assert.equal(read.length, 51);
  assert.deepEqual(kept, ['/p/text']);
});

test('what was cleared is not taken from the disk while an order is carried out', async (t) => {
  const { journal } = journalOf(t, []);
  const times: number[] = [];
  let busyUntil = 0;
  const mergeBases = {
    removeCleared: () => {
      if (times.push(performance.now()) === 1) busyUntil = performance.now() + 300;
      return times.length < 3;
    },
  };
  const files = { journal, base: {} } as unknown as SessionFiles;
  const isFree = (): boolean => performance.now() >= busyUntil;
  const keeper = new MergeBaseKeeper(files, mergeBases as unknown as MergeBases, isFree);
  t.after(() => keeper.stop());
  while (times.length < 3) await sleep(10);
  const [first = 0, second = 0] = times;
  assert.ok(second - first >= 300, `${second - first} ms`);
});
