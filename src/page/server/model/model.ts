/** What is staged, as it was read once: entries in their groups. Read anew as a whole; what is the same then keeps its version. */
import type { Notice } from '../../../history/commit/notices/notices.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { FOLDS } from '../../../review/folds.ts';
import { Ignored } from '../../../review/git/ignored.ts';
import { isUnwritten, type Stamp } from '../../../review/pick/decisions.ts';
import { type Entry, type Folded, type Found, kindOf, reviewOf } from '../../../review/review.ts';
import { type BytePath, label, toBytePath } from '../../../sys/bytes.ts';
import type { GroupName } from '../../protocol.ts';
import type { Opened, PageHost } from '../host.ts';
import { type ModelEntry, stampOf } from './entry.ts';
import { idOf } from './show.ts';

export const GROUPS: readonly GroupName[] = ['project', 'outside', ...FOLDS];

export class Model {
  #version: number;
  readonly generation: number;
  readonly opened: Opened | undefined;
  readonly facts: Facts | undefined;
  readonly entries: ReadonlyMap<string, ModelEntry>;
  readonly groups: ReadonlyMap<GroupName, readonly ModelEntry[]>;
  readonly notices: readonly Notice[];
  readonly #folded: readonly Folded[];
  readonly #sizes: ReadonlyMap<GroupName, number>;

  /** Goes over all that is staged. `before`: what was read before, if it was. */
  constructor(opened: Opened | undefined, host: PageHost, before?: Model) {
    this.#version = (before?.version ?? 0) + 1;
    this.opened = opened;
    this.generation = opened?.reading.session.state.generation ?? 0;
    this.facts = opened && new Facts(opened.reading.base, opened.reading.store);
    this.notices = opened?.notices() ?? [];
    const { groups, folded, sizes } = this.#read(host, before);
    this.groups = groups;
    this.#folded = folded;
    this.#sizes = sizes;
    this.entries = new Map([...groups.values()].flatMap((entries) => entries.map((entry) => [entry.id, entry])));
  }

  get version(): number {
    return this.#version;
  }

  /** Nothing is different from what had this version. */
  as(version: number): this {
    this.#version = version;
    return this;
  }

  /** What to say of a group in a line or two. */
  saidOf(group: GroupName): string[] {
    const folded = this.#folded.find(({ kind }) => kind === group);
    const git = folded?.git?.flatMap(({ said }) => said) ?? [];
    return git.length > 0 ? git : (folded?.places ?? []).slice(0, 3).map(({ path }) => label(path));
  }

  /** Bytes of what is there now; of what is not folded, of what was added. */
  sizeOf(group: GroupName): number {
    return this.#sizes.get(group) ?? this.#folded.find(({ kind }) => kind === group)?.size ?? 0;
  }

  of(group: GroupName): readonly ModelEntry[] {
    return this.groups.get(group) ?? [];
  }

  #read(
    host: PageHost,
    before: Model | undefined,
  ): { groups: Map<GroupName, ModelEntry[]>; folded: readonly Folded[]; sizes: Map<GroupName, number> } {
    const groups = new Map<GroupName, ModelEntry[]>();
    const { opened, facts } = this;
    if (opened === undefined || facts === undefined) return { groups, folded: [], sizes: new Map() };
    const options = { ...opened.reading, project: toBytePath(host.layout.project), home: host.home };
    const all: Found[] = [];
    const review = reviewOf(noting(opened.found(), all), options);
    const told = new Map<BytePath, GroupName>();
    for (const { path } of review.project) told.set(path, 'project');
    for (const { path } of review.outside) told.set(path, 'outside');
    const ignored = new Ignored(facts, options.project);
    const at = { facts, tree: opened.reading.tree, generation: this.generation };
    for (const found of all) {
      const group = told.get(found.change.path) ?? kindOf(found.change, options, ignored) ?? 'outside';
      groups.set(group, groups.get(group) ?? []);
      groups.get(group)?.push(this.#entryOf(found, group, stampOf(found, at), before));
    }
    const sizes = new Map((['project', 'outside'] as const).map((name) => [name, bytesOf(review[name])]));
    return { groups, folded: review.folded, sizes };
  }

  #entryOf(found: Found, group: GroupName, stamp: Stamp, before: Model | undefined): ModelEntry {
    const id = idOf(found.change.path);
    const known = before?.entries.get(id);
    const isSame = known !== undefined && isUnwritten(known.stamp, stamp);
    const since = isSame ? known.since : this.version;
    const lines = isSame && known.lines !== undefined ? { lines: known.lines } : {};
    return { id, group, change: found.change, conflict: found.conflict, stamp, since, ...lines };
  }
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { size = 0 }) => sum + size, 0);
}

function* noting(found: Iterable<Found>, all: Found[]): Generator<Found, void> {
  for (const one of found) {
    all.push(one);
    yield one;
  }
}
