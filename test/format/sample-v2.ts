/** What format 2 added to format 1, as records. `test/format/v2/journal` holds their lines. */
import type { Body, JournalRecord } from '../../src/history/log/record.ts';
import type { BaseStamp } from '../../src/staging/base-stamps.ts';
import type { Backing } from '../../src/staging/recorder.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFREG } from '../../src/sys/stat.ts';

const made: Body = {
  ...{ tag: 'S', how: 'new', path: '/home/ada/project/dist.js' as BytePath, type: S_IFREG, ino: (2 ** 48 + 1) as Ino },
  ...{ object: 1 as ObjectId, mode: 0o644, uid: 1000, gid: 1000, rdev: 0, target: undefined, pre: { kind: 'absent' } },
};

const at = (path: string): BytePath => `/home/ada/project/${path}` as BytePath;
const baseFile = (path: string): Backing => ({ kind: 'base', type: S_IFREG, path: at(path) });
const FILE = 8 * 2 ** 49;
const DIRECTORY = 3 * 2 ** 49;

/** Stamps: of a file that is deleted, of one that is renamed, of a file and a directory that are swapped. */
const MARKED: readonly Body[] = [
  {
    ...{ tag: 'D', path: at('README.md'), hides: true, pre: baseFile('README.md') },
    stamp: (FILE + 123456789) as BaseStamp,
  },
  {
    ...{ tag: 'R', from: at('src/old.ts'), to: at('src/new.ts'), exchange: false, hides: true, ino: 1300 as Ino },
    ...{ pre: baseFile('src/old.ts'), over: { kind: 'absent' } },
    ...{ stamp: (FILE + 2 ** 48) as BaseStamp, overStamp: undefined },
  },
  {
    ...{ tag: 'R', from: at('a'), to: at('-'), exchange: true, hides: false, ino: 1400 as Ino },
    ...{ pre: baseFile('a'), over: { kind: 'base', type: S_IFDIR, path: at('-') } },
    ...{ stamp: FILE as BaseStamp, overStamp: (DIRECTORY + 987654321) as BaseStamp },
  },
];

const LINES: readonly (readonly [number, Body])[] = [
  [0, made],
  [0, { tag: 'K', changes: 1, commit: 1, carried: 0 }],
  [0, { tag: 'U', commit: 1, changes: 1, carried: 2 }],
  [0, made],
  [1, { tag: 'P', name: 'after undo of commit 1', command: undefined }],
  [2, { tag: 'T', target: 0 as Gen, name: '', carried: 0 }],
  ...MARKED.map((body) => [2, body] as const),
];

export const SAMPLE: readonly JournalRecord[] = LINES.map(([generation, body], i) => ({
  generation: generation as Gen,
  time: { sec: 1763754000 + i, nsec: 0 },
  who: { run: 0, pid: 4600, process: 'yolofs' },
  body,
}));
