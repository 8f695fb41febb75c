/** Decisions as two orders, each by keys of contents: what is not as it was shown is in neither, or refused by the daemon. */
import { createHash } from 'node:crypto';
import type { HunkWish } from '../../../daemon/orders/part/chosen.ts';
import type { PathChange } from '../../../history/diff/changes.ts';
import type { Part } from '../../../review/pick/decisions.ts';
import type { Item } from '../../../review/pick/item.ts';
import { itemsOf } from '../../../review/pick/items.ts';
import { decidedUnits, planOf } from '../../../review/pick/plan.ts';
import type { Unit } from '../../../review/pick/units.ts';
import { type BytePath, isWithin, toBytePath } from '../../../sys/bytes.ts';
import type { PageHost } from '../host.ts';
import type { Decisions } from './decisions.ts';
import type { ModelEntry } from './entry.ts';
import type { Model } from './model.ts';
import { idOf } from './show.ts';

/** What conflicts are to become. */
export interface Resolution {
  readonly ours: readonly BytePath[];
  readonly theirs: readonly BytePath[];
  readonly merge: boolean;
}

export interface Orders {
  readonly take: readonly HunkWish[];
  /** After a commit of `take`. */
  readonly reject: readonly HunkWish[];
  /** Without one. */
  readonly rejectAlone: readonly HunkWish[];
  readonly inseparable: readonly BytePath[];
  readonly resolution: Resolution;
  /** All that is staged is taken, and so much that its contents are not read: a snapshot's state is committed, and no keys. */
  readonly isEverything: boolean;
  /** Says all of the above. */
  readonly hash: string;
}

/** Entries of which all contents are read. */
const MOST_READ = 2000;

/** Reads what was decided. */
export function ordersOf(model: Model, decisions: Decisions, host: PageHost, resolution: Resolution): Orders {
  const { opened } = model;
  if (isEverything(model, decisions, resolution)) {
    const stamps = [...model.entries.values()].map(({ id, stamp }) => `${id} ${stamp.what}`);
    return {
      take: [],
      reject: [],
      rejectAlone: [],
      inseparable: [],
      resolution,
      isEverything: true,
      hash: hashOf(stamps),
    };
  }
  const options = opened && { ...opened.reading, project: toBytePath(host.layout.project), home: host.home };
  const found = options && itemsOf(opened.changes(), { ...options, singly: true, mostLines: 0 });
  const isWanted = wantedOf(model, decisions);
  const units = (found?.items ?? []).flatMap((item) => (isWanted(item.change) ? item.units() : [undecided(item)]));
  const split = units.flatMap((unit) => decidedUnits(unit, partOf(model, decisions, unit)));
  const said = new Map(split.map(({ unit, decision }) => [unit, decision]));
  const all = { units: [...said.keys()], containers: found?.containers ?? [] };
  const { take, reject, inseparable } = planOf(all, (unit) => said.get(unit));
  const alone = planOf(all, (unit) => (said.get(unit) === 'reject' ? 'reject' : undefined));
  const orders = { take, reject, rejectAlone: alone.reject, inseparable, resolution, isEverything: false };
  return { ...orders, hash: hashOf(orders) };
}

function isEverything({ entries }: Model, decisions: Decisions, { ours, theirs, merge }: Resolution): boolean {
  if (entries.size <= MOST_READ || merge || ours.length + theirs.length > 0) return false;
  return decisions.countsOf(entries.values()).take === entries.size;
}

function hashOf(said: object): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

/** Stands for all that is left of an item, without reading it. */
function undecided({ change, files }: Item): Unit {
  return { what: 'whole', change, keys: [], lines: [], files };
}

/** What lies in a moved directory is moved with it. */
function wantedOf(model: Model, decisions: Decisions): (change: PathChange) => boolean {
  const moved: BytePath[] = [];
  for (const entry of model.entries.values()) {
    const { change, type, path } = entry.change;
    if (change === 'renamed' && type === 'directory' && decisions.isDecided(entry)) moved.push(path);
  }
  return ({ path }) => decisions.isDecided({ id: idOf(path) }) || moved.some((directory) => isWithin(path, directory));
}

function partOf(model: Model, decisions: Decisions, { change, keys, hunk }: Unit): Part {
  const entry: ModelEntry | undefined = model.entries.get(idOf(change.path));
  const key = hunk?.hunk.key ?? keys[0];
  return entry === undefined || key === undefined ? { said: undefined } : decisions.keptPartOf(entry, key);
}
