/** Reading the log of a commit. */
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, label } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { ENOENT, SystemError } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { UserError } from '../../../sys/user-error.ts';
import { Fields } from '../../log/field-reader.ts';
import { decodeInteger, FieldError } from '../../log/fields.ts';
import { readLines, statOf } from '../../log/lines.ts';
import { isIntact } from '../../log/record.ts';
import type { Role } from '../apply/step-context.ts';
import type { Identity, Step } from '../plan/steps.ts';
import type { CommitFacts } from './commit-log.ts';
import { CommitLog, STAGES, type Stage, VERSION } from './commit-log.ts';
import { DirectoryTable } from './directory-table.ts';
import { decodeIdentity, decodeStep } from './step-lines.ts';

const SUM = 9;

/**
 * The log in a commit's directory; undefined: there is none. `incomplete`: it was being written, so nothing was
 * carried out. Throws a UserError for one that is damaged or of another version, SystemError when it cannot be read.
 */
export function readLog(path: BytePath): CommitLog | 'incomplete' | undefined {
  for (const stage of STAGES) {
    const fd = libc.openAt(libc.AT_FDCWD, join(path, stage as Name), libc.O_RDONLY | libc.O_NOFOLLOW);
    if (fd === -ENOENT) continue;
    if (fd < 0) throw new SystemError(`cannot open the log of a commit, ${label(path)}/${stage}`, -fd as Errno);
    try {
      return new Reader(path, stage).read(fd);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      throw new UserError(`${label(path)}/${stage} is damaged: ${error.message}`, 'it says what a commit did');
    } finally {
      libc.close(fd);
    }
  }
  return undefined;
}

class Reader {
  readonly #path: BytePath;
  readonly #stage: Stage;
  readonly #table = new DirectoryTable();
  readonly #steps: Step[] = [];
  readonly #notes: [number, Role, Identity][] = [];
  #facts: (CommitFacts & { readonly backups: string }) | undefined;
  #isWhole = false;

  constructor(path: BytePath, stage: Stage) {
    this.#path = path;
    this.#stage = stage;
  }

  read(fd: number): CommitLog | 'incomplete' {
    const { size } = statOf(fd);
    let whole = 0;
    for (const { bytes, start, end, next } of readLines(fd, 0, size)) {
      whole = next;
      if (!isIntact(bytes, start, end)) {
        // What a note that was cut short has left; others came after it.
        if (this.#isWhole) continue;
        break;
      }
      const fields = new Fields(bytes.toString('latin1', start + SUM, end));
      this.#line(fields.next(), fields);
    }
    if (this.#facts === undefined || !this.#isWhole) return this.#incomplete();
    const { backups, ...facts } = this.#facts;
    const recorded = { ...facts, steps: this.#steps, backups: this.#table.at(backups) };
    const log = new CommitLog(this.#path, recorded, this.#stage);
    log.isTorn = whole < size;
    for (const [index, role, identity] of this.#notes) {
      const step = this.#steps[index];
      if (step !== undefined) log.remember(step, role, identity);
    }
    return log;
  }

  #incomplete(): 'incomplete' {
    if (this.#stage === 'intent') return 'incomplete';
    throw new FieldError(this.#stage, 'complete');
  }

  #line(word: string, fields: Fields): void {
    if (word === 'commit') this.#facts = decodeFacts(fields);
    else if (word === 'directory') this.#table.add(fields.next(), fields.next());
    else if (word === 'end') this.#isWhole = decodeInteger(fields.next()) === this.#steps.length;
    else if (word === 'note') this.#note(fields);
    else this.#steps.push(decodeStep(word, fields, this.#table));
  }

  #note(fields: Fields): void {
    const index = decodeInteger(fields.next());
    const role = fields.next() === 'old' ? 'old' : 'new';
    const identity = decodeIdentity(fields.next());
    if (identity !== undefined) this.#notes.push([index, role, identity]);
  }
}

function decodeFacts(fields: Fields): CommitFacts & { readonly backups: string } {
  const version = decodeInteger(fields.next());
  if (version !== VERSION) throw new FieldError(String(version), `version ${VERSION} of a commit's log`);
  return {
    number: decodeInteger(fields.next()),
    changes: decodeInteger(fields.next()),
    boot: fields.next(),
    since: decodeInteger(fields.next()),
    backups: fields.next(),
  };
}
