/** Where the FUSE thread hands in large copies, and what is large and to be freed, and hears what came of them. */
import type { Ticket } from '../../fuse/filesystem.ts';
import type { Copier, CopyJob } from '../../staging/copy-up/copy-ups.ts';
import type { Errno } from '../../sys/errno.ts';
import { close } from '../../sys/libc.ts';
import type { MainThread } from '../main-thread.ts';

/** Descriptors that others are about to close; beyond these they are closed here. */
const MOST_CLOSING = 32;

export class PendingCopies implements Copier {
  readonly #main: MainThread;
  readonly #waiting = new Map<number, (error: Errno) => void>();
  #last = 0;
  #closing = 0;

  constructor(main: MainThread) {
    this.#main = main;
  }

  resume(ticket: Ticket): void {
    this.#main.resume(ticket);
  }

  start(job: CopyJob, done: (error: Errno) => void): void {
    const copy = ++this.#last;
    this.#waiting.set(copy, done);
    this.#main.tell({ event: 'copy', copy, job });
  }

  close(fd: number): void {
    if (this.#closing >= MOST_CLOSING) {
      close(fd);
      return;
    }
    const copy = ++this.#last;
    this.#closing += 1;
    this.#waiting.set(copy, () => {
      this.#closing -= 1;
    });
    this.#main.tell({ event: 'close', copy, fd });
  }

  /** It is made, or not; or closed. */
  copied({ copy, error }: { readonly copy: number; readonly error: Errno }): void {
    const done = this.#waiting.get(copy);
    this.#waiting.delete(copy);
    done?.(error);
  }
}
