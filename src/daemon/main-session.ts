/** What a session has on the daemon's main thread from its start to its end, whether its view is there yet or not. */
import type { Layout } from '../history/layout.ts';
import { setRuleOfPath } from '../rules/config/change-rule.ts';
import type { Config } from '../rules/config/config.ts';
import type { State } from '../rules/states.ts';
import { loadSources } from '../sources/config.ts';
import type { BytePath } from '../sys/bytes.ts';
import { log } from '../sys/log.ts';
import { type FuseThread, FuseWorker } from './fuse-worker.ts';
import { LiveConfig } from './life/live-config.ts';
import { contentFiles, ownerOfView } from './life/own-rights.ts';
import { HostMount } from './outside/host-mount.ts';
import type { RuleKeeper } from './questions/rule-keeper.ts';
import { Watchers } from './questions/watchers.ts';
import { CommitRequests } from './requests/requests.ts';
import { Sources } from './sources/sources.ts';
import type { StoreCount } from './store/store-count.ts';
import type { Echo } from './view/echo.ts';
import { ViewPlaces } from './view/places.ts';

export class MainSession {
  readonly layout: Layout;
  readonly config: LiveConfig;
  /** The thread that answers the kernel. */
  readonly worker: FuseWorker;
  readonly sources: Sources;
  readonly watchers: Watchers;
  readonly requests: CommitRequests;
  readonly places: ViewPlaces;
  readonly outside: HostMount;
  /** Once the store is open. */
  count: StoreCount | undefined;
  /** While the view is served. */
  served: { readonly echo: Echo; readonly rules: RuleKeeper } | undefined;

  /** Starts to load the session, whose lock the caller holds, in the FUSE thread that it has started. */
  constructor(layout: Layout, config: Config, thread: FuseThread) {
    this.layout = layout;
    this.places = new ViewPlaces(layout);
    this.config = new LiveConfig(layout, config, (changed) => this.#configure(changed));
    this.sources = new Sources(layout, loadSources());
    this.worker = new FuseWorker(
      {
        layout,
        owner: ownerOfView(),
        durable: config.session.durability === 'full',
        maxFiles: contentFiles(),
        rules: config.rules,
        sources: this.sources.where,
      },
      {
        changed: (invalidations) => this.served?.echo.forgetter.forget(invalidations),
        asking: (message) => this.watchers.hear(message),
        wanted: (message) => this.sources.hear(message, this.worker),
        detached: () => this.outside.ended(),
      },
      thread,
    );
    this.outside = new HostMount(layout, this.worker);
    this.watchers = new Watchers({
      worker: this.worker,
      seconds: () => this.config.current.ask.timeout / 1000,
      remember: (path, state) => this.#remember(path, state),
      requests: () => this.requests.pending,
    });
    this.requests = new CommitRequests(layout.requests, (line) => this.watchers.announce(line));
  }

  /** Somebody has edited the configuration. */
  #configure({ session, rules, ask }: Config): void {
    this.worker.order('askSettings', ask).catch((error: Error) => log(error.message));
    this.served?.rules.apply(rules);
    this.places.handle(rules);
    this.count?.setLimit(session.quota).catch((error: Error) => log(`quota: ${error.message}`));
  }

  /** Makes an answer a rule, in the file where it counts; where none can be written, until the end of this process. */
  async #remember(path: BytePath, state: State): Promise<void> {
    const rules = this.served?.rules;
    try {
      setRuleOfPath(this.layout, path, state);
      // It is looked at now: what follows is in its turn.
      rules?.apply(this.config.current.rules);
      await rules?.idle();
    } catch (error) {
      await rules?.remember(path, state);
      throw error;
    }
  }
}
