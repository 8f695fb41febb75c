/** gc in the daemon: the FUSE thread says where it starts and writes the record, this thread looks and removes. */
import { commitsIn } from '../../history/commit/runner/places.ts';
import { collect, type Freed, type GcSession, sweep } from '../../history/gc/collect.ts';
import { KEEP_ALL, type Policy } from '../../history/gc/policy.ts';
import { COMMITS_KEPT } from '../../history/log/session-state.ts';
import { log } from '../../sys/log.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import { Turns } from '../life/turns.ts';
import type { SessionFiles } from '../runs/session-files.ts';
import type { StoreCount } from './store-count.ts';

export class Collector {
  readonly #worker: FuseWorker;
  readonly #files: SessionFiles;
  readonly #count: StoreCount;
  /** One at a time: two would do the same work. */
  readonly #turns = new Turns();

  constructor(worker: FuseWorker, files: SessionFiles, count: StoreCount) {
    this.#worker = worker;
    this.#files = files;
    this.#count = count;
  }

  /** Removes what is no longer kept by itself, when it is its turn among `turns`; nobody waits for that. */
  collectLater(turns: Turns, after: string): void {
    turns.take(() => this.collect(KEEP_ALL, false)).catch((error: Error) => log(`gc after ${after}: ${error.message}`));
  }

  /** Whether there are backups of more commits than are kept. */
  get hasOldCommits(): boolean {
    return commitsIn(this.#files.layout.commits).length > COMMITS_KEPT;
  }

  /** The caller sees to it that no generation is gone to meanwhile. Rejects as `collect`. */
  collect(policy: Policy, dryRun: boolean): Promise<Freed> {
    const work = async (): Promise<Freed> => collect(await this.#begin(), policy, dryRun);
    return this.#turns.take(work).finally(() => this.#count.recount());
  }

  /** Removes, some time, what nothing needs any more. What it cannot remove, the next one finds. */
  sweepLater(): void {
    const work = async (): Promise<void> => sweep(await this.#begin());
    this.#turns
      .take(work)
      .catch((error: Error) => log(`sweep: ${error.message}`))
      .finally(() => this.#count.recount());
  }

  async #begin(): Promise<GcSession> {
    const worker = this.#worker;
    const { journal, store, layout } = this.#files;
    return {
      ...{ journal, store, commits: layout.commits },
      basis: await worker.order('basis', null),
      going: {
        begin: async (prints) => void (await worker.order('namesGoing', prints)),
        done: async (touched) => void (await worker.order('namesGone', touched)),
      },
      drop: async (record) => void (await worker.order('drop', record)),
      remove: (object) => store.remove(object),
    };
  }
}
