/**
 * The log of one commit, `commits/N` of the store: the steps, on the disk before the first of them is carried out, and
 * after them, as they come up, the identities that the plan could not know. The name of the file tells how far it is:
 *
 *     intent ── the commit is through ──▶ steps ── undo begins ──▶ undoing ── it is through ──▶ undone
 */

import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join, label, splitPath } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { EEXIST, EIO, OK, SystemError } from '../../../sys/errno.ts';
import { syncDirectory } from '../../../sys/files/sync-directory.ts';
import * as libc from '../../../sys/libc.ts';
import { bootId } from '../../../sys/process/boot-id.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import { UserError } from '../../../sys/user-error.ts';
import { sealLine } from '../../log/record.ts';
import { removeTree } from '../apply/remove-tree.ts';
import type { Notes, Role } from '../apply/step-context.ts';
import type { Directory, Identity, Step } from '../plan/steps.ts';
import { DirectoryNumbers } from './directory-table.ts';
import { LineBuffer } from './line-buffer.ts';
import { backupsOf } from './places.ts';
import { encodeIdentity, encodeStep } from './step-lines.ts';

export const VERSION = 1;
export const STAGES = ['intent', 'steps', 'undoing', 'undone'] as const;
export type Stage = (typeof STAGES)[number];

/** What is written down about a commit beside its steps. */
export interface CommitFacts {
  readonly number: number;
  /** How many paths it changes. */
  readonly changes: number;
  readonly boot: string;
  /** When it was planned, in seconds since the epoch. */
  readonly since: number;
}

export interface Recorded extends CommitFacts {
  readonly steps: readonly Step[];
  readonly backups: Directory;
}

const LINE = 64 * 1024;
const NEWLINE = 0x0a;

export class CommitLog implements Notes {
  readonly recorded: Recorded;
  readonly sameBoot: boolean;
  /** The last line may not be complete: the next note must not become part of it. */
  isTorn = false;
  readonly #path: BytePath;
  readonly #notes = new Map<Step, Partial<Record<Role, Identity>>>();
  /** Where each step is in the plan; made for the first note, as a commit to another file system has one a file. */
  #index: ReadonlyMap<Step, number> | undefined;
  #stage: Stage;

  /**
   * Writes the log of a commit that is about to begin. Throws SystemError, with nothing of it left, or a UserError when
   * a commit of that number was not taken back wholly: its backups are there.
   */
  static begin(path: BytePath, what: { changes: number; steps: readonly Step[]; backups: Directory }): CommitLog {
    const number = Number(splitPath(path)?.name ?? 0);
    const since = Math.floor(Date.now() / 1000) - 1;
    const log = new CommitLog(path, { ...what, number, boot: bootId() ?? '-', since }, 'intent');
    makeFresh(path);
    const errno = makeBackups(path) || writeDurably(join(path, 'intent' as Name), linesOf(log.recorded));
    if (errno === OK) return log;
    log.remove();
    throw new SystemError('cannot write down what the commit is going to do', errno);
  }

  constructor(path: BytePath, recorded: Recorded, stage: Stage) {
    this.recorded = recorded;
    this.sameBoot = recorded.boot === (bootId() ?? '-');
    this.#path = path;
    this.#stage = stage;
  }

  get stage(): Stage {
    return this.#stage;
  }

  get since(): number {
    return this.recorded.since;
  }

  /** When the log was last written to, in seconds since the epoch: not before the last copy was made. */
  get writtenAt(): number {
    const statx = Buffer.alloc(STATX_SIZE);
    const result = libc.statxInto(libc.AT_FDCWD, join(this.#path, this.#stage as Name), statx);
    return result < 0 ? 0 : decodeStatx(statx).ctimeSec;
  }

  noted(step: Step, role: Role): Identity | undefined {
    return this.#notes.get(step)?.[role];
  }

  note(step: Step, role: Role, identity: Identity): Errno {
    const line = Buffer.alloc(LINE);
    line[0] = NEWLINE;
    this.#index ??= new Map(this.recorded.steps.map((each, i) => [each, i]));
    const index = this.#index.get(step);
    const length = sealLine(`note\t${index}\t${role}\t${encodeIdentity(identity)}`, line.subarray(1));
    const errno = append(join(this.#path, this.#stage as Name), line.subarray(this.isTorn ? 0 : 1, 1 + length));
    this.isTorn = errno !== OK;
    if (errno === OK) this.remember(step, role, identity);
    return errno;
  }

  /** A note that was read. */
  remember(step: Step, role: Role, identity: Identity): void {
    this.#notes.set(step, { ...this.#notes.get(step), [role]: identity });
  }

  /** The log is of that stage from now on, durably. */
  become(stage: Stage): Errno {
    const [from, to] = [this.#stage, stage].map((name) => join(this.#path, name as Name)) as [BytePath, BytePath];
    const result = libc.renameAt2(libc.AT_FDCWD, from, libc.AT_FDCWD, to);
    if (result < 0) return -result as Errno;
    this.#stage = stage;
    return syncDirectory(this.#path);
  }

  /** Removes the log, and the backups with what is left there. */
  remove(): void {
    // Without its log, a directory is of no use: who finds one removes it.
    libc.unlinkAt(libc.AT_FDCWD, join(this.#path, this.#stage as Name));
    CommitLog.discard(this.#path);
  }

  /** Keeps it, with the backups, where it counts as no commit; returns where that is. Throws SystemError. */
  putAway(): BytePath {
    for (let n = 1; ; n++) {
      const place = `${this.#path}-left${n}` as BytePath;
      const result = libc.renameAt2(libc.AT_FDCWD, this.#path, libc.AT_FDCWD, place, libc.RENAME_NOREPLACE);
      if (result === -EEXIST) continue;
      if (result < 0) throw new SystemError(`cannot rename ${label(this.#path)}`, -result as Errno);
      return place;
    }
  }

  /** Removes the directory of a commit. */
  static discard(path: BytePath): void {
    removeTree(libc.AT_FDCWD, path);
  }
}

function* linesOf(recorded: Recorded): Generator<string> {
  const { number, changes, boot, since, steps, backups } = recorded;
  const waiting: string[] = [];
  const numbers = new DirectoryNumbers((text) => waiting.push(text));
  const backupsNumber = numbers.of(backups);
  yield `commit\t${VERSION}\t${number}\t${changes}\t${boot}\t${since}\t${backupsNumber}`;
  for (const step of steps) {
    const line = encodeStep(step, numbers);
    yield* waiting;
    waiting.length = 0;
    yield line;
  }
  yield* waiting;
  yield `end\t${steps.length}`;
}

/** Makes the directory of a commit, which nothing may be in yet. */
function makeFresh(path: BytePath): void {
  const top = splitPath(path)?.dir ?? path;
  const above = libc.mkdirAt(libc.AT_FDCWD, top, 0o700);
  const made = above < 0 && above !== -EEXIST ? above : libc.mkdirAt(libc.AT_FDCWD, path, 0o700);
  if (made === -EEXIST) {
    throw new UserError(
      `${label(path)} is there already: an earlier commit is not finished`,
      "'yolofs stop', then 'yolofs doctor --repair' finishes it or rolls it back",
    );
  }
  if (made < 0) throw new SystemError(`cannot make ${label(path)}`, -made as Errno);
}

function makeBackups(path: BytePath): Errno {
  const made = libc.mkdirAt(libc.AT_FDCWD, backupsOf(path), 0o700);
  if (made < 0) return -made as Errno;
  return syncDirectory(splitPath(path)?.dir ?? path) || syncDirectory(path);
}

function writeDurably(path: BytePath, lines: Iterable<string>): Errno {
  const fd = libc.openAt(libc.AT_FDCWD, path, libc.O_WRONLY | libc.O_CREAT | libc.O_EXCL | libc.O_NOFOLLOW, 0o600);
  if (fd < 0) return -fd as Errno;
  const buffer = new LineBuffer((bytes) => writeAll(fd, bytes));
  let errno: Errno = OK;
  for (const line of lines) errno ||= buffer.add(line);
  errno ||= buffer.flush() || (-Math.min(0, libc.fsync(fd)) as Errno);
  libc.close(fd);
  return errno || syncDirectory(splitPath(path)?.dir ?? path);
}

function append(path: BytePath, bytes: Buffer): Errno {
  const fd = libc.openAt(libc.AT_FDCWD, path, libc.O_WRONLY | libc.O_APPEND | libc.O_NOFOLLOW);
  if (fd < 0) return -fd as Errno;
  const errno = writeAll(fd, bytes) || (-Math.min(0, libc.fsync(fd)) as Errno);
  libc.close(fd);
  return errno;
}

function writeAll(fd: number, bytes: Buffer): Errno {
  for (let at = 0; at < bytes.length; ) {
    const n = libc.write(fd, bytes.subarray(at));
    if (n <= 0) return n < 0 ? (-n as Errno) : EIO;
    at += n;
  }
  return OK;
}
