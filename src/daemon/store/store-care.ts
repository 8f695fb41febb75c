/** All that the main thread sees to of what a session keeps, beside requests and when they ask for it. */
import { MergeBases } from '../../history/commit/conflict/merge-bases.ts';
import type { Wishes } from '../../history/commit/conflict/resolve.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { Answer } from '../orders/orders.ts';
import type { Progress } from '../protocol.ts';
import type { SessionFiles } from '../runs/session-files.ts';
import { Collector } from './collector.ts';
import { ContentFreer } from './committed/content-freer.ts';
import { Keeper } from './committed/keeper.ts';
import { MergeBaseKeeper } from './merge-base-keeper.ts';
import type { StoreCount } from './store-count.ts';
import { TreeCopier } from './tree-copier.ts';

export interface StoreCareOptions {
  readonly worker: FuseWorker;
  readonly files: SessionFiles;
  readonly count: StoreCount;
  /** The daemon before this one was: it may have left contents over that nothing names. */
  readonly wasKilled: boolean;
}

export class StoreCare {
  readonly count: StoreCount;
  readonly mergeBases: MergeBaseKeeper;
  readonly keeper: Keeper;
  readonly freer: ContentFreer;
  readonly collector: Collector;
  readonly #trees: TreeCopier;
  readonly #worker: FuseWorker;

  constructor({ worker, files, count, wasKilled }: StoreCareOptions) {
    const { layout, journal, store } = files;
    this.#worker = worker;
    this.count = count;
    const isFree = (): boolean => worker.unanswered.length === 0;
    this.mergeBases = new MergeBaseKeeper(files, new MergeBases(layout.mergeBases), isFree);
    this.keeper = new Keeper(layout, store);
    this.keeper.start();
    this.freer = new ContentFreer(layout, isFree);
    this.freer.start();
    this.collector = new Collector(worker, files, count);
    if (wasKilled) this.collector.sweepLater();
    this.#trees = new TreeCopier(layout, journal);
  }

  /** The order `undo`; where it can be, before all that the commit gave to the base is copied. Rejects as the order does. */
  undo(wishes: Wishes, onProgress: (progress: Progress) => void): Promise<Answer<'undo'>> {
    const worker = this.#worker;
    return this.keeper.beside(
      () => worker.order('undoAtOnce', wishes, onProgress),
      () => worker.order('undo', wishes, onProgress),
    );
  }

  /** Sees to what an undo has left: whoever is told of it may change the real files at once. */
  undone(): void {
    this.mergeBases.look();
    this.freer.start();
  }

  stop(): void {
    this.mergeBases.stop();
    this.keeper.stop();
    this.freer.stop();
    this.#trees.stop();
  }
}
