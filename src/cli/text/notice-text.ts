/** What a person is shown before they agree to changes: what to look at first, then the rest, by directories where it is long. */
import { isOutside, showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { Replies } from '../../daemon/protocol.ts';
import { type Notice, reasonOf } from '../../history/commit/notices/notices.ts';
import { type BytePath, components, join, label, type Name, ROOT, splitPath } from '../../sys/bytes.ts';
import type { Paint } from './terminal.ts';

/** Of one kind and reason; beyond that they are told by directories. */
const MOST_OF_A_KIND = 10;
/** The same where the list would have more than `MOST_LINES` lines otherwise. */
const MOST_IN_A_LONG_LIST = 3;
const MOST_LINES = 15;
/** Of the settings or scripts of a file. */
const MOST_DETAILS = 5;
/** Directories of one kind and reason that are told of. */
const MOST_PLACES = 3;
/** Steps that are shown one by one. */
const MOST_STEPS = 40;

/** With a heading; nothing where there is nothing to tell. `whole`: each by itself, however many. */
export function noticeLines(notices: readonly Notice[], from: Viewpoint, paint: Paint, whole = false): string[] {
  if (notices.length === 0) return [];
  const once = oncePerPath(notices);
  const groups = [...grouped(once, ({ kind, reason }) => `${kind} ${reason}`).values()];
  const listed = (most: number): string[] =>
    groups.flatMap((group) =>
      group.length <= most ? group.map((one) => single(one, from, paint, whole)) : folded(group, from, paint),
    );
  const lines = listed(whole ? Number.POSITIVE_INFINITY : MOST_OF_A_KIND);
  const isLong = !whole && lines.length > MOST_LINES;
  return [paint.bold(`Look at this first (${once.length})`), ...(isLong ? listed(MOST_IN_A_LONG_LIST) : lines)];
}

interface Told {
  readonly path: BytePath;
  readonly kind: Notice['kind'];
  readonly all: readonly Notice[];
  /** What others may have in common with it: that it is a symlink, but not where in the project it leads. */
  readonly reason: string;
}

/** A path with all its reasons, where the most telling one is. */
function oncePerPath(notices: readonly Notice[]): Told[] {
  return [...grouped(notices, ({ path }) => path).values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { path, kind } = first;
    const isOnlyLink = kind === 'symlink' || kind === 'leaves';
    const inCommon = all.filter((notice) => notice.kind !== 'symlink').map(({ sentence }) => sentence);
    return [{ path, kind, all, reason: isOnlyLink ? 'symlinks' : together(inCommon) }];
  });
}

function together(reasons: readonly string[]): string {
  return [...new Set(reasons)].join('; ');
}

/** What a commit would do, as it is put to a person: all that matters by itself, and every count is of all. */
export function planLines(plan: Replies['commit'], from: Viewpoint, paint: Paint): string[] {
  const notices = noticeLines(plan.notices ?? [], from, paint);
  const heading = notices.length === 0 ? [] : [paint.bold(`All that would be done (${plan.steps.length})`)];
  return [...notices, ...heading, ...stepLines(plan.steps).map((line) => `  ${line}`)];
}

/** Steps in lines; many in one directory are one line with their number. */
function stepLines(steps: readonly string[]): string[] {
  if (steps.length <= MOST_STEPS) return [...steps];
  const groups = grouped(steps, (step) => directoryOf(step) ?? step);
  // Directories by themselves may still be many: then by those above them.
  return [...(groups.size <= MOST_STEPS ? groups : upward(steps))].map(([title, members]) =>
    members.length === 1 ? (members[0] ?? '') : `${title}: ${members.length}`,
  );
}

/** `create file in /a/b/`; undefined for what has two paths. */
function directoryOf(step: string, depth = Number.POSITIVE_INFINITY): string | undefined {
  const [, verb, path] =
    /^(create \w+|delete|link|replace file|rewrite file|set attributes of) (\/.*)$/s.exec(step) ?? [];
  if (verb === undefined || path === undefined) return undefined;
  const names = path.split('/').slice(0, -1);
  return `${verb} ${names.length > depth + 1 ? 'below' : 'in'} ${names.slice(0, depth + 1).join('/')}/`;
}

/** By the deepest directories of which there are few enough. */
function upward(steps: readonly string[]): Map<string, string[]> {
  let best = grouped(steps, (step) => directoryOf(step, 0) ?? step.split(' ', 1)[0] ?? '');
  for (let depth = 1; ; depth++) {
    const next = grouped(steps, (step) => directoryOf(step, depth) ?? step.split(' ', 1)[0] ?? '');
    if (next.size > MOST_STEPS || next.size === best.size) return best;
    best = next;
  }
}

/** As `--json` tells it. */
export function printableNotice(notice: Notice): object {
  return { path: label(notice.path), kind: notice.kind, why: reasonOf(notice) };
}

function single({ path, kind, all }: Told, from: Viewpoint, paint: Paint, whole: boolean): string {
  const colour = kind === 'executable' || kind === 'symlink' || kind === 'build' ? paint.yellow : paint.red;
  const most = whole ? Number.POSITIVE_INFINITY : MOST_DETAILS;
  return `  ${colour(showPath(path, from))}  ${paint.dim(together(all.map((notice) => reasonOf(notice, most))))}`;
}

function folded(group: readonly Told[], from: Viewpoint, paint: Paint): string[] {
  return [...placesOf(group, from)].map(([place, members]) => {
    const [first, second] = members;
    if (first === undefined) return '';
    if (second === undefined) return single(first, from, paint, false);
    const why = reasonOf({ ...first, sentence: first.reason, details: detailsOf(members) }, MOST_DETAILS);
    return `  ${paint.yellow(`${members.length} ${place}`)}  ${paint.dim(why)}`;
  });
}

/** What is meant in several files, the rarest first: what only one of them has is the most telling. */
function detailsOf(group: readonly Told[]): string[] {
  const names = group.flatMap(({ all }) => all.flatMap(({ details = [] }) => details));
  const found = [...grouped(names, (name) => name)].sort(([, a], [, b]) => a.length - b.length);
  return found.map(([name]) => name);
}

/** By directories, or by those above them that are few enough: what is in the project stays apart. */
function placesOf(group: readonly Told[], from: Viewpoint): ReadonlyMap<string, readonly Told[]> {
  const directoryOf = (path: BytePath): readonly Name[] => components(splitPath(path)?.dir ?? path);
  const least = components(from.project).length;
  const shown = (names: readonly Name[]): string => showPath(names.reduce(join, ROOT), from, 'directory');
  const own = grouped(group, ({ path }) => `in ${shown(directoryOf(path))}`);
  if (own.size <= MOST_PLACES) return own;
  for (let depth = Math.max(...group.map(({ path }) => directoryOf(path).length)); ; depth--) {
    const above = grouped(
      group,
      ({ path }) =>
        `below ${shown(directoryOf(path).slice(0, isOutside(path, from) ? depth : Math.max(depth, least)))}`,
    );
    if (above.size <= MOST_PLACES || depth <= 1) return above;
  }
}

function grouped<T>(all: Iterable<T>, keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
