/**
 * The session that test/format/v1 holds, as records: two epochs that ended, then one with every kind of record, awkward
 * names, and a travel. What the format lacks is here as a reader fills it in. Never change it: a sample of a new format
 * gets a file and a folder of its own.
 */
import type { Body, JournalRecord } from '../../src/history/log/record.ts';
import { UNKNOWN } from '../../src/staging/base-stamps.ts';
import type { Backing, StageNew } from '../../src/staging/recorder.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFIFO, S_IFLNK, S_IFREG } from '../../src/sys/stat.ts';

const at = (path: string): BytePath => `/home/ada/project/${path}` as BytePath;
const absent: Backing = { kind: 'absent' };
const baseFile = (path: string): Backing => ({ kind: 'base', type: S_IFREG, path: at(path) });
const INO = 2 ** 48;

function made(path: string, type: number, n: number, more: Partial<StageNew> = {}): Body {
  return {
    ...{
      tag: 'S',
      how: 'new',
      path: at(path),
      type,
      ino: (INO + n) as Ino,
      object: (type === S_IFREG ? n : 0) as ObjectId,
    },
    ...{ mode: type === S_IFDIR ? 0o755 : 0o644, uid: 1000, gid: 1000, rdev: 0, target: undefined, pre: absent },
    ...more,
  };
}

const fingerprint = (ino: number, size: number, nlink: number) => ({
  ...{ dev: 64769, ino, size, nlink },
  mtime: { sec: 1731000000, nsec: 5 },
  ctime: { sec: 1731000000, nsec: 987654321 },
});

/** [generation, record, whose: run, pid, process]; a second passes between two. */
type Line = readonly [number, Body, (readonly [number, number, string | undefined])?];

const NODE = [3, 4711, 'node'] as const;
const SH = [3, 4700, 'sh'] as const;
const KERNEL = [0, 0, undefined] as const;
const OURS = [3, 4600, 'yolofs'] as const;

const LINES: readonly Line[] = [
  [0, made('committed', S_IFREG, 1)],
  [1, { tag: 'P', name: 'first', command: 'touch committed' }, OURS],
  [1, { tag: 'K', changes: 1 }, OURS],
  [1, made('aborted', S_IFREG, 2)],
  [1, { tag: 'A', changes: 1 }, OURS],
  [1, made('dist', S_IFDIR, 3)],
  [1, made('dist/na\xc3\xafve file\n', S_IFREG, 4), NODE],
  [
    1,
    {
      ...{ tag: 'M', path: at('dist/na\xc3\xafve file\n'), ino: (INO + 4) as Ino, changed: 4, xattr: undefined },
      attributes: { atime: { sec: 1732111119, nsec: 0 }, mtime: { sec: -1, nsec: 500000000 } },
      ...{ fingerprint: undefined, pre: { kind: 'object', object: 4 as ObjectId, path: undefined } },
    },
    KERNEL,
  ],
  [
    1,
    {
      ...{ tag: 'S', how: 'content', path: at('package.json'), object: 5 as ObjectId, ino: 1234 as Ino },
      ...{ fingerprint: fingerprint(1234, 812, 1), pre: baseFile('package.json') },
    },
    NODE,
  ],
  [2, { tag: 'P', name: 'built', command: 'npm run build -- --out "dist\t"' }, OURS],
  [2, { tag: 'D', path: at('README.md'), hides: true, stamp: UNKNOWN, pre: baseFile('README.md') }, [4, 4800, 'rm']],
  [
    2,
    {
      ...{ tag: 'R', from: at('src/old.ts'), to: at('src/new.ts'), exchange: false, hides: true, ino: 1300 as Ino },
      ...{ pre: baseFile('src/old.ts'), over: absent, stamp: UNKNOWN, overStamp: undefined },
    },
    [4, 4801, 'mv'],
  ],
  [
    2,
    {
      ...{ tag: 'R', from: at('a'), to: at('-'), exchange: true, hides: false, ino: 1400 as Ino },
      ...{ pre: baseFile('a'), over: { kind: 'base', type: S_IFDIR, path: at('-') } },
      ...{ stamp: UNKNOWN, overStamp: UNKNOWN },
    },
    SH,
  ],
  [
    2,
    {
      ...{ tag: 'M', path: at('linked'), ino: 1500 as Ino, changed: 3, attributes: { mode: 0o4755, uid: 0, gid: 0 } },
      ...{ xattr: undefined, fingerprint: fingerprint(1500, 3, 2), pre: baseFile('linked') },
    },
    SH,
  ],
  [2, { tag: 'L', existing: at('linked'), path: at(' spaces '), ino: 1500 as Ino, of: baseFile('linked') }, SH],
  [2, made('dist/latest', S_IFLNK, 6, { mode: 0o777, target: '../\\\xff' }), SH],
  [2, made('dist/pipe', S_IFIFO, 7, { mode: 0o600 }), SH],
  [
    2,
    {
      ...{ tag: 'M', path: at('dist'), ino: (INO + 3) as Ino, changed: 8, attributes: {}, fingerprint: undefined },
      xattr: { name: 'user.origin', value: Buffer.from('\0\x01 build', 'latin1') },
      pre: { kind: 'other', type: S_IFDIR },
    },
    SH,
  ],
  [
    2,
    {
      ...{ tag: 'M', path: at('package.json'), ino: 1234 as Ino, changed: 8, attributes: {}, fingerprint: undefined },
      xattr: { name: 'user.none', value: null },
      pre: { kind: 'object', object: 5 as ObjectId, path: at('package.json') },
    },
    SH,
  ],
  [2, { tag: 'G', fields: ['/etc/shadow', 'read', 'denied'] }, SH],
  [2, { tag: 'C', fields: ['/etc', 'read-only'] }, OURS],
  [2, { tag: 'N', fields: ['', '-', '\\'] }, OURS],
  [3, { tag: 'P', name: 'mistake', command: undefined }, OURS],
  [3, { tag: 'D', path: at('dist/pipe'), hides: false, stamp: undefined, pre: { kind: 'other', type: S_IFIFO } }, SH],
  [
    3,
    {
      tag: 'D',
      path: at('dist/latest'),
      hides: false,
      stamp: undefined,
      pre: { kind: 'symlink', target: '../\\\xff' },
    },
    SH,
  ],
  [4, { tag: 'T', target: 3 as Gen, name: 'before the mistake' }, OURS],
  [4, made('after', S_IFREG, 8), SH],
];

/** The records of test/format/v1/journal, in order. */
export const SAMPLE: readonly JournalRecord[] = LINES.map(([generation, body, [run, pid, process] = SH], i) => ({
  generation: generation as Gen,
  time: { sec: 1732111111 + i, nsec: i * 1000 },
  who: { run, pid, process },
  body,
}));

/** Its content objects; the other ones that the journal names went with commit, abort or travel. */
export const OBJECTS: Readonly<Record<number, string>> = {
  4: 'built\n',
  5: '{ "name": "project" }\n',
  8: 'after the travel\n',
};
