/** Large copies of the FUSE thread's, each made by a thread of its own: the disk may keep it waiting for seconds. */

import { carryOut } from '../../staging/copy-up/copy-job.ts';
import type { CopyJob } from '../../staging/copy-up/copy-ups.ts';
import { EIO, type Errno } from '../../sys/errno.ts';
import { log } from '../../sys/log.ts';
import { COPY_THREAD } from '../entries.ts';
import { startThread } from '../life/own-thread.ts';

export class LargeCopies {
  readonly #pending = new Set<Promise<Errno>>();

  /** Resolves to what came of it. The descriptors are closed then. */
  make(job: CopyJob): Promise<Errno> {
    const made = run(job).catch((error: Error) => {
      log(`a copy failed: ${error.message}`);
      return EIO;
    });
    this.#pending.add(made);
    void made.then(() => this.#pending.delete(made));
    return made;
  }

  /** Resolves when those that have begun by now are made, and told. */
  async done(): Promise<void> {
    if (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}

function run(job: CopyJob): Promise<Errno> {
  return new Promise((resolve, reject) => {
    const thread = startThread(COPY_THREAD, { workerData: job });
    if (thread === undefined) return resolve(carryOut(job));
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}
