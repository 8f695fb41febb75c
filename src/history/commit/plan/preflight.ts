/** The check before a commit changes anything: every place that steps will write to is there and may be written to. */
import type { BytePath } from '../../../sys/bytes.ts';
import type { Errno } from '../../../sys/errno.ts';
import { describeErrno, EACCES } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import type { Stat } from '../../../sys/stat.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import type { Directory } from '../apply/directories.ts';
import { OpenDirectories } from '../apply/directories.ts';
import { type Draft, identityOf } from './draft.ts';
import type { Adjust } from './steps.ts';

/** Steps around the plan's own, for directories of ours without write permission. */
export interface Unlocking {
  readonly before: readonly Adjust[];
  readonly after: readonly Adjust[];
}

/**
 * Checks the directories of the base that a draft works in, and files that it rewrites; what is wrong becomes a
 * problem of the draft. A directory of ours without write permission (`chmod a-w`) is made writable meanwhile.
 */
export function preflight(draft: Draft): Unlocking {
  const check = new Preflight(draft);
  try {
    return check.run();
  } finally {
    check.close();
  }
}

class Preflight {
  readonly #draft: Draft;
  readonly #directories = new OpenDirectories();
  readonly #before: Adjust[] = [];
  readonly #after: Adjust[] = [];
  readonly #statx = Buffer.alloc(STATX_SIZE);

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  run(): Unlocking {
    const { directories, travellers } = this.#draft;
    for (const [directory, path] of new Map([...directories.worked, ...travellers])) this.#directory(directory, path);
    for (const step of this.#draft.steps()) {
      if (step.do === 'rewrite') this.#file(step.at, step.path);
    }
    return { before: this.#before, after: this.#after };
  }

  close(): void {
    this.#directories.close();
  }

  #directory(directory: Directory, path: BytePath): void {
    const fd = this.#directories.of(directory);
    const result = fd < 0 ? fd : libc.accessAt(fd, '', libc.W_OK | libc.X_OK);
    if (result >= 0) return;
    const stat = result === -EACCES && fd >= 0 ? this.#statIfOurs(fd) : undefined;
    if (stat === undefined) this.#refuse(path, 'this directory cannot be written to', result);
    else this.#unlock(directory, path, stat);
  }

  #unlock(directory: Directory, path: BytePath, stat: Stat): void {
    const mode = stat.mode & 0o7777;
    const id = identityOf(stat);
    const adjust = { do: 'adjust', at: directory, id, path, lenient: false, says: undefined } as const;
    this.#before.push({ ...adjust, attributes: { mode: mode | 0o700 }, before: { mode } });
    const wanted = this.#draft.modes.get(directory);
    if (wanted !== undefined)
      this.#after.push({ ...adjust, attributes: { mode: wanted }, before: { mode: mode | 0o700 } });
  }

  #file(at: { dir: Directory; name: string }, path: BytePath): void {
    const dirfd = this.#directories.of(at.dir);
    const result = dirfd < 0 ? dirfd : libc.accessAt(dirfd, at.name, libc.W_OK);
    if (result >= 0) return;
    const isKnown = dirfd >= 0 && libc.statxInto(dirfd, at.name, this.#statx) >= 0;
    const ours = result === -EACCES && isKnown && decodeStatx(this.#statx).uid === process.geteuid?.();
    if (!ours) this.#refuse(path, 'this file cannot be written to', result);
  }

  #statIfOurs(fd: number): Stat | undefined {
    if (libc.fstatxInto(fd, this.#statx) < 0) return undefined;
    const stat = decodeStatx(this.#statx);
    return stat.uid === process.geteuid?.() ? stat : undefined;
  }

  #refuse(path: BytePath, what: string, result: number): void {
    this.#draft.refuse(path, `${what}: ${describeErrno(-result as Errno)}`);
  }
}
