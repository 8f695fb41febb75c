/** What format 2 added to format 1, as records. `test/format/v2/journal` holds their lines. */
import type { Body, JournalRecord } from '../../src/history/record.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { S_IFREG } from '../../src/sys/stat.ts';

const made: Body = {
  ...{ tag: 'S', how: 'new', path: '/home/ada/project/dist.js' as BytePath, type: S_IFREG, ino: (2 ** 48 + 1) as Ino },
  ...{ object: 1 as ObjectId, mode: 0o644, uid: 1000, gid: 1000, rdev: 0, target: undefined, pre: { kind: 'absent' } },
};

const LINES: readonly (readonly [number, Body])[] = [
  [0, made],
  [0, { tag: 'K', changes: 1, commit: 1, carried: 0 }],
  [0, { tag: 'U', commit: 1, changes: 1, carried: 2 }],
  [0, made],
  [1, { tag: 'P', name: 'after undo of commit 1', command: undefined }],
  [2, { tag: 'T', target: 0 as Gen, name: '', carried: 0 }],
];

export const SAMPLE: readonly JournalRecord[] = LINES.map(([generation, body], i) => ({
  generation: generation as Gen,
  time: { sec: 1763754000 + i, nsec: 0 },
  who: { run: 0, pid: 4600, process: 'yolofs' },
  body,
}));
