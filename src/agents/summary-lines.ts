/**
 * Changes as lines within a limit of bytes. Names of one directory share a line: `deleted  src/{a.c,b.c}`; a directory
 * that went as a whole is one name. Where not all can be named, how many there are below which directory; what is
 * destroyed (deleted, emptied, overwritten) comes to its names before anything else gets room.
 */

import type { ChangeKind, ReportedChange } from '../daemon/protocol.ts';
import { amount } from './amount.ts';
import { isOutside, showPath, type Viewpoint } from './show-path.ts';

/** What adds colour, or nothing. */
export interface Ink {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
}

export interface Item {
  readonly kind: ChangeKind;
  readonly verb: (typeof VERBS)[number];
  readonly isOutside: boolean;
  readonly isDestroyed: boolean;
  /** The directory it is in, as shown: '' or with a `/` at its end. */
  readonly dir: string;
  readonly name: string;
  /** Where a renamed thing was. */
  readonly old?: string;
  readonly note: string;
  /** How many changes it stands for. */
  readonly count: number;
}

export interface Fitted {
  readonly lines: string[];
  /** How many changes the lines speak of. */
  readonly told: number;
  readonly byKind: ReadonlyMap<ChangeKind, number>;
  /** Whether all that is destroyed has its name in them. */
  readonly namesLost: boolean;
}

const VERBS = ['deleted', 'emptied', 'modified', 'renamed', 'metadata', 'added'] as const;
const LONGEST = 120;
/** A name no longer than this is as good as a count. */
const SHORT = 60;
/** How many components of a directory's path count when names are put together, the finest first. */
const GRAINS = [Number.POSITIVE_INFINITY, 8, 7, 6, 5, 4, 3, 2, 1, 0];
/** For what is new outside of the project, as long as not all that was overwritten is named. */
const ROOM_OUTSIDE = 250;
const OUTSIDE = '  (outside the project)';

/** `naming`: further names of a file are told as far as they are known, else their number. */
export function itemOf(change: ReportedChange, from: Viewpoint, naming: boolean): Item {
  const { path, type, below, emptied, replaces } = change;
  const shown = showPath(path, from, type);
  const slash = shown.lastIndexOf('/', shown.length - 2) + 1;
  const verb = emptied ? 'emptied' : change.change;
  const held = below === undefined ? '' : ` (${amount(below.files, 'file')})`;
  return {
    kind: change.change,
    verb,
    isOutside: isOutside(path, from),
    isDestroyed: verb === 'deleted' || verb === 'emptied' || verb === 'modified' || replaces === true,
    dir: shown.slice(0, slash),
    name: shown.slice(slash),
    ...(change.from === undefined ? {} : { old: showPath(change.from, from, type) }),
    note: replaces ? ' (overwritten)' : `${held}${alikeNote(change, naming ? from : undefined)}`,
    count: changesIn(change),
  };
}

/** How many changes a reported one stands for. */
export function changesIn({ below }: ReportedChange): number {
  return 1 + (below?.changes ?? 0);
}

function alikeNote({ names = 0, also = [] }: ReportedChange, from: Viewpoint | undefined): string {
  if (names === 0) return '';
  if (from === undefined || also.length === 0) return ` (and ${amount(names, 'more name')} of it)`;
  const left = names - also.length;
  const shown = also.map((path) => quoteName(showPath(path, from)));
  return ` (also ${[...shown, ...(left > 0 ? [`${left} more`] : [])].join(' and ')})`;
}

/** The lines that say most of the items in `room` bytes, line ends included. */
export function fitItems(items: readonly Item[], room: number, ink: Ink): Fitted {
  const [lost, others] = [items.filter((item) => item.isDestroyed), items.filter((item) => !item.isDestroyed)];
  const all = allNames(lost, room, ink);
  const placed =
    all === undefined ? inTurn(items, room, ink) : [...all, ...fill(others, room - costOfPlaced(all), ink)];
  placed.sort((a, b) => orderOf(a.cluster) - orderOf(b.cluster));
  const byKind = new Map<ChangeKind, number>();
  for (const { cluster } of placed) byKind.set(cluster.kind, (byKind.get(cluster.kind) ?? 0) + countOf(cluster.items));
  const told = placed.reduce((sum, { cluster }) => sum + countOf(cluster.items), 0);
  return { lines: placed.map(({ line }) => line), told, byKind, namesLost: all !== undefined };
}

/** Bytes of lines with their ends. */
export function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** A label as one word that no reader takes for several, or for ours. */
export function quoteName(text: string): string {
  return /^[^\s"'`{}()<>|;,:→…]+$/.test(text) ? text : `"${text.replaceAll('"', '\\x22')}"`;
}

/** The beginning and the end of what is longer than `most` bytes. */
export function shorten(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const half = (most - 3) / 2;
  const end = upTo([...text.slice(-most)].reverse(), half).reverse();
  return `${upTo([...text.slice(0, most)], half).join('')}…${end.join('')}`;
}

function upTo(points: readonly string[], bytes: number): string[] {
  const taken: string[] = [];
  let room = bytes;
  for (const point of points) {
    room -= Buffer.byteLength(point);
    if (room < 0) break;
    taken.push(point);
  }
  return taken;
}

/** Items of one verb and one directory, or of what is below it. */
interface Cluster {
  readonly kind: ChangeKind;
  readonly verb: Item['verb'];
  readonly isOutside: boolean;
  readonly prefix: string;
  readonly items: Item[];
}

interface Placed {
  readonly cluster: Cluster;
  line: string;
}

/**
 * When what is destroyed cannot be named as a whole: deletions first, then what is outside of the project, then what was
 * overwritten, then the rest. Each leaves the others room for their numbers.
 */
function inTurn(items: readonly Item[], room: number, ink: Ink): Placed[] {
  const tierOf = ({ verb, isOutside, isDestroyed }: Item): number =>
    verb === 'deleted' || (isOutside && isDestroyed) ? 0 : isOutside ? 1 : isDestroyed ? 2 : 3;
  const tiers = [0, 1, 2, 3].map((tier) => items.filter((item) => tierOf(item) === tier));
  const leasts = tiers.map((tier) =>
    costOfPlaced(clusters(tier, 0).map((cluster) => ({ cluster, line: counted(cluster, ink) }))),
  );
  const placed: Placed[] = [];
  for (const [i, tier] of tiers.entries()) {
    const least = leasts.slice(i + 1).reduce((sum, cost) => sum + cost, 0);
    const free = room - costOfPlaced(placed) - least;
    placed.push(...fill(tier, i === 1 ? Math.min(free, ROOM_OUTSIDE) : free, ink));
  }
  return placed;
}

/** All names, or numbers and as many names as there is room for. */
function fill(items: readonly Item[], room: number, ink: Ink): Placed[] {
  return allNames(items, room, ink) ?? counts(items, room, ink);
}

/** All names, with as few directories put together as it takes; undefined: there is no room for them. */
function allNames(items: readonly Item[], room: number, ink: Ink): Placed[] | undefined {
  const least = items.reduce((sum, { name }) => sum + Math.min(LONGEST, name.length), 0);
  if (least > room) return undefined;
  const all = (cluster: Cluster): Placed => ({ cluster, line: named(cluster, cluster.items.length, ink) });
  return firstThatFits((grain) => clusters(items, grain).map(all), room);
}

/** How many there are below which directories, and names as far as there is room. */
function counts(items: readonly Item[], room: number, ink: Ink): Placed[] {
  const count = (cluster: Cluster): Placed => ({ cluster, line: counted(cluster, ink) });
  const all = firstThatFits((grain) => clusters(items, grain).map(count), room);
  if (all !== undefined) return addNames(all, room, ink);
  const placed: Placed[] = [];
  for (const next of clusters(items, 0).map(count)) {
    if (costOfPlaced([...placed, next]) <= room) placed.push(next);
  }
  return placed;
}

function firstThatFits(placing: (grain: number) => Placed[], room: number): Placed[] | undefined {
  for (const grain of GRAINS) {
    const placed = placing(grain);
    if (costOfPlaced(placed) <= room) return placed;
  }
  return undefined;
}

/** Puts names into lines of counts, as far as there is room: the first are the most telling. */
function addNames(placed: Placed[], room: number, ink: Ink): Placed[] {
  for (const one of placed) {
    const free = room - costOfPlaced(placed) + costOf([one.line]);
    // All of them may take less than all but one, and how many were left out.
    const all = named(one.cluster, one.cluster.items.length, ink);
    one.line = costOf([all]) <= free ? all : someNames(one, free, ink);
  }
  return placed;
}

/** With as many names as `free` bytes take; the line as it is when that is none. */
function someNames({ cluster, line }: Placed, free: number, ink: Ink): string {
  let [fits, best] = [0, line];
  for (let step = 256; step >= 1; step /= 2) {
    const names = Math.min(fits + step, cluster.items.length - 1);
    const longer = named(cluster, names, ink);
    if (names > fits && costOf([longer]) <= free) [fits, best] = [names, longer];
  }
  return best;
}

/** In the order in which they are told; `grain`: how many components of a directory count. */
function clusters(items: readonly Item[], grain: number): Cluster[] {
  const found = new Map<string, Cluster>();
  for (const item of items) {
    const { kind, verb, isOutside } = item;
    const above = item.dir.split('/').slice(0, -1).slice(0, grain);
    const prefix = above.map((part) => `${part}/`).join('');
    const key = `${verb} ${isOutside} ${prefix}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { kind, verb, isOutside, prefix, items: [item] });
    else known.items.push(item);
  }
  return [...found.values()].sort((a, b) => orderOf(a) - orderOf(b));
}

/** Deletions, what lies outside of the project, then the rest; what is gone before what is new. */
function orderOf({ verb, isOutside }: Cluster): number {
  const at = VERBS.indexOf(verb);
  if (verb === 'deleted') return isOutside ? 0 : 1;
  return at + (isOutside ? 1 : 1 + VERBS.length);
}

/** With the first `names` of its names, and how many are left out. */
function named(cluster: Cluster, names: number, ink: Ink): string {
  const { items, prefix } = cluster;
  const shown = items.slice(0, names).map((item) => nameOf(item, prefix));
  const left = countOf(items.slice(names));
  if (left > 0) shown.push(`… ${left} more`);
  const isRename = items[0]?.old !== undefined;
  if (items.length === 1) return paint(cluster, items.map((item) => nameOf(item, '')).join(''), ink);
  if (prefix === '' || isRename) return paint(cluster, shown.join(', '), ink);
  return paint(cluster, `${quoteName(shorten(prefix, LONGEST))}{${shown.join(',')}}`, ink);
}

function counted(cluster: Cluster, ink: Ink): string {
  const { items, prefix } = cluster;
  if (items.length === 1) {
    const line = named(cluster, 1, ink);
    if (Buffer.byteLength(line) <= SHORT) return line;
  }
  const root = items[0]?.dir.startsWith('/') ? '/' : './';
  return paint(cluster, `${countOf(items)} below ${quoteName(shorten(prefix || root, SHORT))}`, ink);
}

function nameOf({ dir, name, old, note }: Item, prefix: string): string {
  if (old === undefined) return `${quoteName(shorten(`${dir}${name}`.slice(prefix.length), LONGEST))}${note}`;
  return `${quoteName(shorten(old, LONGEST))} → ${quoteName(shorten(`${dir}${name}`, LONGEST))}${note}`;
}

function paint({ verb, isOutside }: Cluster, text: string, ink: Ink): string {
  const line = `  ${verb.padEnd(8)} ${text}`;
  if (isOutside) return ink.yellow(`${line}${OUTSIDE}`);
  return verb === 'deleted' || verb === 'emptied' ? ink.red(line) : line;
}

function countOf(items: readonly Item[]): number {
  return items.reduce((sum, { count }) => sum + count, 0);
}

function costOfPlaced(placed: readonly Placed[]): number {
  return placed.reduce((sum, { line }) => sum + costOf([line]), 0);
}
