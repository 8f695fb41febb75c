/** What a person should look at first, in a list that is read in seconds: what many files have in common is one line with their number. Pure. */
import { type Notice, reasonOf } from '../history/commit/notices/notices.ts';
import { type BytePath, components, isWithin, join, type Name, ROOT, splitPath } from '../sys/bytes.ts';
import { grouped } from '../sys/grouped.ts';

/** Of one kind and reason; beyond that they are told by directories. */
const MOST_OF_A_KIND = 10;
/** The same where the list would have more than `MOST_LINES` lines otherwise. */
const MOST_IN_A_LONG_LIST = 3;
const MOST_LINES = 15;
/** Of the settings or scripts of a file. */
const MOST_DETAILS = 5;
/** Directories of one kind and reason that are told of. */
const MOST_PLACES = 3;

/** A path with all that there is to say of it. */
export interface Noticed {
  readonly path: BytePath;
  /** The most telling one. */
  readonly kind: Notice['kind'];
  readonly all: readonly Notice[];
  /** What others may have in common with it: that it is a symlink, but not where in the project it leads. */
  readonly reason: string;
}

/** One line. */
export interface NoticeGroup {
  readonly members: readonly [Noticed, ...Noticed[]];
  readonly why: string;
  /** Of several: the directory that all are in, or below. */
  readonly place?: Place;
}

export interface Place {
  readonly word: 'in' | 'below';
  readonly directory: BytePath;
}

/** The most telling first, and none left out. What is in `project` stays apart from what is not. */
export function noticeGroups(notices: readonly Notice[], project: BytePath): NoticeGroup[] {
  const alike = [...grouped(noticedPaths(notices), ({ kind, reason }) => `${kind} ${reason}`).values()];
  const listed = (most: number): NoticeGroup[] =>
    alike.flatMap((members) => (members.length <= most ? members.map(alone) : byPlaces(members, project)));
  const groups = listed(MOST_OF_A_KIND);
  return groups.length > MOST_LINES ? listed(MOST_IN_A_LONG_LIST) : groups;
}

/** Each path once, where the most telling of its notices is. */
export function noticedPaths(notices: readonly Notice[]): Noticed[] {
  return [...grouped(notices, ({ path }) => path).values()].map((all) => {
    const { path, kind } = all[0];
    const isOnlyLink = kind === 'symlink' || kind === 'leaves';
    const inCommon = all.filter((notice) => notice.kind !== 'symlink').map(({ sentence }) => sentence);
    return { path, kind, all, reason: isOnlyLink ? 'symlinks' : together(inCommon) };
  });
}

/** All that there is to say of a path in words. */
export function whyOf({ all }: Noticed, mostDetails?: number): string {
  return together(all.map((notice) => reasonOf(notice, mostDetails)));
}

function together(reasons: readonly string[]): string {
  return [...new Set(reasons)].join('; ');
}

function alone(one: Noticed): NoticeGroup {
  return { members: [one], why: whyOf(one, MOST_DETAILS) };
}

function byPlaces(all: readonly Noticed[], project: BytePath): NoticeGroup[] {
  const isInside = ({ path }: Noticed): boolean => isWithin(path, project);
  const outside = all.filter((one) => !isInside(one));
  const placed = [...placesOf(all.filter(isInside), components(project).length), ...placesOf(outside, 0)];
  return placed.map(({ place, members }) => {
    const [first, second] = members;
    if (second === undefined) return alone(first);
    const why = reasonOf({ ...first, sentence: first.reason, details: detailsOf(members) }, MOST_DETAILS);
    return { members, why, place };
  });
}

/** What is meant in several files, the rarest first: what only one of them has is the most telling. */
function detailsOf(members: readonly Noticed[]): string[] {
  const names = members.flatMap(({ all }) => all.flatMap(({ details = [] }) => details));
  const found = [...grouped(names, (name) => name)].sort(([, a], [, b]) => a.length - b.length);
  return found.map(([name]) => name);
}

interface Placed {
  readonly place: Place;
  readonly members: NoticeGroup['members'];
}

/** What is in one directory, and what is noticed there. */
interface Directory {
  readonly names: readonly Name[];
  readonly members: NoticeGroup['members'];
}

/** By directories, or by those above them that are few enough; none of fewer names than `least`. */
function placesOf(all: readonly Noticed[], least: number): Placed[] {
  const own = [...grouped(all, ({ path }) => splitPath(path)?.dir ?? path)];
  if (own.length <= MOST_PLACES)
    return own.map(([directory, members]) => ({ place: { word: 'in', directory }, members }));
  const directories = own.map(([directory, members]) => ({ names: components(directory), members }));
  for (let depth = Math.max(...directories.map(({ names }) => names.length)); ; depth--) {
    const above = byDepth(directories, depth);
    if (above.length > MOST_PLACES && depth > Math.max(1, least)) continue;
    return above.flatMap((some) => withoutStrays(some, depth));
  }
}

function byDepth(directories: readonly Directory[], depth: number): (readonly [Directory, ...Directory[]])[] {
  return [...grouped(directories, ({ names }) => names.slice(0, depth).join('/')).values()];
}

/** Where all but a few are in one directory, it is the one that is told of, and the few are named. */
function withoutStrays(some: readonly [Directory, ...Directory[]], depth: number): Placed[] {
  const inside = byDepth(some, depth + 1).sort((one, other) => count(other) - count(one));
  const [most = some, ...others] = inside;
  const strays = others.flat().flatMap(({ members }) => members);
  if (strays.length > MOST_IN_A_LONG_LIST || strays.length >= count(most)) return [below(some)];
  return [below(most), ...strays.map((one) => ({ place: below(some).place, members: [one] as const }))];
}

function count(directories: readonly Directory[]): number {
  return directories.reduce((sum, { members }) => sum + members.length, 0);
}

function below([first, ...others]: readonly [Directory, ...Directory[]]): Placed {
  return {
    place: { word: 'below', directory: shared(first.names, others).reduce(join, ROOT) },
    members: [...first.members, ...others.flatMap(({ members }) => members)] as const,
  };
}

/** The names that all begin with. */
function shared(first: readonly Name[], others: readonly { readonly names: readonly Name[] }[]): readonly Name[] {
  const end = first.findIndex((name, at) => others.some(({ names }) => names[at] !== name));
  return end < 0 ? first : first.slice(0, end);
}
