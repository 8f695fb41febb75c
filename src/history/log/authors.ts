/**
 * Who a record says did it: of what the kernel writes back in nobody's name, the process that was about to write. The kernel
 * asks on its behalf for `security.capability` before the first write(2) to a file that was looked up since; where it did not
 * (a second writer of the same pages, a mapping), nobody is named.
 */
import type { Cause, Mutation } from '../../staging/recorder.ts';
import type { Ino } from '../../sys/bytes.ts';
import type { Who } from './record.ts';

export interface AuthorOptions {
  /** Which run (0 = none) a process belongs to and what it is called (bytes). On the hot path: answer from memory. */
  readonly whoIs: (pid: number) => { readonly run: number; readonly name: string | undefined };
  /** The command line of a run that is under way, to be noted with its first mutation. */
  readonly commandOf?: (run: number) => string | undefined;
}

/** Files that somebody is about to write to; the kernel writes most back when their run ends, or before. */
const MOST_WRITERS = 4096;

export class Authors {
  readonly #options: AuthorOptions;
  readonly #writers = new Map<Ino, Who>();

  constructor(options: AuthorOptions) {
    this.#options = options;
  }

  /** A process, as it is now. */
  whoIs(pid: number): Who {
    const { run, name } = this.#options.whoIs(pid);
    return { run, pid, process: name };
  }

  /** A process is about to write to a file; it may be gone when that is recorded. */
  expect(ino: Ino, { pid }: Cause): void {
    if (this.#writers.size >= MOST_WRITERS) this.#writers.clear();
    this.#writers.set(ino, this.whoIs(pid));
  }

  /** Whose doing a mutation is. Whoever was about to write in a run that is over has been written back with its end. */
  of(mutation: Mutation, { pid }: Cause): Who {
    const writer = pid === 0 && 'ino' in mutation ? this.#writers.get(mutation.ino) : undefined;
    const isActive = writer !== undefined && this.#options.commandOf?.(writer.run) !== undefined;
    return isActive ? writer : this.whoIs(pid);
  }
}
