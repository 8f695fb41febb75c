/**
 * Makes durable what steps did: syncfs(2) of each file system that they worked on, by a directory of it. A step may have
 * removed its directory; then the nearest one above that is there stands for it.
 */
import type { Errno } from '../../../sys/errno.ts';
import { OK } from '../../../sys/errno.ts';
import * as libc from '../../../sys/libc.ts';
import { decodeStatx, STATX_SIZE } from '../../../sys/stat.ts';
import type { StepContext } from '../apply/step-context.ts';
import { Directory, type Step } from '../plan/steps.ts';

/** Everything on disk that the steps did, and what they took from the store; what went wrong with that. */
export async function syncDisks(steps: readonly Step[], { directories, store }: StepContext): Promise<Errno> {
  let errno: Errno = OK;
  const disks = new Disks(directories);
  const done = new Set<number>();
  const missed = new Map<number, Errno>();
  for (const directory of new Set(steps.flatMap(directoriesOf))) {
    for (const at of disks.around(directory)) {
      if (done.has(at.dev)) break;
      const fd = libc.openAt(at.dirfd, '.', libc.O_RDONLY | libc.O_DIRECTORY);
      if (fd < 0) missed.set(at.dev, -fd as Errno);
      else {
        done.add(at.dev);
        errno ||= await syncAndClose(fd);
        break;
      }
    }
  }
  const own = disks.deviceOf(store.dirfd);
  if (own !== undefined && missed.has(own) && !done.has(own)) {
    done.add(own);
    errno ||= await syncAndClose(libc.openAt(store.dirfd, '.', libc.O_RDONLY | libc.O_DIRECTORY));
  }
  for (const [dev, why] of missed) if (!done.has(dev)) errno ||= why;
  return errno;
}

class Disks {
  readonly #directories: StepContext['directories'];
  readonly #statx = Buffer.alloc(STATX_SIZE);
  /** The nearest that is there, from a directory upward: each is tried once, however many lie below one that is gone. */
  readonly #nearest = new Map<Directory, Directory>();

  constructor(directories: StepContext['directories']) {
    this.#directories = directories;
  }

  /**
   * A directory, or where it cannot be reached any more the first above it that can; and those above that on the same file
   * system, as it may not be ours to read.
   */
  *around(directory: Directory): Generator<{ readonly dirfd: number; readonly dev: number }> {
    let first: number | undefined;
    for (let at: Directory | undefined = this.#nearestTo(directory); at !== undefined; at = at.parent) {
      const dirfd = this.#directories.of(at);
      const dev = dirfd < 0 ? undefined : this.deviceOf(dirfd);
      if (dev === undefined) continue;
      first ??= dev;
      if (dev !== first) return;
      yield { dirfd, dev };
    }
  }

  deviceOf(fd: number): number | undefined {
    return libc.fstatxInto(fd, this.#statx) < 0 ? undefined : decodeStatx(this.#statx).dev;
  }

  #nearestTo(directory: Directory): Directory {
    const unknown: Directory[] = [];
    let at = directory;
    while (at.parent !== undefined && !this.#nearest.has(at)) {
      unknown.push(at);
      at = at.parent;
    }
    for (const below of unknown.reverse()) {
      const above = this.#nearest.get(at) ?? at;
      // Below what is gone there is nothing.
      this.#nearest.set(below, above === at && this.#directories.of(below) >= 0 ? below : above);
      at = below;
    }
    return this.#nearest.get(directory) ?? directory;
  }
}

async function syncAndClose(fd: number): Promise<Errno> {
  if (fd < 0) return -fd as Errno;
  const result = await libc.syncfsAsync(fd);
  libc.close(fd);
  return result < 0 ? (-result as Errno) : OK;
}

function directoriesOf(step: Step): Directory[] {
  if (step.do === 'move') return [step.from.dir, step.to.dir];
  return step.at instanceof Directory ? [step.at] : [step.at.dir];
}
