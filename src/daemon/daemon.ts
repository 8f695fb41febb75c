/**
 * The daemon of one session: puts the floors below together.
 *
 *     main thread                                   FUSE thread
 *       socket ─▶ control ─▶ Service ──orders──▶      LiveView ─▶ Overlay ◀─ /dev/fuse
 *                              │     ◀─answers──
 *                              └─▶ Holder (the view's namespaces; it dies with this process)
 *
 * The end: the holder is killed; its mounts go with the last process in them; the kernel writes back what it still
 * holds and hangs up; the FUSE thread writes the durable tree and ends, and with it this process. After kill -9 the
 * kernel ends the holder and the connection by itself, and the journal has everything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Holder, type HolderOptions, startHolder } from '../sandbox/holder.ts';
import type { Without } from '../sandbox/protections.ts';
import { type NodeId, toBytePath } from '../sys/bytes.ts';
import { lookAt } from '../sys/files/text-files.ts';
import { log } from '../sys/log.ts';
import { UserError } from '../sys/user-error.ts';
import { Inspector } from './debug/inspector.ts';
import { stopWhenIdle } from './life/idle-stop.ts';
import type { MainSession } from './main-session.ts';
import { openSessionFiles } from './runs/session-files.ts';
import { Service } from './service.ts';
import { beginServing, type MadeView } from './serving.ts';
import { Doors } from './sockets/doors.ts';
import { SourceSearch } from './sources/guest-search.ts';
import { StoreCount } from './store/store-count.ts';
import { BaseMounts } from './view/base-mounts/base-mounts.ts';
import { prepareHolder } from './view/cage-options.ts';

const NO_NODE = 0 as NodeId;
/** How long the kernel may take to hang up before the FUSE thread is told to stop without it. */
const HANG_UP_MS = 5000;
/** How long clients may wait for what the quota counts. */
const LONGEST_COUNT_MS = 500;

export class Daemon {
  /** Settles when everything has ended: undefined, or the defect that ended it. */
  readonly ended: Promise<Error | undefined>;
  readonly #session: MainSession;
  readonly #doors: Doors;
  readonly #without: Without;
  #service: Service | undefined;
  #holder: Holder | undefined;
  /** What goes on beside requests. */
  #background: readonly { stop(): void }[] = [];
  #stopping = false;

  /** `without` takes protections away. */
  constructor(session: MainSession, without: Without) {
    this.#without = without;
    this.#doors = new Doors(session.layout);
    this.#session = session;
    this.ended = session.worker.ended;
  }

  /**
   * Makes the view and listens for clients; resolves to what had to be mended before, a sentence each. Rejects with the
   * UserError that tells why not; all has ended then.
   */
  async start(): Promise<readonly string[]> {
    const { layout, config, worker, sources, places, outside, requests } = this.#session;
    try {
      const options = prepareHolder(layout, config.current, { places, without: this.#without });
      // One that ends by itself takes its socket along.
      const wasKilled = lookAt(layout.socket) !== undefined;
      await this.#doors.openToGuests({ service: () => this.#ready(), search: new SourceSearch(sources, worker) });
      outside.clean();
      const loaded = await worker.loaded;
      await sources.recover(layout);
      await worker.order('askSettings', config.current.ask);
      const files = openSessionFiles(layout);
      requests.catchUp(files.journal);
      const count = new StoreCount(worker, files.store);
      this.#session.count = count;
      const counted = count.setLimit(config.current.session.quota);
      const view = await this.#makeView(options);
      // Of a large store the rest is counted while the view is served.
      await Promise.race([counted, sleep(LONGEST_COUNT_MS)]);
      const inspector = new Inspector(worker);
      const service = this.#serve({ ...view, loaded, files, count, wasKilled });
      await this.#doors.openToClients((tell) => inspector.admit(outside.admit(service, tell)));
      await this.#doors.openToLaunchers();
      sources.beginSoon();
      return loaded.notes;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends the view and everything in it, and empties its /tmp if a person asked for it; resolves when all is written. */
  async stop(isAsked = false): Promise<void> {
    if (this.#stopping) {
      await this.ended;
      return;
    }
    this.#stopping = true;
    const { config, sources, outside, places } = this.#session;
    const { current } = config;
    config.stop();
    sources.stop();
    for (const each of this.#background) each.stop();
    this.#doors.close();
    outside.stop();
    const holder = this.#holder;
    if (holder === undefined) this.#stopWorker();
    else {
      holder.stop();
      setTimeout(() => this.#stopWorker(), HANG_UP_MS).unref();
    }
    await this.ended;
    places.sweep(current, isAsked);
  }

  /** A second mount covers the project where no rule stands against it. */
  async #makeView({ fast, ...options }: HolderOptions): Promise<Pick<MadeView, 'holder' | 'fastRoot'>> {
    const { worker, layout } = this.#session;
    const path = toBytePath(layout.project);
    const { node: root } = fast === undefined ? { node: NO_NODE } : await worker.order('hold', { path });
    const places = { ...options, fast: root === NO_NODE ? undefined : fast };
    const holder = await startHolder(places, async ({ first, second }) => {
      await worker.order('serve', { fd: first, fast: second === undefined ? undefined : { fd: second, root } });
    });
    this.#holder = holder;
    void holder.gone.then(() => this.#onHolderGone());
    return { holder, fastRoot: root };
  }

  #serve(made: MadeView): Service {
    const { layout, config, sources } = this.#session;
    const serving = beginServing(this.#session, made);
    const service = new Service(serving, (isAsked) => this.stop(isAsked));
    this.#service = service;
    const baseMounts = new BaseMounts(serving, service, [toBytePath(layout.project), ...sources.places.values()]);
    this.#background = [serving.care, baseMounts];
    sources.meanwhile = (awaited) => service.turns.pause(awaited);
    stopWhenIdle({
      minutes: () => config.current.daemon.idleMinutes,
      holder: made.holder.pid,
      isBusy: () => service.isBusy,
      stop: () => void this.stop(),
    });
    return service;
  }

  #ready(): Service {
    if (this.#service === undefined) throw new UserError('the session is not ready yet', undefined, { code: 'busy' });
    return this.#service;
  }

  #onHolderGone(): void {
    if (!this.#stopping) log('the process that holds the view has ended, and so does the daemon');
    void this.stop();
  }

  #stopWorker(): void {
    this.#session.worker.order('stop', null).catch((error: Error) => log(error.message));
  }
}
