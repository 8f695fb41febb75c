/**
 * What the view has besides the staged tree: host paths that are passed through, directories that the session has of its own. What the
 * configuration says counts from the daemon's start; what agents keep is mounted into the view that runs, too.
 */
import type { Layout } from '../../history/layout.ts';
import { noteDirect } from '../../history/registry/direct-record.ts';
import type { Config } from '../../rules/config/config.ts';
import type { Rule } from '../../rules/rules.ts';
import type { Holder, PlacesInView } from '../../sandbox/holder.ts';
import { isWithin, toBytePath } from '../../sys/bytes.ts';
import { removeOddEntries } from '../../sys/files/odd-entries.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import { HostTmp } from '../tmp/host-tmp.ts';
import { clearPrivateTmp } from '../tmp/private-tmp.ts';
import { allowedSockets } from './cage-options.ts';
import { checkDirect } from './direct-paths.ts';
import type { Echo } from './echo.ts';
import { prepareOwn } from './own-directories.ts';

interface RunningView {
  readonly holder: Holder;
  readonly echo: Echo;
  readonly hasSecondMount: boolean;
}

export class ViewPlaces {
  readonly #layout: Layout;
  readonly #covered = new Set<string>();
  #hostTmp: HostTmp | undefined;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Takes links, fifos and devices away that were made where agents write for real: whoever writes there outside would follow them. */
  sweep({ agents }: Config, emptiesTmp = false): void {
    this.#hostTmp?.stop();
    for (const path of removeOddEntries(agents.direct)) log(`removed ${path}: not a file`);
    if (emptiesTmp) clearPrivateTmp(this.#layout);
  }

  /** What a new view is made with. Throws a UserError. */
  prepare(config: Config): PlacesInView {
    const { session, agents, cage } = config;
    // The last one may have been killed.
    this.sweep(config);
    const paths = checkDirect([...session.direct, ...agents.direct], this.#layout);
    noteDirect(paths);
    const direct = [...new Set([...paths, ...checkDirect(allowedSockets(cage), this.#layout, 'sockets')])];
    const own = prepareOwn(agents.own, this.#layout);
    this.#remember({ direct, own });
    return { direct, own };
  }

  /** Mounts what agents keep by now and the view has not. Rejects with a UserError where that takes a new view. */
  async adopt({ agents }: Config, { holder, echo, hasSecondMount }: RunningView): Promise<void> {
    // A name that the kernel is told to forget loses what was mounted on it, or below.
    await this.catchUpWith(echo);
    const direct = checkDirect(agents.direct, this.#layout).filter((path) => !this.#covered.has(path));
    const own = prepareOwn(agents.own, this.#layout).filter(({ at }) => !this.#covered.has(at));
    const places = [...direct, ...own.map(({ at }) => at)];
    if (places.length === 0) return;
    // To take the second mount away would take away what is mounted on it, too.
    const inProject = places.find((path) => isWithin(toBytePath(path), toBytePath(this.#layout.project)));
    if (hasSecondMount && inProject !== undefined) throw new UserError(`${inProject} is in the project`);
    noteDirect(direct);
    holder.mount({ direct, own });
    this.#remember({ direct, own });
  }

  /** From now on the view's /tmp (`tmp`: where the host finds it) has what a person's rules name of the host's. */
  show(tmp: string | undefined, rules: readonly Rule[]): void {
    this.#hostTmp = new HostTmp(tmp, rules);
  }

  /** Other rules count from now on. */
  handle(rules: readonly Rule[]): void {
    this.#hostTmp?.handle(rules);
  }

  /** Resolves when the view has what has happened on the host by now. */
  catchUpWith(echo: Echo): Promise<void> {
    this.#hostTmp?.look();
    return echo.idle();
  }

  #remember({ direct, own }: PlacesInView): void {
    for (const path of [...direct, ...own.map(({ at }) => at)]) this.#covered.add(path);
  }
}
