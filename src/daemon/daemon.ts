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
import type { Layout } from '../history/layout.ts';
import { setRuleOfPath } from '../rules/config/change-rule.ts';
import type { Config } from '../rules/config/config.ts';
import type { State } from '../rules/states.ts';
import { type Holder, type HolderOptions, startHolder } from '../sandbox/holder.ts';
import { ALL_PROTECTED, type Without } from '../sandbox/protections.ts';
import { loadSources } from '../sources/config.ts';
import { type BytePath, type NodeId, toBytePath } from '../sys/bytes.ts';
import { lookAt } from '../sys/files/text-files.ts';
import { log } from '../sys/log.ts';
import { UserError } from '../sys/user-error.ts';
import { Inspector } from './debug/inspector.ts';
import { FuseWorker } from './fuse-worker.ts';
import { stopWhenIdle } from './life/idle-stop.ts';
import { LiveConfig } from './life/live-config.ts';
import { contentFiles, ownerOfView } from './life/own-rights.ts';
import type { Loaded } from './orders/answers.ts';
import type { ActiveRun } from './orders/orders.ts';
import { HostMount } from './outside/host-mount.ts';
import { Position } from './position.ts';
import { RuleKeeper } from './questions/rule-keeper.ts';
import { Watchers } from './questions/watchers.ts';
import { CommitRequests } from './requests/requests.ts';
import { Runs } from './runs/runs.ts';
import { openSessionFiles, type SessionFiles } from './runs/session-files.ts';
import { Service } from './service.ts';
import { Doors } from './sockets/doors.ts';
import { SourceSearch } from './sources/guest-search.ts';
import { Sources } from './sources/sources.ts';
import { StoreCare } from './store/store-care.ts';
import { StoreCount } from './store/store-count.ts';
import { BaseMounts } from './view/base-mounts/base-mounts.ts';
import { prepareHolder } from './view/cage-options.ts';
import { Echo } from './view/echo.ts';
import { invalidate, openNotifiers, type Packed } from './view/invalidate.ts';
import { ViewPlaces } from './view/places.ts';
import { writeBack } from './view/write-back.ts';

const NO_NODE = 0 as NodeId;
/** How long the kernel may take to hang up before the FUSE thread is told to stop without it. */
const HANG_UP_MS = 5000;
/** How long clients may wait for what the quota counts. */
const LONGEST_COUNT_MS = 500;

/** What the service is made of, once it is there. */
interface Ready {
  readonly holder: Holder;
  readonly loaded: Loaded;
  readonly files: SessionFiles;
  readonly count: StoreCount;
  /** The daemon before this one was: it may have left contents over that nothing names. */
  readonly wasKilled: boolean;
}

export class Daemon {
  /** Settles when everything has ended: undefined, or the defect that ended it. */
  readonly ended: Promise<Error | undefined>;
  readonly #layout: Layout;
  readonly #config: LiveConfig;
  #count: StoreCount | undefined;
  readonly #sources: Sources;
  readonly #worker: FuseWorker;
  readonly #watchers: Watchers;
  readonly #requests: CommitRequests;
  #service: Service | undefined;
  #echo: Echo | undefined;
  #rules: RuleKeeper | undefined;
  #holder: Holder | undefined;
  /** Of the second mount. */
  #fastRoot = NO_NODE;
  readonly #doors: Doors;
  readonly #outside: HostMount;
  /** What goes on beside requests. */
  #background: readonly { stop(): void }[] = [];
  readonly #places: ViewPlaces;
  readonly #without: Without;
  #stopping = false;

  /** Starts to load the session, whose lock the caller holds; `without` takes protections away. */
  constructor(layout: Layout, config: Config, without: Without = ALL_PROTECTED) {
    this.#without = without;
    this.#layout = layout;
    this.#places = new ViewPlaces(layout);
    this.#doors = new Doors(layout);
    this.#config = new LiveConfig(layout, config, (changed) => this.#configure(changed));
    const durable = config.session.durability === 'full';
    this.#sources = new Sources(layout, loadSources());
    this.#worker = new FuseWorker(
      {
        layout,
        owner: ownerOfView(),
        durable,
        maxFiles: contentFiles(),
        rules: config.rules,
        sources: this.#sources.where,
      },
      {
        changed: (invalidations) => this.#echo?.forgetter.forget(invalidations),
        asking: (message) => this.#watchers.hear(message),
        wanted: (message) => this.#sources.hear(message, this.#worker),
        detached: () => this.#outside.ended(),
      },
    );
    this.#outside = new HostMount(layout, this.#worker);
    this.#watchers = new Watchers({
      worker: this.#worker,
      seconds: () => this.#config.current.ask.timeout / 1000,
      remember: (path, state) => this.#remember(path, state),
      requests: () => this.#requests.pending,
    });
    this.#requests = new CommitRequests(layout.requests, (line) => this.#watchers.announce(line));
    this.ended = this.#worker.ended;
  }

  /**
   * Makes the view and listens for clients; resolves to what had to be mended before, a sentence each. Rejects with the
   * UserError that tells why not; all has ended then.
   */
  async start(): Promise<readonly string[]> {
    try {
      const options = prepareHolder(this.#layout, this.#config.current, {
        places: this.#places,
        without: this.#without,
      });
      // One that ends by itself takes its socket along.
      const wasKilled = lookAt(this.#layout.socket) !== undefined;
      const search = new SourceSearch(this.#sources, this.#worker);
      await this.#doors.openToGuests({ service: () => this.#ready(), search });
      this.#outside.clean();
      const loaded = await this.#worker.loaded;
      await this.#sources.recover(this.#layout);
      await this.#worker.order('askSettings', this.#config.current.ask);
      const files = openSessionFiles(this.#layout);
      this.#requests.catchUp(files.journal);
      const count = new StoreCount(this.#worker, files.store);
      this.#count = count;
      const counted = count.setLimit(this.#config.current.session.quota);
      const holder = await this.#makeView(options);
      this.#holder = holder;
      void holder.gone.then(() => this.#onHolderGone());
      // Of a large store the rest is counted while the view is served.
      await Promise.race([counted, sleep(LONGEST_COUNT_MS)]);
      const inspector = new Inspector(this.#worker);
      const service = this.#makeService({ holder, loaded, files, count, wasKilled });
      await this.#doors.openToClients((tell) => inspector.admit(this.#outside.admit(service, tell)));
      await this.#doors.openToLaunchers();
      this.#sources.beginSoon();
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
    const config = this.#config.current;
    this.#config.stop();
    this.#sources.stop();
    for (const each of this.#background) each.stop();
    this.#doors.close();
    this.#outside.stop();
    const holder = this.#holder;
    if (holder === undefined) this.#stopWorker();
    else {
      holder.stop();
      setTimeout(() => this.#stopWorker(), HANG_UP_MS).unref();
    }
    await this.ended;
    this.#places.sweep(config, isAsked);
  }

  /** A second mount covers the project where no rule stands against it. */
  async #makeView({ fast, ...options }: HolderOptions): Promise<Holder> {
    const worker = this.#worker;
    const path = toBytePath(this.#layout.project);
    const { node: root } = fast === undefined ? { node: NO_NODE } : await worker.order('hold', { path });
    this.#fastRoot = root;
    return startHolder({ ...options, fast: root === NO_NODE ? undefined : fast }, async ({ first, second }) => {
      await worker.order('serve', { fd: first, fast: second === undefined ? undefined : { fd: second, root } });
    });
  }

  #makeService({ holder, loaded, files, count, wasKilled }: Ready): Service {
    const worker = this.#worker;
    const notifiers = openNotifiers(holder, this.#fastRoot);
    const echo = new Echo({ worker, holder, notifiers });
    this.#echo = echo;
    const forget = (packed: readonly Packed[]): Promise<void> => invalidate(notifiers, packed);
    this.#rules = RuleKeeper.begin({ worker, writeBack: () => writeBack(holder), forget }, this.#config);
    this.#places.show(holder.tmp, this.#config.current.rules);
    const tellRuns = (active: readonly ActiveRun[]): void => {
      worker.order('runs', { active, holder: holder.pid }).catch((error: Error) => log(error.message));
    };
    const care = new StoreCare({ worker, files, count, wasKilled });
    const catchUp = (): Promise<void> => this.#places.catchUpWith(echo);
    const live = { config: this.#config, worker, holder, notifiers, catchUp };
    const service = new Service({
      ...live,
      ...{ echo, files, care },
      outside: this.#outside,
      rules: this.#rules,
      watchers: this.#watchers,
      requests: this.#requests,
      sources: this.#sources,
      runs: new Runs(loaded.lastRun, tellRuns),
      position: new Position(loaded),
      adopt: () =>
        this.#places.adopt(this.#config.current, { holder, echo, hasSecondMount: this.#fastRoot !== NO_NODE }),
      stop: (isAsked) => this.stop(isAsked),
    });
    this.#service = service;
    const kept = [toBytePath(this.#layout.project), ...this.#sources.places.values()];
    const baseMounts = new BaseMounts({ ...live, service, kept });
    this.#background = [care, baseMounts];
    this.#sources.meanwhile = (awaited) => service.turns.pause(awaited);
    const minutes = (): number => this.#config.current.daemon.idleMinutes;
    stopWhenIdle({ minutes, holder: holder.pid, isBusy: () => service.isBusy, stop: () => void this.stop() });
    return service;
  }

  /** Somebody has edited the configuration. */
  #configure({ session, rules, ask }: Config): void {
    this.#worker.order('askSettings', ask).catch((error: Error) => log(error.message));
    this.#rules?.apply(rules);
    this.#places.handle(rules);
    this.#count?.setLimit(session.quota).catch((error: Error) => log(`quota: ${error.message}`));
  }

  /** Makes an answer a rule, in the file where it counts; where none can be written, until the end of this process. */
  async #remember(path: BytePath, state: State): Promise<void> {
    try {
      setRuleOfPath(this.#layout, path, state);
      // It is looked at now: what follows is in its turn.
      this.#rules?.apply(this.#config.current.rules);
      await this.#rules?.idle();
    } catch (error) {
      await this.#rules?.remember(path, state);
      throw error;
    }
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
    this.#worker.order('stop', null).catch((error: Error) => log(error.message));
  }
}
