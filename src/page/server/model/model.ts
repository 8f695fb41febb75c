/** What is staged, as it was read once: entries in their groups. Read anew as a whole; what is the same then keeps its version. */
import type { Notice } from '../../../history/commit/notices/notices.ts';
import { Facts } from '../../../history/diff/facts.ts';
import type { PathChange } from '../../../history/diff/path-change.ts';
import { FOLDS } from '../../../review/folds.ts';
import { isUnwritten, type Stamp } from '../../../review/pick/decisions.ts';
import { type Entry, type Folded, type Found, Sorting } from '../../../review/review.ts';
import { label, toBytePath } from '../../../sys/bytes.ts';
import type { GroupName } from '../../protocol.ts';
import type { Opened, PageHost } from '../host.ts';
import { type ModelEntry, stampOf } from './entry.ts';
import { idOf } from './show.ts';

export const GROUPS: readonly GroupName[] = ['project', 'outside', ...FOLDS];

/** Entries of the project that are enough to be looked at while the rest is read, and changes among which they are looked for. */
const FIRST_ROWS = 1000;
const FIRST_CHANGES = 2000;

/** What is told while it is read. */
export interface FirstRows {
  readonly generation: number;
  readonly facts: Facts;
  readonly entries: readonly ModelEntry[];
}

export interface Reading {
  /** What was read before, if it was. */
  readonly before: Model | undefined;
  readonly onFirst?: (rows: FirstRows) => void;
}

interface Contents {
  readonly opened: Opened | undefined;
  readonly version: number;
  readonly groups: ReadonlyMap<GroupName, readonly ModelEntry[]>;
  readonly notices: readonly Notice[];
  readonly folded: readonly Folded[];
  readonly sizes: ReadonlyMap<GroupName, number>;
}

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

  private constructor({ opened, version, groups, notices, folded, sizes }: Contents) {
    this.#version = version;
    this.opened = opened;
    this.generation = opened?.reading.session.state.generation ?? 0;
    this.facts = opened && new Facts(opened.reading.base, opened.reading.store);
    this.notices = notices;
    this.groups = groups;
    this.#folded = folded;
    this.#sizes = sizes;
    this.entries = new Map([...groups.values()].flatMap((entries) => entries.map((entry) => [entry.id, entry])));
  }

  /** Goes over all that is staged, a step for each change. */
  static *read(opened: Opened | undefined, host: PageHost, { before, onFirst }: Reading): Generator<void, Model> {
    const version = (before?.version ?? 0) + 1;
    const groups = new Map<GroupName, ModelEntry[]>();
    if (opened === undefined) return new Model({ opened, version, groups, notices: [], folded: [], sizes: new Map() });
    const { reading } = opened;
    const look = opened.look();
    const { generation } = reading.session.state;
    const facts = new Facts(reading.base, reading.store);
    const options = { ...reading, project: toBytePath(host.layout.project), home: host.home };
    const at = { facts, tree: reading.tree, generation };
    const toEntry = (found: Found, group: GroupName): ModelEntry =>
      entryOf(found, group, { stamp: stampOf(found, at), before, version });
    const tell = (entries: readonly ModelEntry[]): void => onFirst?.({ generation, facts, entries: [...entries] });
    if (before === undefined) {
      const rows = yield* firstRows(look.listed(), new Sorting(options), toEntry);
      if (rows.length === FIRST_ROWS) tell(rows);
    }
    const sorting = new Sorting(options);
    for (const found of look.found()) {
      yield;
      if (found === undefined) continue;
      const group = sorting.add(found);
      const entries = groups.get(group) ?? [];
      groups.set(group, entries);
      entries.push(toEntry(found, group));
      if (group === 'project' && entries.length === FIRST_ROWS) tell(entries);
    }
    const { project, outside, folded } = sorting.result();
    const sizes = new Map(
      Object.entries({ project: bytesOf(project), outside: bytesOf(outside) }) as [GroupName, number][],
    );
    return new Model({ opened, version, groups, notices: yield* look.notices(), folded, sizes });
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
}

/** Rows of the project, as far as they are among the first changes; what was done outside is not known of them. */
function* firstRows(
  changes: Iterable<PathChange>,
  sorting: Sorting,
  toEntry: (found: Found, group: GroupName) => ModelEntry,
): Generator<void, ModelEntry[]> {
  const rows: ModelEntry[] = [];
  let left = FIRST_CHANGES;
  for (const change of changes) {
    const group = sorting.add({ change });
    if (group === 'project') rows.push(toEntry({ change }, group));
    left -= 1;
    if (left === 0 || rows.length === FIRST_ROWS) break;
    yield;
  }
  return rows;
}

interface Known {
  readonly stamp: Stamp;
  readonly before: Model | undefined;
  readonly version: number;
}

function entryOf({ change, conflict }: Found, group: GroupName, { stamp, before, version }: Known): ModelEntry {
  const id = idOf(change.path);
  const known = before?.entries.get(id);
  const isSame = known !== undefined && isUnwritten(known.stamp, stamp);
  const since = isSame ? known.since : version;
  const lines = isSame && known.lines !== undefined ? { lines: known.lines } : {};
  return { id, group, change, conflict, stamp, since, ...lines };
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { size = 0 }) => sum + size, 0);
}
