/** Records and journals for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Journal } from '../../src/history/log/journal.ts';
import type { Body, JournalRecord } from '../../src/history/log/record.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { OK } from '../../src/sys/errno.ts';
import { S_IFREG } from '../../src/sys/stat.ts';

/** A directory that goes away with the test. */
export function scratch(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'yolofs-history-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export function record(body: Body, generation = 0): JournalRecord {
  const who = { run: 1, pid: 100, process: 'sh' };
  return { generation: generation as Gen, time: { sec: 1732111111, nsec: generation }, who, body };
}

/** A new file; its object and inode number follow from `n`. */
export function newFile(path: string, n: number): Body {
  return {
    tag: 'S',
    how: 'new',
    path: path as BytePath,
    type: S_IFREG,
    ino: (2 ** 48 + n) as Ino,
    object: n as ObjectId,
    ...{ mode: 0o644, uid: 1000, gid: 1000, rdev: 0, target: undefined },
    pre: { kind: 'absent' },
  };
}

export function snapshot(name: string): Body {
  return { tag: 'P', name, command: undefined };
}

/** A journal with these records, open for writing, closed with the test. */
export function journalOf(t: TestContext, records: readonly JournalRecord[]): { journal: Journal; path: string } {
  const path = join(scratch(t), 'journal');
  const journal = Journal.open(path, { create: true });
  t.after(() => journal.close());
  for (const each of records) {
    if (journal.append(each) !== OK) throw new Error('append failed');
  }
  return { journal, path };
}

export function bodies(journal: Journal): Body[] {
  return [...journal.scan()].map((scanned) => scanned.record.body);
}
