/**
 * One source of a session: its mirror, and the questions that go to its server. Slow answers keep nobody waiting but who asked, and one
 * answer is for all who ask the same.
 */

import { EINVAL, EIO, ELOOP, ENOENT, EROFS } from '../sys/errno.ts';
import { parseSize } from '../sys/text/size.ts';
import { UserError } from '../sys/user-error.ts';
import { likelyNext } from './ahead.ts';
import { expiry, type Fetched, failed, faultOf, NO_ANSWER, outcomeOf, PATIENCE_MS, targetIn } from './answers.ts';
import type { SourceConfig } from './config.ts';
import { type Asking, type Given, Giving, type ToGive } from './giving.ts';
import type { Mirror } from './mirror/mirror.ts';
import { forgetRecent } from './mirror/recent.ts';
import { DEFAULT_ROOM, Room } from './mirror/room.ts';
import { Searches } from './searching/searches.ts';
import { isAwaited } from './searching/searching.ts';
import { Unfilled } from './searching/unfilled.ts';
import { type Principal, type Source, SourceError, type SourceFault } from './source.ts';

/** After a failure a server is left alone for so long: whoever asks meanwhile hears the same. */
const PAUSE_MS = 1000;

export interface Problem extends SourceFault {
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** What `status` and `source` say of it. */
export interface SourceState {
  readonly name: string;
  readonly at: string;
  readonly files: number;
  readonly checkedAt: number;
  readonly leftOut: Mirror['leftOut'];
  /** Bytes of contents that are here; undefined: they are being counted. */
  readonly held: number | undefined;
  /** What is shown is what it had when the session was last there: it was not asked since. */
  readonly stale?: true;
  readonly problem?: Problem;
}

export class SourceKeeper {
  readonly config: SourceConfig;
  readonly mirror: Mirror;
  readonly searches: Searches;
  readonly #principal: Principal;
  readonly #open: () => Promise<Source>;
  readonly #giving: Giving;
  #source: Promise<Source> | undefined;
  #refreshing: Promise<void> | undefined;
  #problem: Problem | undefined;
  /** Whether it has said what it has, in this life of the daemon. */
  #isChecked = false;
  /** Until when nothing new is asked. */
  #pausedUntil = 0;
  /** A commit is under way; to be called when it is over. */
  #letGo: (() => void) | undefined;
  #held = Promise.resolve();
  /** What is under way; what came of all that was asked for at once. */
  readonly #fetching = new Map<string, Promise<ReadonlyMap<string, Fetched>>>();
  readonly #room: Room;
  readonly #unfilled = new Unfilled();

  constructor(config: SourceConfig, mirror: Mirror, open: () => Promise<Source>) {
    this.config = config;
    this.mirror = mirror;
    this.#principal = { groups: config.as };
    this.#open = open;
    this.#room = new Room(mirror, parseSize(config.cache ?? '') ?? DEFAULT_ROOM);
    const asking: Asking = (signal, ask) => this.#asking(signal, ask);
    this.#giving = new Giving({ mirror, principal: this.#principal, asking });
    this.searches = new Searches({
      mirror,
      unfilled: this.#unfilled,
      fetch: (paths) => this.contents(paths, 0),
      isHeld: () => this.#isHeld,
      isPaused: () => this.#isPaused,
      candidates: async (wanted, signal) => (await this.#server()).candidates?.(wanted, this.#principal, signal),
    });
  }

  async state(): Promise<SourceState> {
    const { name, at } = this.config;
    const { entries, checkedAt, leftOut } = this.mirror;
    const { files } = entries;
    const stale = this.#isChecked ? {} : ({ stale: true } as const);
    const held = await this.#room.size();
    return { name, at, files, held, checkedAt, leftOut, ...stale, ...(this.#problem && { problem: this.#problem }) };
  }

  get #isPaused(): boolean {
    return this.#problem !== undefined && Date.now() < this.#pausedUntil;
  }

  async #isWritable(): Promise<boolean> {
    return (await this.#server()).commit !== undefined;
  }

  /** Shows what the source has by now. Rejects with a SourceError; what was shown before stays then. */
  refresh(): Promise<void> {
    if (this.#isHeld) return Promise.resolve();
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** The contents of paths, and, if `ahead`, of as many more that may be asked for next. Never rejects. */
  async contents(paths: readonly string[], ahead: number): Promise<Fetched[]> {
    const fetched = await this.#contents(paths, ahead);
    if (!this.#isHeld || !fetched.some((one) => 'moved' in one)) return fetched;
    // The mirror shows what it has now when the commit is over.
    await this.#held;
    await this.refresh().catch(() => undefined);
    return fetched;
  }

  async #contents(paths: readonly string[], ahead: number): Promise<Fetched[]> {
    const next = likelyNext(this.mirror, paths, { files: ahead, bytes: this.#room.ahead });
    const here = this.#unfilled.among([...paths, ...next], this.mirror.entries);
    const isHere = new Set(here.map(({ path }) => path));
    const known = paths.flatMap((path) => {
      const running = isHere.has(path) ? undefined : this.#fetching.get(path);
      return running === undefined ? [] : [{ path, running }];
    });
    const asked = [...paths, ...next].filter((path) => !this.#fetching.has(path) && !isHere.has(path));
    const answers = asked.length === 0 ? undefined : this.#fetchAnew(asked);
    const fetched: Fetched[] = [];
    for (const { path, running } of known) fetched.push((await running).get(path) ?? { path, fault: NO_ANSWER });
    if (answers !== undefined) fetched.push(...(await answers).values());
    for (const one of fetched) if ('content' in one) this.mirror.present.comes(one.path);
    this.#room.took(fetched.reduce((sum, one) => sum + ('content' in one ? one.content.length : 0), 0));
    return [...here, ...fetched];
  }

  /** Contents that came for searches, as many, which are to be filled in now. */
  unfilled(most: number): Fetched[] {
    const taken = this.#unfilled.take(most);
    for (const { path } of taken) this.mirror.present.comes(path);
    return taken;
  }

  /** Of which files the contents could go, since all of them take more room than they may. */
  excess(): Promise<readonly string[]> {
    return this.#room.excess();
  }

  /**
   * Before a commit: the mirror shows what the source has now, and stays so until `release`. Returns the contents at these paths that
   * are not in the mirror yet: who takes the commit back needs them. Rejects with a SourceError.
   */
  async hold(paths: readonly string[]): Promise<Fetched[]> {
    if (!(await this.#isWritable())) throw new SourceError(EROFS, 'it is read-only');
    await this.refresh();
    this.#hold();
    this.#giving.forget();
    const replaced = paths.filter(
      (path) => this.mirror.entries.get(path)?.kind === 'file' && isAwaited(this.mirror, path),
    );
    const fetched = await this.#contents(replaced, 0);
    for (const one of fetched) {
      if ('fault' in one) throw new SourceError(one.fault.errno, `${one.path}: ${one.fault.cause}`);
    }
    return fetched;
  }

  release(): void {
    this.#letGo?.();
    this.#letGo = undefined;
    this.#giving.forget();
    forgetRecent();
  }

  /** A crash has cut a commit short: what is shown stays until that is taken back. */
  awaitTakeBack(): void {
    this.#hold();
  }

  get #isHeld(): boolean {
    return this.#letGo !== undefined;
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#held = new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }

  /** What is shown at a path, for another source that leads there. Rejects with a SourceError. */
  async contentAt(path: string): Promise<Uint8Array> {
    const entry = this.mirror.entries.get(path);
    if (entry === undefined) throw new SourceError(ENOENT, `source '${this.config.name}' has no '${path}'`);
    if (entry.pointer !== undefined) throw new SourceError(ELOOP, `'${path}' lies elsewhere, too`);
    if (entry.kind !== 'file') throw new SourceError(EINVAL, `'${path}' is no file`);
    const here = this.mirror.present.contentOf(path, Number.POSITIVE_INFINITY);
    if (here !== undefined) return here;
    const [fetched] = await this.#contents([path], 0);
    if (fetched !== undefined && 'content' in fetched) return fetched.content;
    const { errno, cause } = fetched !== undefined && 'fault' in fetched ? fetched.fault : NO_ANSWER;
    throw new SourceError(errno, cause);
  }

  /** See `Giving.commit`. */
  commit(files: readonly ToGive[]): Promise<Given[]> {
    return this.#giving.commit(files);
  }

  /** See `Giving.takeBack`; the mirror shows what the source has then. */
  async takeBack(paths: readonly string[]): Promise<string[]> {
    const left = await this.#giving.takeBack(paths);
    this.release();
    await this.refresh().catch(() => undefined);
    return left;
  }

  async close(): Promise<void> {
    const source = await this.#source?.catch(() => undefined);
    await source?.close();
  }

  async #refresh(): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await this.#asking(signal, async (source) => {
      const listing = await source.tree(this.#principal, this.mirror.version, signal);
      this.#isChecked = true;
      if (listing === 'unchanged') return this.mirror.confirm();
      const links = listing.entries.filter(({ kind }) => kind === 'symlink');
      const reads = links.length === 0 ? [] : await source.readMany(links, this.#principal, signal);
      // A commit has begun since: it has asked by itself.
      if (this.#isHeld) return;
      const targets = new Map(links.flatMap(({ path }, i) => targetIn(path, reads[i])));
      const entries = listing.entries.filter(({ path, kind }) => kind !== 'symlink' || targets.has(path));
      this.mirror.show({ version: listing.version, entries }, targets);
    });
  }

  #fetchAnew(paths: readonly string[]): Promise<ReadonlyMap<string, Fetched>> {
    const reads = this.#readAll(paths).then((all) => new Map(all.map((one) => [one.path, one])));
    for (const path of paths) this.#fetching.set(path, reads);
    return reads.finally(() => {
      for (const path of paths) this.#fetching.delete(path);
    });
  }

  async #readAll(paths: readonly string[]): Promise<Fetched[]> {
    if (this.#problem !== undefined && this.#isPaused) return failed(paths, this.#problem);
    const entries = paths.map((path) => this.mirror.entries.get(path));
    const there = entries.filter((entry) => entry !== undefined);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const reads = await this.#asking(signal, (source) => source.readMany(there, this.#principal, signal));
      for (const read of reads) if ('unanswered' in read) this.#fail(read);
      let next = 0;
      const fetched = paths.map((path, i) => {
        const entry = entries[i];
        return outcomeOf(path, entry && { entry, read: reads[next++] });
      });
      // What is shown is not what it has.
      if (fetched.some((one) => 'moved' in one || ('fault' in one && one.fault.errno === ENOENT))) await this.refresh();
      return fetched;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return failed(paths, error);
    }
  }

  /** Runs a request; what goes wrong with it is known from then on. Rejects with a SourceError. */
  async #asking<T>(signal: AbortSignal, ask: (source: Source) => Promise<T>): Promise<T> {
    try {
      const source = await this.#server();
      const answer = await Promise.race([ask(source), expiry(signal)]);
      this.#problem = undefined;
      return answer;
    } catch (error) {
      const fault = faultOf(error, signal);
      this.#fail(fault);
      throw new SourceError(fault.errno, fault.cause);
    }
  }

  #fail({ errno, cause }: SourceFault): void {
    this.#problem = { errno, cause, since: this.#problem?.since ?? Date.now() };
    this.#pausedUntil = Date.now() + PAUSE_MS;
  }

  async #server(): Promise<Source> {
    this.#source ??= this.#open();
    try {
      return await this.#source;
    } catch (error) {
      this.#source = undefined;
      throw error instanceof UserError ? new SourceError(EIO, error.message) : error;
    }
  }
}
