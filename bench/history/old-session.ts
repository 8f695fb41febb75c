/** A session with much behind it: a journal as years of use leave it, written at once, over a base without the files. */
import { Journal } from '../../src/history/log/journal.ts';
import type { JournalRecord } from '../../src/history/log/record.ts';
import type { BytePath, Gen, Ino, ObjectId } from '../../src/sys/bytes.ts';
import { OK } from '../../src/sys/errno.ts';
import { S_IFDIR, S_IFREG } from '../../src/sys/stat.ts';

export interface Age {
  readonly records: number;
  readonly generations: number;
  /** Different files; each is made once and then written again and again. */
  readonly files: number;
}

const PER_DIRECTORY = 100;
const FIRST_INO = 2 ** 48;
const START = 1_760_000_000;

/** Writes the journal at `path`, of a session in `project`: per generation as many records, then its snapshot. */
export function writeOldJournal(path: string, project: string, age: Age): void {
  const journal = Journal.open(path, { create: true });
  const errno = journal.appendAll(records(project, age), () => undefined);
  if (errno !== OK) throw new Error(`errno ${errno}`);
  journal.close();
}

function* records(project: string, { records: count, generations, files }: Age): Generator<JournalRecord> {
  const perGeneration = Math.floor(count / generations) - 1;
  const who = { run: 1, pid: 4711, process: 'node' };
  let [file, object, ino] = [0, 1, FIRST_INO];
  const objects: number[] = [];
  const nextIno = (): Ino => ino++ as Ino;
  const inos: Ino[] = [];
  for (let g = 0; g < generations; g++) {
    const [generation, time] = [g as Gen, { sec: START + g, nsec: 1000 }];
    for (let i = 0; i < perGeneration; ) {
      const at = file++ % files;
      const [dir, known] = [`${project}/d${Math.floor(at / PER_DIRECTORY)}` as BytePath, objects[at]];
      const path = `${dir}/f${at}` as BytePath;
      const fresh = {
        tag: 'S',
        how: 'new',
        uid: 0,
        gid: 0,
        rdev: 0,
        target: undefined,
        pre: { kind: 'absent' },
      } as const;
      if (known === undefined && at % PER_DIRECTORY === 0) {
        const body = { ...fresh, path: dir, type: S_IFDIR, ino: nextIno(), object: 0 as ObjectId, mode: 0o755 };
        yield { generation, time, who, body };
        i++;
      }
      const id = object++ as ObjectId;
      objects[at] = id;
      if (known === undefined) {
        inos[at] = nextIno();
        yield {
          generation,
          time,
          who,
          body: { ...fresh, path, type: S_IFREG, ino: inos[at] as Ino, object: id, mode: 0o644 },
        };
      } else {
        const pre = { kind: 'object', object: known as ObjectId, path: undefined } as const;
        const content = {
          tag: 'S',
          how: 'content',
          path,
          object: id,
          ino: inos[at] as Ino,
          fingerprint: undefined,
        } as const;
        yield { generation, time, who, body: { ...content, pre } };
      }
      const pre = { kind: 'object', object: id, path: undefined } as const;
      const attributes = { mtime: time };
      const times = {
        tag: 'M',
        path,
        ino: inos[at] as Ino,
        changed: 4,
        attributes,
        xattr: undefined,
        fingerprint: undefined,
        pre,
      } as const;
      yield { generation, time, who, body: times };
      i += 2;
    }
    const body = { tag: 'P', name: '', command: 'make' } as const;
    yield { generation: (g + 1) as Gen, time, who, body };
  }
}
