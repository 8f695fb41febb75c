import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldError } from '../../src/history/log/fields.ts';
import { decodeRecord, encodeRecord, isIntact, type JournalRecord, tagOf } from '../../src/history/log/record.ts';
import { type BaseStamp, UNKNOWN } from '../../src/staging/base-stamps.ts';
import type { Backing } from '../../src/staging/recorder.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { S_IFREG } from '../../src/sys/stat.ts';
import { crc32 } from '../../src/sys/text/crc32.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { record } from './arbitraries.ts';

function lineOf(value: JournalRecord): Buffer {
  const small = Buffer.alloc(64);
  const length = encodeRecord(value, small);
  if (length <= small.length) return small.subarray(0, length);
  const large = Buffer.alloc(length);
  assert.equal(encodeRecord(value, large), length);
  return large;
}

/** A line with the right checksum for whatever text. */
function sealed(text: string): Buffer {
  const sum = crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0');
  return Buffer.from(`${sum}\t${text}`, 'latin1');
}

const who = { run: 3, pid: 4242, process: 'node' };
const head = { generation: 2 as Gen, time: { sec: 1732111111, nsec: 5 }, who };

test('encodeRecord() and decodeRecord() are inverse for any bytes in names, targets and values', () => {
  fc.assert(
    fc.property(record, (value) => {
      const line = lineOf(value);
      const end = line.length - 1;
      assert.ok(isIntact(line, 0, end));
      assert.equal(tagOf(line, 0), value.body.tag);
      assert.deepEqual(decodeRecord(line, 0, end), value);
    }),
    { numRuns: runs(2000) },
  );
});

test('encodeRecord() writes one line of printable ASCII and tabs, whatever the names', () => {
  fc.assert(
    fc.property(record, (value) => {
      const text = lineOf(value).toString('latin1');
      assert.match(text, /^[0-9a-f]{8}\t[A-Z]\t[\x20-\x7e\t]*\n$/);
    }),
  );
});

test('encodeRecord() writes fields a person can read', () => {
  const path = '/src/na\xc3\xafve file\n' as BytePath;
  const pre: Backing = { kind: 'base', type: S_IFREG, path };
  const gone = { tag: 'D', path: '/-' as BytePath, hides: true, pre: { kind: 'absent' } } as const;
  const change: JournalRecord['body'] = {
    tag: 'M',
    ...{ path, ino: 77 as Ino, changed: 5, attributes: { mode: 0o755, mtime: { sec: -1, nsec: 5 } } },
    xattr: { name: 'user.empty', value: Buffer.alloc(0) },
    fingerprint: undefined,
    pre,
  };
  assert.equal(
    lineOf({ ...head, body: change })
      .toString('latin1')
      .slice(9),
    'M\t2\t1732111111.000000005\t3\t4242\tnode\t/src/na\\xc3\\xafve file\\x0a\t77\tmode+times\t' +
      'mode=0755,mtime=-1.000000005\tuser.empty\t\t-\tbase:file:/src/na\\xc3\\xafve file\\x0a\n',
  );
  assert.equal(
    lineOf({ ...head, body: { ...gone, stamp: (2 ** 53 - 1) as BaseStamp } })
      .toString('latin1')
      .slice(9),
    'D\t2\t1732111111.000000005\t3\t4242\tnode\t/-\thides\tabsent\t9007199254740991\n',
  );
});

test('decodeRecord() reads deletions and renames of format 1, which do not say what the base had', () => {
  const start = '2\t1.000000000\t0\t1\t-';
  const cases: [string, BaseStamp | undefined, BaseStamp | undefined][] = [
    [`D\t${start}\t/a\thides\tbase:file:/a`, UNKNOWN, undefined],
    [`D\t${start}\t/a\t-\tobject:3:-`, undefined, undefined],
    [`R\t${start}\t/a\t/b\t-\thides\t7\tbase:file:/a\tbase:file:/b`, UNKNOWN, UNKNOWN],
    [`R\t${start}\t/a\t/b\t-\t-\t7\tobject:3:-\tabsent`, undefined, undefined],
    [`R\t${start}\t/a\t/b\texchange\t-\t7\tbase:file:/a\tobject:3:/b`, UNKNOWN, UNKNOWN],
  ];
  for (const [text, stamp, overStamp] of cases) {
    const line = sealed(text);
    const { body } = decodeRecord(line, 0, line.length);
    assert.ok(body.tag === 'D' || body.tag === 'R');
    assert.deepEqual([body.stamp, body.tag === 'R' ? body.overStamp : undefined], [stamp, overStamp], text);
  }
});

test('encodeRecord() tells an empty field, a dash and nothing apart', () => {
  const commands = ['', '-', undefined, '\\x2d'];
  const decoded = commands.map((command) => {
    const line = lineOf({ ...head, body: { tag: 'P', name: '-', command } });
    return decodeRecord(line, 0, line.length - 1).body;
  });
  assert.deepEqual(
    decoded,
    commands.map((command) => ({ tag: 'P', name: '-', command })),
  );
});

test('encodeRecord() asks for more room instead of writing part of a line', () => {
  const into = Buffer.alloc(40, 1);
  const length = encodeRecord({ ...head, body: { tag: 'N', fields: ['x'.repeat(100)] } }, into);
  assert.ok(length > 140);
  assert.ok(into.every((byte) => byte === 1));
});

test('decodeRecord() keeps the fields of notes that only later versions understand', () => {
  const line = sealed('G\t2\t1.000000000\t0\t1\t-\t/etc/passwd\tread\tdenied');
  assert.deepEqual(decodeRecord(line, 0, line.length).body, { tag: 'G', fields: ['/etc/passwd', 'read', 'denied'] });
});

test('decodeRecord() says what is wrong with a line it does not understand', () => {
  const start = '2\t1.000000000\t0\t1\t-';
  const cases: [string, RegExp][] = [
    [`Y\t${start}`, /`Y` is not a record this version knows/],
    [`S\t${start}\tmoved\t/a`, /`moved` is not `new`, `content` or `kept`/],
    [`D\t${start}\tetc\t-\tabsent`, /`etc` is not an absolute path/],
    [`D\t${start}\t/etc\tmaybe\tabsent`, /`maybe` is not `hides` or `-`/],
    [`D\t${start}\t/etc\t-\tbase:sock:/a`, /`sock` is not a file type/],
    [`D\t${start}\t/etc\\q\t-\tabsent`, /is not escaped text/],
    [`D\t${start}\t/etc\t-`, /is not enough of them/],
    [`D\t${start}\t/etc\t-\tabsent\tmore`, /`more` is not a number/],
    [`D\t${start}\t/etc\t-\tabsent\t-\tmore`, /`more` is not expected at the end/],
    [`K\t${start}\t-5`, /`-5` is not a number/],
    [`K\t2\tnoon\t0\t1\t-\t5`, /`noon` is not a time/],
    [`M\t${start}\t/a\t1\tcolour\t-\t-\t-\t-\tabsent`, /`colour` is not a set of changes/],
    [`M\t${start}\t/a\t1\t-\tsize=3\t-\t-\t-\tabsent`, /`size` is not an attribute/],
  ];
  for (const [text, message] of cases) {
    const line = sealed(text);
    assert.ok(isIntact(line, 0, line.length));
    assert.throws(
      () => decodeRecord(line, 0, line.length),
      (error) => error instanceof FieldError && message.test(error.message),
      text,
    );
  }
});

test('isIntact() notices any flipped bit of a line', () => {
  const body = { tag: 'S', how: 'content', path: '/a' as BytePath, object: 1 as ObjectId, ino: 2 as Ino } as const;
  const line = lineOf({ ...head, body: { ...body, fingerprint: undefined, pre: { kind: 'absent' } } });
  for (let bit = 0; bit < (line.length - 1) * 8; bit++) {
    const at = bit >> 3;
    const before = line[at] as number;
    line[at] = before ^ (1 << (bit & 7));
    assert.ok(!isIntact(line, 0, line.length - 1), `bit ${bit}`);
    line[at] = before;
  }
});
