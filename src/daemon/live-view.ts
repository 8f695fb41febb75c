/**
 * The view while it is served: history, staging and base put together. Lives in the FUSE thread, which calls it
 * between two requests; every method leaves the view at rest.
 */
import { finaliseLeft } from '../history/commit/conflict/names-taken.ts';
import { parseGeneration } from '../history/timeline/ranges.ts';
import type { Rule } from '../rules/rules.ts';
import { HostTree } from '../staging/host-tree.ts';
import { BaseWatch } from '../staging/watch/base-watch.ts';
import { type BytePath, type Gen, label, toBytePath } from '../sys/bytes.ts';
import { OK, SystemError } from '../sys/errno.ts';
import { log } from '../sys/log.ts';
import { type LiveSession, type LiveSessionOptions, openLiveSession } from './orders/live-session.ts';
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

export interface LiveViewOptions extends Pick<LiveSessionOptions, 'layout' | 'owner' | 'maxFiles'> {
  /** Whether fsync(2) in the view reaches the disk. */
  readonly durable: boolean;
  readonly rules: readonly Rule[];
  /** Without it there are none. */
  readonly sources?: SourcePlaces;
}

/** Kernel interfaces: the view mounts its own over them. */
const KERNEL_DIRECTORIES = ['/proc', '/sys', '/dev'] as BytePath[];

export class LiveView {
  readonly overlay: LiveSession['overlay'];
  readonly watch: BaseWatch;
  readonly host: HostEvents;
  readonly attributions = new Attributions();
  readonly upkeep: Upkeep;
  readonly gatekeeper: Gatekeeper;
  readonly models: Models;
  readonly tree: LiveSession['tree'];
  readonly orders: SessionOrders;
  readonly #session: LiveSession;
  readonly #idleWork: IdleWork;

  /** Loads the session, or begins one. Throws as `SessionHistory.open`. */
  constructor(options: LiveViewOptions, ask: AskSources = () => Promise.reject(new Error('there are no sources'))) {
    const { layout, owner, maxFiles, rules, sources: asked = NO_SOURCES } = options;
    const own = toBytePath(layout.dir);
    this.watch = new BaseWatch([...KERNEL_DIRECTORIES, own]);
    const base = new HostTree({
      hidden: [own],
      empty: KERNEL_DIRECTORIES,
      watch: (dir) => this.watch.add(dir),
      catchUp: () => this.overlay.content.returns.add(this.host.drainWatch()),
    });
    const session = openLiveSession({
      ...{ layout, base, owner, maxFiles },
      sources: new SourceCommits({ layout, places: asked.places, ask }),
      history: {
        whoIs: (pid) => this.attributions.of(pid),
        commandOf: (run) => this.attributions.commandOf(run),
        onNote: log,
      },
      journalBytes: () => this.upkeep.journalBytes,
    });
    const { overlay, tree } = session;
    this.#session = session;
    this.overlay = overlay;
    this.tree = tree;
    this.host = new HostEvents(overlay, base, this.watch);
    this.models = new Models(overlay, asked.models);
    const runOf = (pid: number): number => this.attributions.of(pid).run;
    this.gatekeeper = new Gatekeeper(session, { rules, inner: this.models.fs, runOf });
    this.upkeep = new Upkeep(session);
    finaliseLeft(session);
    this.orders = new SessionOrders(session);
    this.#idleWork = new IdleWork(session, () => !this.attributions.isAnyActive);
    this.host.onRemounted = (point) => this.gatekeeper.lentDirectories.remounted(point);
    if (!options.durable) overlay.fsync = () => OK;
  }

  get generation(): Gen {
    return this.#session.history.generation;
  }

  /** The highest number a run has had. */
  get lastRun(): number {
    return this.#session.history.lastRun;
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
    const taken = this.#session.history.snapshot(name, {
      ifChanged,
      run,
      ...(command === undefined ? {} : { command }),
    });
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
    this.#session.history.flush(this.tree);
    return { generation: this.generation, ...(this.watch.isShort ? { unwatched: true } : {}) };
  }

  /** Makes everything durable and closes the files. */
  async close(): Promise<void> {
    this.#session.history.flush(this.tree);
    this.#session.history.sync();
    await this.#session.history.close();
    this.overlay.close();
    this.#session.store.close();
    this.watch.close();
    this.host.mounts.close();
    this.#session.base.close();
  }
}
