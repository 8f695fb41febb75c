/**
 * The view while it is served: history, staging and base put together. Lives in the FUSE thread, which calls it
 * between two requests; every method leaves the view at rest.
 */
import { MergeBases } from '../history/commit/conflict/merge-bases.ts';
import { NamesGone } from '../history/commit/conflict/names-gone.ts';
import { finaliseLeft } from '../history/commit/conflict/names-taken.ts';
import { OwnChanges } from '../history/commit/conflict/own-changes.ts';
import type { Layout } from '../history/layout.ts';
import { Markers } from '../history/timeline/markers.ts';
import { parseGeneration } from '../history/timeline/ranges.ts';
import { SessionHistory } from '../history/timeline/session-history.ts';
import type { Rule } from '../rules/rules.ts';
import { HostTree } from '../staging/host-tree.ts';
import { ObjectStore } from '../staging/object-store.ts';
import { Overlay } from '../staging/overlay.ts';
import type { OverrideTree } from '../staging/override-tree.ts';
import type { Owner } from '../staging/owner.ts';
import { Quota } from '../staging/store/quota.ts';
import { BaseWatch } from '../staging/watch/base-watch.ts';
import { type BytePath, type Gen, label, toBytePath } from '../sys/bytes.ts';
import { OK, SystemError } from '../sys/errno.ts';
import { log } from '../sys/log.ts';
import type { LiveSession } from './orders/live-session.ts';
import type { Orders, SnapshotOrder } from './orders/orders.ts';
import { SessionOrders } from './orders/session-orders.ts';
import { Gatekeeper } from './questions/gatekeeper.ts';
import { Attributions } from './runs/attribution.ts';
import { type AskSources, SourceCommits } from './sources/commit-sources.ts';
import { NO_SOURCES, type SourcePlaces } from './sources/messages.ts';
import { Models } from './sources/models.ts';
import { IdleWork } from './store/idle-work.ts';
import { Upkeep } from './store/upkeep.ts';
import { HostEvents } from './view/host-events.ts';

export interface LiveViewOptions {
  readonly layout: Layout;
  readonly owner: Owner;
  /** Whether fsync(2) in the view reaches the disk. */
  readonly durable: boolean;
  readonly maxFiles: number;
  readonly rules: readonly Rule[];
  /** Without it there are none. */
  readonly sources?: SourcePlaces;
}

/** Kernel interfaces: the view mounts its own over them. */
const KERNEL_DIRECTORIES = ['/proc', '/sys', '/dev'] as BytePath[];

export class LiveView {
  readonly overlay: Overlay;
  readonly watch: BaseWatch;
  readonly host: HostEvents;
  readonly attributions = new Attributions();
  readonly upkeep: Upkeep;
  readonly gatekeeper: Gatekeeper;
  readonly models: Models;
  readonly tree: OverrideTree;
  readonly orders: SessionOrders;
  readonly #history: SessionHistory;
  readonly #session: LiveSession;
  readonly #idleWork: IdleWork;

  /** Loads the session, or begins one. Throws as `SessionHistory.open`. */
  constructor(options: LiveViewOptions, ask: AskSources = () => Promise.reject(new Error('there are no sources'))) {
    const { layout, owner, maxFiles, sources: asked = NO_SOURCES } = options;
    const sources = new SourceCommits({ layout, places: asked.places, ask });
    const own = toBytePath(layout.dir);
    const { history, tree } = SessionHistory.open(layout, {
      whoIs: (pid) => this.attributions.of(pid),
      commandOf: (run) => this.attributions.commandOf(run),
      onNote: log,
    });
    this.#history = history;
    this.tree = tree;
    const markers = new Markers(history.journal);
    const store = new ObjectStore(layout.files);
    const quota = new Quota(store, () => history.journal.size - this.upkeep.epochStart);
    const ownChanges = new OwnChanges(layout.ownChanges);
    this.watch = new BaseWatch([...KERNEL_DIRECTORIES, own]);
    const hooks = {
      watch: (dir: BytePath): boolean => this.watch.add(dir),
      catchUp: (): void => this.overlay.content.returns.add(this.host.drainWatch()),
    };
    const base = new HostTree({ hidden: [own], empty: KERNEL_DIRECTORIES, ...hooks });
    const overlay = new Overlay({ tree, base, store, owner, maxFiles, quota, recorder: history, numbers: history });
    this.overlay = overlay;
    this.host = new HostEvents(overlay, base, this.watch);
    const runOf = (pid: number): number => this.attributions.of(pid).run;
    this.models = new Models(overlay, asked.models);
    this.gatekeeper = new Gatekeeper({ ...options, overlay, base, inner: this.models.fs, history, runOf });
    const names = new NamesGone({ tree, base, ownChanges, history });
    this.upkeep = new Upkeep({ history, overlay, quota, names, markers });
    finaliseLeft(ownChanges, base, { store, layout, applied: history.applied });
    const mergeBases = new MergeBases(layout.mergeBases);
    const project = toBytePath(layout.project);
    const kept = { layout, project, store, history, markers, ownChanges, mergeBases, sources };
    this.#session = { ...kept, tree, base, overlay };
    this.orders = new SessionOrders(this.#session);
    this.#idleWork = new IdleWork(this.#session, () => !this.attributions.isAnyActive);
    this.host.onRemounted = (point) => this.gatekeeper.lentDirectories.remounted(point);
    if (!options.durable) overlay.fsync = () => OK;
  }

  get generation(): Gen {
    return this.#history.generation;
  }

  /** The highest number a run has had. */
  get lastRun(): number {
    return this.#history.lastRun;
  }

  /** See `IdleWork.step`. */
  idle(): number {
    return this.#idleWork.step();
  }

  /** Throws a SystemError when the record cannot be written. */
  snapshot(order: SnapshotOrder): Orders['snapshot']['answer'] {
    const { name, ifChanged, run, command } = order;
    this.gatekeeper.flush();
    // After a run nobody is told.
    const earlier = run === 0 ? this.#called(name) : undefined;
    const taken = this.#history.snapshot(name, { ifChanged, run, ...(command === undefined ? {} : { command }) });
    if (typeof taken === 'number') throw new SystemError('cannot write the journal', taken);
    return earlier === undefined || !taken.taken ? taken : { ...taken, earlier };
  }

  #called(name: string): Gen | undefined {
    const found = name === '' ? undefined : parseGeneration(label(name), this.#session.markers.timeline());
    return typeof found === 'number' ? found : undefined;
  }

  /** What could not be stored, and what the kernel has to forget of it. */
  unstored(ask: Orders['unstored']['ask']): Orders['unstored']['answer'] {
    const { unstored, returns } = this.overlay.content;
    return { ...unstored.losses(ask), invalidations: [...returns.take(), ...unstored.takeForgotten()] };
  }

  flush(): Orders['flush']['answer'] {
    this.gatekeeper.flush();
    this.#history.flush(this.tree);
    return { generation: this.generation, ...(this.watch.isShort ? { unwatched: true } : {}) };
  }

  /** Makes everything durable and closes the files. */
  async close(): Promise<void> {
    this.#history.flush(this.tree);
    this.#history.sync();
    await this.#history.close();
    this.overlay.close();
    this.#session.store.close();
    this.watch.close();
    this.host.mounts.close();
    this.#session.base.close();
  }
}
