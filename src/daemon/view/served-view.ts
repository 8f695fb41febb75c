/** The view while it is served, as the daemon's main thread knows it. */
import type { Holder } from '../../sandbox/holder.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { Notifiers } from './invalidate.ts';

export interface ServedView {
  /** The process that keeps its mounts. */
  readonly holder: Holder;
  /** The thread that answers the kernel. */
  readonly worker: FuseWorker;
  /** By which the kernel is told what to forget. */
  readonly notifiers: Notifiers;
}
