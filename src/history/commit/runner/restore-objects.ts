/**
 * After a commit, content that it has moved to the base is copied back into the store, under the same object: states of
 * earlier generations name it, and what happens to the real file from now on must not change them.
 */
import { copyContent } from '../../../staging/copy-content.ts';
import { type ObjectStore, objectPath } from '../../../staging/object-store.ts';
import type { BytePath, Name } from '../../../sys/bytes.ts';
import { join } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { EEXIST, ELOOP, ENOENT, ENOTDIR, OK, SystemError } from '../../../sys/errno.ts';
import { namesIn } from '../../../sys/files/text-files.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, isRegular, STATX_SIZE, type Stat } from '../../../sys/stat.ts';
import { hasIdleTimes, noiseOf } from '../../diff/noise.ts';
import type { Layout } from '../../layout.ts';
import { applyToOurs } from '../apply/attributes.ts';
import { OpenDirectories } from '../apply/directories.ts';
import { follow } from '../apply/move-step.ts';
import type { Place, Step } from '../plan/steps.ts';
import type { CommitLog } from './commit-log.ts';
import { commitsIn, logOf } from './places.ts';
import { readLog } from './read-log.ts';

/** Says that a commit has nothing left to copy. */
const DONE = 'stocked' as Name;
/** A copy in the making. */
const PART = 'part' as Name;
/** What somebody has taken away, or put something else in the place of. */
const GONE: ReadonlySet<Errno> = new Set([ENOENT, ENOTDIR, ELOOP]);
/** Where less of the disk than this is free, nothing is copied. */
const RESERVE = 0.1;
/** What whoever waits for a commit waits for, too: so many files, and bytes. */
const MOST_FILES = 100;
const MOST_BYTES = 64 * 1024 * 1024;

/** Numbers of commits that are through and whose content is not all in the store, oldest first. */
export function withObjectsMissing(layout: Layout): number[] {
  const isMissing = (number: number): boolean => {
    const kept = namesIn(`${layout.commits}/${number}`);
    return kept.includes('steps') && !kept.includes(DONE);
  };
  return commitsIn(layout.commits).filter(isMissing);
}

/**
 * Copies the content of a commit, one file between two pauses. Files that somebody has changed since are left out.
 * Throws a SystemError or UserError when the commit's log cannot be read.
 */
export function* restoreObjects(
  layout: Layout,
  number: number,
  store: ObjectStore,
): Generator<void, 'done' | 'disk full'> {
  const path = logOf(layout, number);
  const log = readLog(path);
  if (log === undefined || log === 'incomplete' || log.stage !== 'steps') return 'done';
  const restoring = new ObjectsBack(path, log, store);
  try {
    const { steps } = log.recorded;
    for (const step of steps) if (step.do === 'move') follow(step, step.to);
    if (!(yield* restoring.run(soonestFirst(steps)))) return 'disk full';
    // Another daemon may be able to read it.
    if (restoring.hasFailed) return 'done';
  } finally {
    restoring.close();
  }
  const fd = libc.openAt(libc.AT_FDCWD, join(path, DONE), libc.O_WRONLY | libc.O_CREAT | libc.O_NOFOLLOW, 0o600);
  if (fd >= 0) libc.close(fd);
  return 'done';
}

/**
 * Copies back what git writes anew at its next command, which somebody may have typed behind the commit. That is through, so
 * nothing fails it: what cannot be copied now, or is too much, `restoreObjects` copies.
 */
export function restoreSoonest(path: BytePath, log: CommitLog, store: ObjectStore): void {
  const soonest = waitedFor(log.recorded.steps);
  if (soonest.length === 0) return;
  try {
    const restoring = new ObjectsBack(path, log, store);
    for (const _ of restoring.run(soonest));
    restoring.close();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
}

function waitedFor(steps: readonly Step[]): Step[] {
  const found: Step[] = [];
  let bytes = 0;
  for (const step of steps) {
    if (step.do !== 'place' || !isSoon(step) || bytes + step.size > MOST_BYTES) continue;
    bytes += step.size;
    if (found.push(step) === MOST_FILES) break;
  }
  return found;
}

class ObjectsBack {
  readonly #part: BytePath;
  readonly #log: CommitLog;
  readonly #store: ObjectStore;
  readonly #directories = new OpenDirectories();
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** Something is missing that is not gone. */
  hasFailed = false;

  constructor(path: BytePath, log: CommitLog, store: ObjectStore) {
    this.#part = join(path, PART);
    this.#log = log;
    this.#store = store;
  }

  close(): void {
    libc.unlinkAt(libc.AT_FDCWD, this.#part);
    this.#directories.close();
  }

  *run(steps: readonly Step[]): Generator<void, boolean> {
    for (const step of steps) {
      if (!this.#isMissing(step)) continue;
      if (!this.#hasRoom()) return false;
      this.#copy(step);
      yield;
    }
    return true;
  }

  #isMissing(step: Step): step is Place {
    return step.do === 'place' && this.#store.statInto(step.object, this.#statx) < 0;
  }

  #hasRoom(): boolean {
    const b = Buffer.alloc(120);
    if (libc.fstatfsInto(this.#store.dirfd, b) < 0) return false;
    const [blocks, available] = [Number(b.readBigUInt64LE(16)), Number(b.readBigUInt64LE(32))];
    return available > blocks * RESERVE;
  }

  #copy(step: Place): void {
    const dirfd = this.#directories.of(step.at.dir);
    const flags = libc.O_RDONLY | libc.O_NOFOLLOW | libc.O_NONBLOCK;
    const from = dirfd < 0 ? dirfd : libc.openAt(dirfd, step.at.name, flags);
    const errno = from < 0 ? (-from as Errno) : this.#copyFrom(from, step);
    if (from >= 0) libc.close(from);
    this.hasFailed ||= errno !== OK && !GONE.has(errno);
  }

  #copyFrom(from: number, step: Place): Errno {
    const stat = this.#statOf(from);
    if (typeof stat === 'number') return stat;
    if (!this.#isOurs(step, stat)) return OK;
    const { mtimeSec: sec, mtimeNsec: nsec } = stat;
    const { own: mtime = { sec, nsec } } = step;
    const part = { dirfd: libc.AT_FDCWD, name: this.#part };
    const errno = this.#fill(from, stat.size) || applyToOurs(part, { mtime });
    if (errno !== OK) return errno;
    // It may have been written to meanwhile.
    const now = this.#statOf(from);
    if (typeof now === 'number') return now;
    return this.#isOurs(step, now) ? this.#put(step) : OK;
  }

  #statOf(fd: number): Stat | Errno {
    const result = libc.fstatxInto(fd, this.#statx);
    return result < 0 ? (-result as Errno) : decodeStatx(this.#statx);
  }

  #isOurs(step: Place, stat: Stat): boolean {
    const id = this.#log.noted(step, 'new') ?? step.id;
    const { mtime } = step.attributes;
    const isUnwritten = mtime === undefined || (mtime.sec === stat.mtimeSec && mtime.nsec === stat.mtimeNsec);
    return isRegular(stat.mode) && stat.ino === id.ino && stat.size === step.size && isUnwritten;
  }

  #fill(from: number, size: number): Errno {
    libc.unlinkAt(libc.AT_FDCWD, this.#part);
    const flags = libc.O_RDWR | libc.O_CREAT | libc.O_EXCL | libc.O_NOFOLLOW;
    const to = libc.openAt(libc.AT_FDCWD, this.#part, flags, 0o600);
    if (to < 0) return -to as Errno;
    const errno = copyContent(from, to, size);
    libc.close(to);
    return errno;
  }

  #put({ object }: Place): Errno {
    const { dirfd } = this.#store;
    const shard = objectPath(object).split('/')[0] ?? '';
    const made = libc.mkdirAt(dirfd, shard, 0o700);
    if (made < 0 && made !== -EEXIST) return -made as Errno;
    const put = libc.renameAt2(libc.AT_FDCWD, this.#part, dirfd, objectPath(object), libc.RENAME_NOREPLACE);
    return put < 0 && put !== -EEXIST ? (-put as Errno) : OK;
  }
}

/** What of git's is no object of it: its next command outside may write each anew. */
function isSoon({ path }: Step): boolean {
  return /\/\.git\//.test(path) && noiseOf(path) !== 'object';
}

/** What can be had again comes last. */
function soonestFirst(steps: readonly Step[]): Step[] {
  const rankOf = (step: Step): number => (isSoon(step) ? 0 : hasIdleTimes(step.path) ? 2 : 1);
  const ranks = [0, 1, 2].map((): Step[] => []);
  for (const step of steps) if (step.do === 'place') ranks[rankOf(step)]?.push(step);
  return ranks.flat();
}
