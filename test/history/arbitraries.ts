/** Random names, paths and records, any byte allowed, for property tests. */

import type { JournalRecord } from '../../src/history/log/record.ts';
import type { BaseStamp } from '../../src/staging/base-stamps.ts';
import type { Attributes, Fingerprint, Time } from '../../src/staging/inode.ts';
import type { Backing } from '../../src/staging/recorder.ts';
import type { BytePath, Gen, Ino, Name, ObjectId } from '../../src/sys/bytes.ts';
import { S_IFDIR, S_IFIFO, S_IFLNK, S_IFREG, S_IFSOCK } from '../../src/sys/stat.ts';
import { fc } from '../random/fast-check.ts';

/** `fc.record` whose objects are ordinary ones, as the decoder's are. */
function plain<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

/** Names that break careless formats, and 255 bytes of anything. */
const awkward = [
  '-',
  ' ',
  ' a ',
  'a b',
  '\n',
  'a\nb',
  '\t',
  '\\',
  '\\x0a',
  '\xff\xfe',
  '\x7f',
  'x'.repeat(255),
  '\x80'.repeat(255),
];

const anyByte = fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte));

/** Any byte string, NUL and slash included: symlink targets, xattr values. */
export const bytes = fc.oneof(fc.constantFrom(...awkward, ''), fc.string({ unit: anyByte, maxLength: 40 }));

export const name = bytes
  .map((text) => text.replace(/[\0/]/g, '') || 'n')
  .filter((text) => text !== '.' && text !== '..') as fc.Arbitrary<Name>;

export const path = fc.array(name, { maxLength: 5 }).map((names) => `/${names.join('/')}` as BytePath);

const number = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.constantFrom(2 ** 32, 2 ** 48 + 1, Number.MAX_SAFE_INTEGER),
);
const uid = fc.integer({ min: 0, max: 0xffffffff });
const mode = fc.integer({ min: 0, max: 0o7777 });

export const time: fc.Arbitrary<Time> = plain({
  sec: fc.oneof(fc.integer({ min: -(2 ** 33), max: 2 ** 34 }), fc.constant(0)),
  nsec: fc.integer({ min: 0, max: 999_999_999 }),
});

export const attributes: fc.Arbitrary<Attributes> = fc.record(
  { mode, uid, gid: uid, atime: time, mtime: time, ctime: time },
  { requiredKeys: [], noNullPrototype: true },
);

export const fingerprint: fc.Arbitrary<Fingerprint> = plain({
  dev: uid,
  ino: number,
  size: number,
  mtime: time,
  ctime: time,
  nlink: fc.integer({ min: 1, max: 5 }),
});

const type = fc.constantFrom(S_IFREG, S_IFDIR, S_IFLNK, S_IFIFO, S_IFSOCK);
const object = number as fc.Arbitrary<ObjectId>;
const ino = number as fc.Arbitrary<Ino>;
const gen = fc.integer({ min: 0, max: 1_000_000 }) as fc.Arbitrary<Gen>;

export const backing: fc.Arbitrary<Backing> = fc.oneof(
  plain({ kind: fc.constant('absent' as const) }),
  plain({ kind: fc.constant('base' as const), type, path }),
  plain({ kind: fc.constant('object' as const), object, path: fc.option(path, { nil: undefined }) }),
  plain({ kind: fc.constant('symlink' as const), target: bytes }),
  plain({ kind: fc.constant('other' as const), type }),
);

const optionalPrint = fc.option(fingerprint, { nil: undefined });
const xattr = fc.option(plain({ name: bytes, value: fc.option(bytes.map((text) => Buffer.from(text, 'latin1'))) }), {
  nil: undefined,
});

const stamp = fc.option(number as fc.Arbitrary<BaseStamp>, { nil: undefined });

const tag = <T extends string>(value: T): fc.Arbitrary<T> => fc.constant(value);

export const body: fc.Arbitrary<JournalRecord['body']> = fc.oneof(
  plain({
    ...{ tag: tag('S'), how: tag('new'), path, type, ino, object, mode, uid, gid: uid, rdev: uid },
    target: fc.option(bytes, { nil: undefined }),
    pre: backing,
  }),
  plain({ tag: tag('S'), how: tag('content'), path, object, ino, fingerprint: optionalPrint, pre: backing }),
  plain({
    ...{ tag: tag('S'), how: tag('kept'), path, type, ino, object, nlink: number, attributes, rdev: uid },
    original: fc.constantFrom('here' as const, 'born' as const),
    changed: fc.integer({ min: 0, max: 15 }),
    target: fc.option(bytes, { nil: undefined }),
    fingerprint: optionalPrint,
    pre: backing,
  }),
  plain({ tag: tag('D'), path, hides: fc.boolean(), stamp, pre: backing }),
  plain({
    ...{ tag: tag('R'), from: path, to: path, exchange: fc.boolean(), hides: fc.boolean(), ino },
    pre: backing,
    over: backing,
    stamp,
    overStamp: stamp,
  }),
  plain({ tag: tag('L'), existing: path, path, ino, of: backing }),
  plain({
    ...{ tag: tag('M'), path, attributes, changed: fc.integer({ min: 0, max: 15 }), xattr, ino },
    fingerprint: optionalPrint,
    pre: backing,
  }),
  plain({ tag: tag('P'), name: bytes, command: fc.option(bytes, { nil: undefined }) }),
  plain({ tag: tag('T'), target: gen, name: bytes }),
  plain({ tag: tag('T'), target: gen, name: bytes, carried: number }),
  plain({ tag: fc.constantFrom('K' as const, 'A' as const), changes: number }),
  plain({ tag: tag('K'), changes: number, commit: number, carried: number }),
  plain({ tag: tag('U'), commit: number, changes: number, carried: number }),
  plain({ tag: tag('X'), generations: fc.array(plain({ from: gen, to: gen })), commit: number }),
  plain({
    tag: fc.constantFrom('G' as const, 'C' as const, 'N' as const),
    fields: fc.array(bytes, { minLength: 1 }),
  }),
);

export const record: fc.Arbitrary<JournalRecord> = plain({
  generation: gen,
  time,
  who: plain({ run: number, pid: uid, process: fc.option(bytes, { nil: undefined }) }),
  body,
});
