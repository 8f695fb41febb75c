/** What a source is given: what a commit is going to make of its mirror, and what the mirror has when that is taken back. */
import { EROFS } from '../sys/errno.ts';
import { lookAt } from '../sys/files/text-files.ts';
import { readWhole } from '../sys/files/walk.ts';
import { PATIENCE_MS, unanswered } from './answers.ts';
import type { Mirror } from './mirror/mirror.ts';
import { RemovedAcls } from './mirror/removed-acls.ts';
import { Writes } from './mirror/writes.ts';
import {
  type Change,
  type Entry,
  type Outcome,
  type Principal,
  type Read,
  type Source,
  SourceError,
} from './source.ts';
import { judgeUnsettled, SETTLED, type Verdict } from './unsettled.ts';

/** Runs a request. Rejects with a SourceError. */
export type Asking = <T>(signal: AbortSignal, ask: (source: Source) => Promise<T>) => Promise<T>;

/** The source that takes what is given. */
export interface HeldSource {
  readonly mirror: Mirror;
  readonly principal: Principal;
  readonly asking: Asking;
}

/** What a source is to have at a path: the content of a file of this host, or nothing. */
export interface ToGive {
  readonly path: string;
  readonly from: string | undefined;
  /** The entry whose readers it has if it is new: what it was until it was renamed, or what an undo brings back. */
  readonly like?: string | undefined;
}

/** What came of one change. */
export interface Given {
  readonly path: string;
  readonly outcome: Outcome;
}

export class Giving {
  readonly #held: HeldSource;
  readonly #writes: Writes;
  readonly #removed: RemovedAcls;
  /** What the commit that is under way has given the source. */
  readonly #ours = new Set<string>();

  constructor(held: HeldSource) {
    this.#held = held;
    this.#writes = new Writes(held.mirror.state);
    this.#removed = new RemovedAcls(held.mirror.state);
  }

  /** Makes the source what its mirror is going to be at these paths. Rejects with a SourceError. */
  async commit(files: readonly ToGive[]): Promise<Given[]> {
    const changes = await this.#changesOf(files);
    this.#writes.save(changes);
    return this.#give(changes);
  }

  /** The mirror is as it was before a commit that failed; returns the paths at which the source could not be given that back. */
  async takeBack(paths: readonly string[]): Promise<string[]> {
    const { mirror } = this.#held;
    const unsettled = await this.#judge(paths.filter((path) => !this.#ours.has(path)));
    const ours = [...paths.filter((path) => this.#ours.has(path)), ...unsettled.ours];
    const given =
      ours.length === 0
        ? []
        : await this.#give(await this.#changesOf(ours.map((path) => this.#asItIs(path)))).catch(() => undefined);
    const isDone = ({ outcome }: Given): boolean => outcome.kind === 'done';
    const left = given === undefined ? ours : given.filter((one) => !isDone(one)).map(({ path }) => path);
    mirror.distrust([...left, ...unsettled.strange]);
    return left;
  }

  /** There is nothing to take back. */
  forget(): void {
    this.#writes.clear();
  }

  async #give(changes: readonly Change[]): Promise<Given[]> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const outcomes = await this.#held.asking(signal, (source) => this.#giveAll(source, changes, signal));
    return changes.map(({ path }, i) => ({ path, outcome: outcomes[i] ?? unanswered() }));
  }

  /** What was done is known, whatever comes of the rest. */
  async #giveAll(source: Source, changes: readonly Change[], signal: AbortSignal): Promise<Outcome[]> {
    const { mirror, principal } = this.#held;
    if (source.commit === undefined) throw new SourceError(EROFS, 'it is read-only');
    this.#ours.clear();
    const removed = changes.filter(({ kind }) => kind === 'remove').map(({ path }) => path);
    this.#removed.keep(removed.map((path) => [path, this.#aclNow(path) ?? []]));
    const outcomes = await source.commit(changes, principal, signal);
    for (const [i, change] of changes.entries()) {
      if (outcomes[i]?.kind !== 'done') continue;
      this.#ours.add(change.path);
      this.#note(change, outcomes[i]);
    }
    mirror.saveCommitted();
    return outcomes;
  }

  /** What became of these nobody knows: a crash came between, or an answer got lost. The source says it, if it can. */
  async #judge(paths: readonly string[]): Promise<Verdict> {
    if (paths.length === 0) return SETTLED;
    const { mirror, principal, asking } = this.#held;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const read = (entries: readonly Entry[]): Promise<readonly Read[]> =>
      asking(signal, (source) => source.readMany(entries, principal, signal));
    const entries = async (): Promise<ReadonlyMap<string, Entry>> => {
      const listing = await asking(signal, (source) => source.tree(principal, undefined, signal));
      return new Map(listing === 'unchanged' ? [] : listing.entries.map((entry) => [entry.path, entry]));
    };
    try {
      return await judgeUnsettled(mirror, { paths, writes: this.#writes.load() }, { entries, read });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return { ours: [], strange: paths };
    }
  }

  #asItIs(path: string): ToGive {
    const place = `${this.#held.mirror.root}/${path}`;
    return { path, from: lookAt(place)?.isFile() ? place : undefined, like: path };
  }

  async #changesOf(files: readonly ToGive[]): Promise<Change[]> {
    const found = await Promise.all(files.map((file) => this.#changeOf(file)));
    return found.filter((one) => one !== undefined);
  }

  async #changeOf({ path, from, like }: ToGive): Promise<Change | undefined> {
    const known = this.#held.mirror.entries.get(path);
    if (from !== undefined) {
      const acl = like === undefined ? undefined : (this.#aclNow(like) ?? this.#removed.of(like));
      const content = await readWhole(from, AbortSignal.timeout(PATIENCE_MS));
      const write = { kind: 'write', path, content, base: known?.rev } as const;
      return acl === undefined || acl.length === 0 ? write : { ...write, acl };
    }
    if (known === undefined || known.kind === 'directory') return undefined;
    return { kind: 'remove', path, base: known.rev };
  }

  #aclNow(path: string): readonly string[] | undefined {
    return this.#held.mirror.entries.get(path)?.acl;
  }

  #note(change: Change, outcome: Outcome | undefined): void {
    if (outcome?.kind !== 'done') return;
    const { mirror } = this.#held;
    const acl = mirror.entries.get(change.path)?.acl ?? (change.kind === 'write' ? (change.acl ?? []) : []);
    const size = change.kind === 'write' ? change.content.length : 0;
    const rev = change.kind === 'write' ? (outcome.rev ?? '') : undefined;
    mirror.committed(change.path, rev, { kind: 'file', size, mtime: Date.now(), acl });
  }
}
