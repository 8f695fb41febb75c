/**
 * One source of a session: its mirror, and the questions that go to its server. Slow answers keep nobody waiting but who asked, and one
 * answer is for all who ask the same.
 */

import { EIO, EROFS } from '../sys/errno.ts';
import { lookAt } from '../sys/files/text-files.ts';
import { readWhole } from '../sys/files/walk.ts';
import { parseSize } from '../sys/size.ts';
import { UserError } from '../sys/user-error.ts';
import { likelyNext } from './ahead.ts';
import {
  expiry,
  type Fetched,
  failed,
  faultOf,
  NO_ANSWER,
  outcomeOf,
  PATIENCE_MS,
  targetIn,
  unanswered,
} from './answers.ts';
import type { SourceConfig } from './config.ts';
import type { Formula } from './formula.ts';
import type { Mirror } from './mirror/mirror.ts';
import { DEFAULT_ROOM, Room } from './mirror/room.ts';
import { type Brought, bring, isAwaited, ruledOut } from './searching.ts';
import { type Change, type Outcome, type Principal, type Source, SourceError, type SourceFault } from './source.ts';

/** A search that takes longer is not narrowed down. */
const SEARCH_MS = 10_000;
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
  readonly #principal: Principal;
  readonly #open: () => Promise<Source>;
  #source: Promise<Source> | undefined;
  #refreshing: Promise<void> | undefined;
  #problem: Problem | undefined;
  /** Whether it has said what it has, in this life of the daemon. */
  #isChecked = false;
  /** Until when nothing new is asked. */
  #pausedUntil = 0;
  /** A commit is under way. */
  #isHeld = false;
  /** What the commit that is under way has given the source. */
  readonly #ours = new Set<string>();
  readonly #fetching = new Map<string, Promise<Fetched>>();
  readonly #room: Room;

  constructor(config: SourceConfig, mirror: Mirror, open: () => Promise<Source>) {
    this.config = config;
    this.mirror = mirror;
    this.#principal = { groups: config.as };
    this.#open = open;
    this.#room = new Room(mirror, parseSize(config.cache ?? '') ?? DEFAULT_ROOM);
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
    const known = paths.filter((path) => this.#fetching.has(path));
    const asked = [...paths, ...likelyNext(this.mirror, paths, { files: ahead, bytes: this.#room.ahead })].filter(
      (path) => !this.#fetching.has(path),
    );
    const answers = asked.length === 0 ? [] : this.#fetchAnew(asked);
    const fetched = await Promise.all([
      ...known.map((path) => this.#fetching.get(path) as Promise<Fetched>),
      ...answers,
    ]);
    this.#room.took(fetched.reduce((sum, one) => sum + ('content' in one ? one.content.length : 0), 0));
    return fetched;
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
    this.#isHeld = true;
    const replaced = paths.filter(
      (path) => this.mirror.entries.get(path)?.kind === 'file' && isAwaited(this.mirror, path),
    );
    const fetched = await this.contents(replaced, 0);
    for (const one of fetched) {
      if ('fault' in one) throw new SourceError(one.fault.errno, `${one.path}: ${one.fault.cause}`);
    }
    return fetched;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** Files at and below `scopes` that cannot match, see searching.ts: none where the server does not say. */
  async ruledOut(formula: Formula, scopes: readonly string[]): Promise<string[]> {
    if (this.#isHeld || this.#isPaused) return [];
    const signal = AbortSignal.timeout(SEARCH_MS);
    // That it cannot search does not mean that it cannot be read.
    const ask = async (source: Source, scope: readonly string[] | undefined) =>
      source.candidates?.(formula, scope, this.#principal, signal);
    try {
      const source = await this.#server();
      return await ruledOut(this.mirror, { formula, scopes }, (scope) =>
        Promise.race([ask(source, scope), expiry(signal)]),
      );
    } catch (error) {
      if (!(error instanceof SourceError || signal.aborted)) throw error;
      return [];
    }
  }

  /** Contents for a search, as many as are no trouble. Never rejects. */
  async bring(paths: readonly string[]): Promise<Brought[]> {
    return this.#isHeld ? [] : bring(this.mirror, paths, (wanted) => this.contents(wanted, 0));
  }

  /** Makes the source what its mirror is at these paths. Rejects with a SourceError. */
  async commit(paths: readonly string[]): Promise<{ path: string; outcome: Outcome }[]> {
    const source = await this.#server();
    if (source.commit === undefined) throw new SourceError(EROFS, 'it is read-only');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const found = await Promise.all(paths.map((path) => this.#changeAt(path)));
    const changes = found.filter((one) => one !== undefined);
    const outcomes = await this.#asking(signal, () => this.#commitAll(source, changes, signal));
    return changes.map(({ path }, i) => ({ path, outcome: outcomes[i] ?? unanswered() }));
  }

  /** The mirror is what it was before a commit that failed; returns the paths at which the source could not be given that back. */
  async takeBack(paths: readonly string[]): Promise<string[]> {
    const ours = paths.filter((path) => this.#ours.has(path));
    const outcomes = ours.length === 0 ? [] : await this.commit(ours).catch(() => undefined);
    const left =
      outcomes === undefined ? ours : outcomes.flatMap(({ path, outcome }) => (outcome.kind === 'done' ? [] : [path]));
    // What became of a commit that a crash has cut short nobody knows: the source says it.
    this.mirror.distrust(paths.filter((path) => left.includes(path) || !ours.includes(path)));
    this.#isHeld = false;
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

  #fetchAnew(paths: readonly string[]): Promise<Fetched>[] {
    const reads = this.#readAll(paths);
    return paths.map((path, i) => {
      const fetched = reads.then((all) => all[i] ?? { path, fault: NO_ANSWER });
      this.#fetching.set(path, fetched);
      void fetched.then(() => this.#fetching.delete(path));
      return fetched;
    });
  }

  async #readAll(paths: readonly string[]): Promise<Fetched[]> {
    if (this.#problem !== undefined && this.#isPaused) return failed(paths, this.#problem);
    const entries = paths.map((path) => this.mirror.entries.get(path));
    const there = entries.filter((entry) => entry !== undefined);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      const reads = await this.#asking(signal, (source) => source.readMany(there, this.#principal, signal));
      const byPath = new Map(there.map((entry, i) => [entry.path, { entry, read: reads[i] }]));
      const fetched = paths.map((path) => outcomeOf(path, byPath.get(path)));
      if (fetched.some((one) => 'moved' in one)) await this.refresh();
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
      const { errno, cause } = faultOf(error, signal);
      this.#problem = { errno, cause, since: this.#problem?.since ?? Date.now() };
      this.#pausedUntil = Date.now() + PAUSE_MS;
      throw new SourceError(errno, cause);
    }
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

  /** What was done is known, whatever comes of the rest. */
  async #commitAll(source: Source, changes: readonly Change[], signal: AbortSignal): Promise<Outcome[]> {
    this.#ours.clear();
    const outcomes = (await source.commit?.(changes, this.#principal, signal)) ?? [];
    for (const [i, change] of changes.entries()) {
      if (outcomes[i]?.kind !== 'done') continue;
      this.#ours.add(change.path);
      this.#note(change, outcomes[i]);
    }
    this.mirror.saveCommitted();
    return outcomes;
  }

  async #changeAt(path: string): Promise<Change | undefined> {
    const known = this.mirror.entries.get(path);
    const stats = lookAt(`${this.mirror.root}/${path}`);
    if (stats?.isFile()) {
      const content = await readWhole(`${this.mirror.root}/${path}`, AbortSignal.timeout(PATIENCE_MS));
      return { kind: 'write', path, content, base: known?.rev };
    }
    if (known === undefined || known.kind === 'directory') return undefined;
    return { kind: 'remove', path, base: known.rev };
  }

  #note(change: Change, outcome: Outcome | undefined): void {
    if (outcome?.kind !== 'done') return;
    const acl = this.mirror.entries.get(change.path)?.acl ?? [];
    const size = change.kind === 'write' ? change.content.length : 0;
    const rev = change.kind === 'write' ? (outcome.rev ?? '') : undefined;
    this.mirror.committed(change.path, rev, { kind: 'file', size, mtime: Date.now(), acl });
  }
}
