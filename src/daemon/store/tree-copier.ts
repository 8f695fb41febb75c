/** Has trees copied for travels (history/timeline/copy-trees.ts) whenever much has been recorded, by a thread of its own. */
import type { Worker } from 'node:worker_threads';
import type { Layout } from '../../history/layout.ts';
import type { Journal } from '../../history/log/journal.ts';
import { SHARE, STEP } from '../../history/timeline/copy-trees.ts';
import { lookAt } from '../../sys/files/text-files.ts';
import { log } from '../../sys/log.ts';
import { TREE_THREAD } from '../entries.ts';
import { startThread } from '../life/own-thread.ts';

const EVERY_MS = 5000;

export class TreeCopier {
  readonly #layout: Layout;
  readonly #journal: Journal;
  readonly #timer: NodeJS.Timeout;
  #thread: Worker | undefined;
  /** Where the journal ended when it was looked through last. */
  #seen = 0;

  constructor(layout: Layout, journal: Journal) {
    this.#layout = layout;
    this.#journal = journal;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    void this.#thread?.terminate();
  }

  #look(): void {
    const { size } = this.#journal;
    if (this.#thread !== undefined || size - this.#seen < this.#enough()) return;
    this.#seen = size;
    const thread = startThread(TREE_THREAD, { workerData: this.#layout });
    if (thread === undefined) {
      clearInterval(this.#timer);
      return;
    }
    this.#thread = thread;
    thread.unref();
    thread.once('error', (error) => {
      log(`no trees are copied for travels any more: ${error.message}`);
      clearInterval(this.#timer);
    });
    thread.once('exit', () => {
      this.#thread = undefined;
    });
  }

  /** How much more of it makes a copy worth its room. */
  #enough(): number {
    return Math.max(STEP, SHARE * (lookAt(this.#layout.tree)?.size ?? 0));
  }
}
