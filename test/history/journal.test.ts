import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Journal } from '../../src/history/log/journal.ts';
import { JournalDamaged } from '../../src/history/log/lines.ts';
import { ENOENT, OK, SystemError } from '../../src/sys/errno.ts';
import { crc32 } from '../../src/sys/text/crc32.ts';
import { UserError } from '../../src/sys/user-error.ts';
import { fc } from '../random/fast-check.ts';
import { runs } from '../random/seed.ts';
import { record as anyRecord } from './arbitraries.ts';
import { bodies, journalOf, newFile, record, scratch, snapshot } from './samples.ts';

test('open() makes a journal whose first line names the format', (t) => {
  const { journal, path } = journalOf(t, []);
  assert.equal(readFileSync(path, 'latin1'), 'yolofs journal 2\t19736b0e\n');
  assert.equal(journal.size, Journal.start);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(bodies(journal), []);
});

test('open() without create says that there is none', (t) => {
  const path = join(scratch(t), 'journal');
  assert.throws(
    () => Journal.open(path, { readOnly: true }),
    (error) => error instanceof SystemError && error.errno === ENOENT,
  );
});

test('scan() yields what append() was given, with the places of the lines', (t) => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 20 }), (records) => {
      const { journal, path } = journalOf(t, records);
      const scanned = [...journal.scan()];
      assert.deepEqual(
        scanned.map((each) => each.record),
        records,
      );
      let offset = Journal.start;
      for (const each of scanned) {
        assert.equal(each.offset, offset);
        offset = each.next;
      }
      assert.equal(offset, journal.size);
      assert.equal(statSync(path).size, journal.size);
    }),
    { numRuns: runs(50) },
  );
});

test('scan() reads lines longer than its chunks, and many chunks', (t) => {
  const long = record({ tag: 'N', fields: ['\n'.repeat(300_000)] });
  const many = Array.from({ length: 5000 }, (_, n) => record(newFile(`/dir/${n}`, n)));
  const { journal } = journalOf(t, [...many, long, ...many]);
  const scanned = [...journal.scan()].map((each) => each.record);
  assert.deepEqual(scanned, [...many, long, ...many]);
});

test('scan() starts, stops and filters where told', (t) => {
  const records = [newFile('/a', 1), snapshot('one'), newFile('/b', 2), snapshot('two')].map((body) => record(body));
  const { journal } = journalOf(t, records);
  const [, second, third] = [...journal.scan()];
  assert.ok(second && third);
  assert.deepEqual(
    [...journal.scan({ from: second.offset, to: third.next })].map((each) => each.record),
    records.slice(1, 3),
  );
  const names = [...journal.scan({ only: new Set(['P']) })].map(
    ({ record: { body } }) => body.tag === 'P' && body.name,
  );
  assert.deepEqual(names, ['one', 'two']);
});

test('scan() of a reader sees what a writer appends', (t) => {
  const { journal, path } = journalOf(t, []);
  const reader = Journal.open(path, { readOnly: true });
  t.after(() => reader.close());
  assert.deepEqual(bodies(reader), []);
  journal.append(record(snapshot('later')));
  assert.equal(reader.size, journal.size);
  assert.deepEqual(bodies(reader), [snapshot('later')]);
});

test('size of a reader is that of whole records, so that it can go on from there', (t) => {
  const { journal, path } = journalOf(t, [record(newFile('/first', 1))]);
  const reader = Journal.open(path, { readOnly: true });
  t.after(() => reader.close());
  const before = journal.size;
  for (const body of [newFile('/second', 2), newFile(`/${'third'.repeat(3000)}`, 3)]) journal.append(record(body));
  const whole = readFileSync(path);
  // What a file system shows of a write(2) that is under way.
  for (let size = before; size < whole.length; size += 97) {
    writeFileSync(path, whole.subarray(0, size));
    const from = reader.size;
    const seen = bodies(reader).length;
    assert.equal(from, [...reader.scan()].at(-1)?.next, `cut at ${size}`);
    writeFileSync(path, whole);
    assert.equal([...reader.scan({ from })].length, 3 - seen, `cut at ${size}`);
  }
});

test('open() drops a last record torn at any byte, and appends after the one before', (t) => {
  const { journal, path } = journalOf(t, [record(newFile('/kept', 1))]);
  const kept = journal.size;
  journal.append(record(newFile('/torn\n', 2)));
  const whole = readFileSync(path);
  for (let size = kept; size < whole.length; size++) {
    writeFileSync(path, whole.subarray(0, size));
    const reader = Journal.open(path, { readOnly: true });
    assert.deepEqual(bodies(reader), [newFile('/kept', 1)], `reader, torn at ${size}`);
    reader.close();
    const writer = Journal.open(path);
    assert.equal(statSync(path).size, kept);
    assert.equal(writer.append(record(snapshot('next'))), OK);
    assert.deepEqual(bodies(writer), [newFile('/kept', 1), snapshot('next')]);
    writer.close();
  }
});

test('open() drops a last line that is complete but damaged, and zeros that a power cut left', (t) => {
  const { journal, path } = journalOf(t, [record(newFile('/kept', 1)), record(newFile('/last', 2))]);
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[journal.size - 3] = 0;
  for (const bytes of [damaged, Buffer.concat([damaged, Buffer.alloc(5000)])]) {
    writeFileSync(path, bytes);
    const writer = Journal.open(path);
    assert.deepEqual(bodies(writer), [newFile('/kept', 1)]);
    writer.close();
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.alloc(5000)]));
  const writer = Journal.open(path);
  assert.equal(bodies(writer).length, 2);
  assert.equal(statSync(path).size, whole.length);
  writer.close();
});

test('open() begins anew where the very first line is torn', (t) => {
  const { journal, path } = journalOf(t, []);
  for (let size = 0; size < journal.size; size++) {
    truncateSync(path, size);
    const reader = Journal.open(path, { readOnly: true });
    assert.deepEqual(bodies(reader), []);
    reader.close();
    const writer = Journal.open(path);
    writer.append(record(snapshot('first')));
    assert.deepEqual(bodies(writer), [snapshot('first')]);
    writer.close();
  }
});

test('scan() refuses a damaged line that others follow, and names it', (t) => {
  const { journal, path } = journalOf(
    t,
    [1, 2, 3, 4].map((n) => record(newFile(`/file${n}`, n))),
  );
  const line3 = [...journal.scan()][1];
  assert.ok(line3);
  const bytes = readFileSync(path);
  bytes[line3.offset + 30] = (bytes[line3.offset + 30] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  for (const options of [{}, { from: line3.offset }, { only: new Set(['P'] as const) }]) {
    const seen: unknown[] = [];
    assert.throws(
      () => {
        for (const each of journal.scan(options)) seen.push(each);
      },
      (error) => {
        assert.ok(error instanceof JournalDamaged);
        assert.equal(
          error.message,
          `journal: line 3 (at byte ${line3.offset}) is damaged: its checksum does not match`,
        );
        assert.deepEqual([error.line, error.offset], [3, line3.offset]);
        return true;
      },
    );
    assert.ok(seen.length <= 1);
  }
});

test('scan() refuses a line that is intact but says nothing known', (t) => {
  const { journal, path } = journalOf(t, [record(snapshot('one'))]);
  const text = 'Z\t0\t1.0\t0\t0\t-\tx';
  appendFileSync(path, `${crc32(Buffer.from(text)).toString(16).padStart(8, '0')}\t${text}\n`);
  const reader = Journal.open(path, { readOnly: true });
  t.after(() => reader.close());
  assert.throws(() => bodies(reader), {
    message: `journal: line 3 (at byte ${journal.size}) is damaged: \`Z\` is not a record this version knows`,
  });
});

test('open() refuses another version and other files, and leaves them alone', (t) => {
  const path = join(scratch(t), 'journal');
  const cases: [string, RegExp][] = [
    ['yolofs journal 3\tffffffff\nwhatever\n', /written in format 3, this yolofs knows format 2/],
    ['#!/bin/sh\necho hello\n', /line 1 \(at byte 0\) is damaged: it is not the first line of a journal/],
    ['yolofs journal 1\t00000000\n', /line 1 \(at byte 0\) is damaged/],
  ];
  for (const [text, message] of cases) {
    writeFileSync(path, text);
    assert.throws(
      () => Journal.open(path, { create: true }),
      (error) => error instanceof UserError && message.test(error.message) && error.hint !== undefined,
    );
    assert.equal(readFileSync(path, 'latin1'), text);
  }
});

test('sync() and sumBefore() tell the state of the file', (t) => {
  const { journal, path } = journalOf(t, [record(snapshot('one')), record(snapshot('two'))]);
  assert.equal(journal.sync(), OK);
  assert.equal(journal.sync(), OK);
  const lines = readFileSync(path, 'latin1').split('\n');
  assert.equal(journal.sumBefore(journal.size), lines[2]?.slice(0, 8));
  assert.equal(journal.sumBefore(journal.size - 1), undefined);
  assert.equal(journal.sumBefore(journal.size + 100), undefined);
});
