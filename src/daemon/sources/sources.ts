/** The main thread's hold of the sources of a session: where their mirrors lie, and their thread. */
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Layout } from '../../history/layout.ts';
import type { SourceConfig } from '../../sources/config.ts';
import type { SourceState } from '../../sources/keeper.ts';
import { hasTree } from '../../sources/mirror/mirror.ts';
import { isModelled } from '../../sources/open.ts';
import type { Asked, Narrowed, WithUnfilled } from '../../sources/searching/searching.ts';
import type { SourceFault } from '../../sources/source.ts';
import { type BytePath, isWithin, label, toBytePath, toBytes, toText } from '../../sys/bytes.ts';
import { EIO } from '../../sys/errno.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import { SHIMS, SOURCES_THREAD } from '../entries.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import type { BroughtFile } from '../sockets/guest-search.ts';
import { type Reply, SourceCommits } from './commit-sources.ts';
import type { Kept, SourceAnswer, SourceOrderName, SourceOrders, SourcePlaces } from './messages.ts';
import { makeMirrors } from './mirrors.ts';
import type { ModelWish } from './models.ts';
import type { FetchOutcome, FetchWish } from './pending-fetches.ts';
import type { SourceQuestion, Wanted } from './wanted.ts';

/** A session that begins with trees that it has read before is checked with their servers after so long. */
const SETTLING_MS = 100;

/** Within that time the kernel has mostly forgotten a name that nobody uses; what somebody uses is tried again, ever more seldom. */
const FORGETTING_MS = 500;
const LONGEST_WAIT_MS = 60_000;

const RESTART = "one that was added since the daemon began counts after 'yolofs stop'";

/** What is said of a source when nothing is known of it. */
const UNKNOWN = { files: 0, held: undefined, checkedAt: 0, leftOut: [] };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export class Sources {
  readonly where: SourcePlaces;
  readonly #kept: readonly Kept[];
  #thread: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  /** Sources of which contents are about to go. */
  readonly #clearing = new Set<string>();
  #last = 0;
  /** A commit waits for a source, and the view is served: what else is asked for may have its turn until that settles. */
  meanwhile: <T>(awaited: Promise<T>) => Promise<T> = (awaited) => awaited;
  #holds = 0;
  /** Why it does not answer any more. */
  #ended: Error | undefined;
  #isStopping = false;

  /** Makes the places of their mirrors, and begins to ask if there is one that has nothing to show. */
  constructor(layout: Layout, configs: readonly SourceConfig[]) {
    this.#kept = makeMirrors(layout, configs);
    const unread = this.#kept.filter(({ state }) => !hasTree(state)).map(({ config }) => toBytePath(config.at));
    this.where = { places: placesOf(configs), models: placesOf(configs.filter(isModelled)), unread };
    if (unread.length > 0) this.begin();
  }

  /** As `begin`, once the first that use the view have what they need of the processors. */
  beginSoon(): void {
    setTimeout(() => this.begin(), SETTLING_MS).unref();
  }

  /** Begins to ask what has changed, unless that was done; a thread of its own is dear, and the view need not wait for it. */
  begin(): void {
    if (this.#thread !== undefined || this.#kept.length === 0 || this.#isStopping) return;
    this.#thread = new Worker(SOURCES_THREAD, { workerData: this.#kept });
    this.#thread.on('message', (answer: SourceAnswer) => this.#hear(answer));
    this.#thread.on('error', (error) => this.#end(error as Error));
    this.#thread.once('exit', () => this.#end(new Error('the thread of the sources has ended')));
  }

  get places(): ReadonlyMap<string, BytePath> {
    return this.where.places;
  }

  /** What the FUSE thread wants to know, for a request or a commit. */
  hear(message: Wanted, worker: FuseWorker): void {
    if (message.event === 'fetch') void this.#bring(message, worker);
    else if (message.event === 'consult') void this.#consult(message, worker);
    else void this.#answer(message, worker);
  }

  /** How often a commit or an undo has begun or ended: they make what is staged the source's. */
  get holds(): number {
    return this.#holds;
  }

  async #answer({ name, ask, reply }: SourceQuestion, worker: FuseWorker): Promise<void> {
    const say = (said: Reply): void => {
      reply.postMessage(said);
      worker.wake();
    };
    if (this.#isStopping) return say({ ended: true });
    if (name === 'hold' || name === 'release') this.#holds += 1;
    const answered = this.order(name, ask);
    await this.meanwhile(answered).then(
      (answer) => say({ answer }),
      // The thread that was asked may end before the view does.
      (error: Error) => say(this.#isStopping ? { ended: true } : { defect: error.message }),
    );
  }

  /** It is told what came of it, but for what nobody waits for. Never rejects. */
  async #consult({ source: name, asked }: ModelWish, worker: FuseWorker): Promise<void> {
    if (asked === undefined) {
      await this.order('giveUp', { name }).catch(this.failed);
      return;
    }
    const outcome = await this.order('consult', { name, ...asked }).catch(this.failed);
    await worker.order('consulted', { name, outcome }).catch(this.failed);
  }

  /** It is told what came of it. Never rejects. */
  async #bring(wish: FetchWish, worker: FuseWorker): Promise<void> {
    const { path, what } = wish;
    const [name, at] = this.#sourceOf(path);
    const brought = what === 'name' ? this.#show(name, path) : this.#contents(wish, name, at);
    const told = await brought.catch((error: Error) => [{ path, fault: this.failed(error) }]);
    await worker.order('fetched', { path, told }).catch(this.failed);
    if (what === 'content') await this.makeRoom(name, worker);
  }

  /** Has contents go that there is no room for; what the kernel has to forget first goes a moment later. Never rejects. */
  async makeRoom(name: string, worker: FuseWorker): Promise<void> {
    const at = this.#placeOf(name);
    if (this.#clearing.has(name)) return;
    this.#clearing.add(name);
    try {
      for (let wait = FORGETTING_MS; !this.#isStopping; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        const paths = await this.order('excess', { name });
        const [path] = paths;
        if (path === undefined) return;
        const told = paths.map((one) => ({ path: pathIn(at, one), excess: true }) as const);
        await worker.order('fetched', { path: pathIn(at, path), told });
        await pause(wait, undefined, { ref: false });
      }
    } catch (error) {
      this.failed(error as Error);
    } finally {
      this.#clearing.delete(name);
    }
  }

  /** For `enter`, where the person wants programs that know sources. */
  shimmed(names: readonly string[]): { shims?: { dirs: readonly string[]; places: readonly BytePath[] } } {
    const places = this.searchable.map(([, at]) => at).filter((at) => !at.includes(':'));
    return names.length === 0 || places.length === 0
      ? {}
      : { shims: { dirs: names.map((name) => `${SHIMS}/${name}`), places } };
  }

  /** Sources whose files are as they are: of those of a model nobody knows it before it is asked. */
  get searchable(): (readonly [name: string, at: BytePath])[] {
    return [...this.places].filter(([name]) => !this.where.models.has(name));
  }

  /** The directories at and below the scopes, which are paths of the view here, and what may match there. Rejects when the thread has ended. */
  async narrowed(
    name: string,
    asked: Omit<Asked, 'scopes'> & { readonly scopes: readonly BytePath[] },
  ): Promise<WithUnfilled<(Narrowed & { readonly dir: BytePath })[]>> {
    const at = this.#placeOf(name);
    const scopes = asked.scopes.map((path) => textBelow(path, at));
    const { answer, unfilled } = await this.order('narrowed', { name, asked: { ...asked, scopes } });
    const found = answer.map((one) => {
      const dir = one.dir === '' ? at : pathIn(at, one.dir);
      return { ...one, dir, names: toBytes(one.names), kept: toBytes(one.kept) };
    });
    return { answer: found, unfilled };
  }

  /** Contents of files, as many as are no trouble. Rejects likewise. */
  async bring(name: string, paths: readonly BytePath[]): Promise<WithUnfilled<readonly BroughtFile[]>> {
    const at = this.#placeOf(name);
    const { answer, unfilled } = await this.order('bring', { name, paths: paths.map((path) => textBelow(path, at)) });
    return { answer: answer.map((one) => ({ ...one, path: pathIn(at, one.path) })), unfilled };
  }

  /** Of files that may match the lines that may; undefined: of none they are told. Rejects likewise. */
  lines(
    name: string,
    wanted: Omit<SourceOrders['lines']['ask']['wanted'], 'files'> & {
      readonly files: readonly { readonly dir: BytePath; readonly names: string }[];
    },
  ): Promise<SourceOrders['lines']['answer']> {
    const at = this.#placeOf(name);
    const files = wanted.files.map(({ dir, names }) => ({ dir: textBelow(dir, at), names: toText(names) }));
    return this.order('lines', { name, wanted: { ...wanted, files } });
  }

  /** Some of what came for searches and is in no file yet; each is told once. Rejects likewise. */
  async unfilled(name: string, most: number): Promise<readonly FetchOutcome[]> {
    const at = this.#placeOf(name);
    const found = await this.order('unfilled', { name, most });
    return found.map((one) => ({ ...one, path: pathIn(at, one.path) }));
  }

  #placeOf(name: string): BytePath {
    return this.places.get(name) ?? ('' as BytePath);
  }

  /** What a crash has cut short is given back. To be called when the session is loaded. */
  async recover(layout: Layout): Promise<void> {
    await new SourceCommits({ layout, places: this.places, ask: (name, ask) => this.order(name, ask) }).takeBack();
  }

  /** What is known of all of them; these are asked before. Rejects with a UserError for a name that is none. */
  async report(refresh: readonly string[]): Promise<{ sources: readonly SourceState[] }> {
    const unknown = refresh.find((name) => !this.places.has(name));
    if (unknown !== undefined) throw new UserError(`the session has no source '${unknown}'`, RESTART);
    if (this.#kept.length === 0) return { sources: [] };
    try {
      await Promise.all(refresh.map((name) => this.order('refresh', { name })));
      return { sources: await this.order('states', null) };
    } catch (error) {
      const problem = { ...this.failed(error as Error), since: Date.now() };
      return { sources: [...this.places].map(([name, at]) => ({ ...UNKNOWN, name, at: label(at), problem })) };
    }
  }

  /** Gives an order. Rejects when the thread has ended, or with its defect. */
  order<Name extends SourceOrderName>(
    name: Name,
    ask: SourceOrders[Name]['ask'],
  ): Promise<SourceOrders[Name]['answer']> {
    this.begin();
    return new Promise((resolve, reject) => {
      if (this.#thread === undefined || this.#ended !== undefined) {
        reject(this.#ended ?? new Error('there is no source'));
        return;
      }
      const id = ++this.#last;
      this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.#thread.postMessage({ id, name, ask });
    });
  }

  /** Gives up connections; what is under way is not waited for. */
  stop(): void {
    if (this.#thread !== undefined) void this.order('close', null).catch(() => undefined);
    this.#isStopping = true;
  }

  async #contents({ path, ahead }: FetchWish, name: string, at: BytePath): Promise<readonly FetchOutcome[]> {
    const fetched = await this.order('fetch', { name, paths: [textBelow(path, at)], ahead });
    return fetched.map((one) => ({ ...one, path: pathIn(at, one.path) }));
  }

  async #show(name: string, path: BytePath): Promise<readonly FetchOutcome[]> {
    const { fault } = await this.order('refresh', { name });
    return [fault === undefined ? { path, moved: true } : { path, fault }];
  }

  #sourceOf(path: BytePath): readonly [string, BytePath] {
    const found = [...this.places].find(([, at]) => isWithin(path, at));
    if (found === undefined) throw new Error('no source is there');
    return found;
  }

  #hear(answer: SourceAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('defect' in answer) waiting?.reject(new Error(answer.defect));
    else waiting?.resolve(answer.answer);
  }

  /** Whoever waits hears that it failed. */
  readonly failed = (error: Error): SourceFault => {
    if (!this.#isStopping) log(`sources: ${error.message}`);
    return { errno: EIO, cause: error.message };
  };

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function placesOf(configs: readonly SourceConfig[]): ReadonlyMap<string, BytePath> {
  return new Map(configs.map(({ name, at }) => [name, toBytePath(at)]));
}

function textBelow(path: BytePath, at: BytePath): string {
  return Buffer.from(path.slice(at.length + 1), 'latin1').toString('utf8');
}

function pathIn(at: BytePath, path: string): BytePath {
  return `${at}${toBytePath(`/${path}`)}` as BytePath;
}
