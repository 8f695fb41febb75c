/** What a person is shown before they agree to changes: what to look at first, then the rest, by directories where it is long. */
import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { Replies } from '../../daemon/protocol.ts';
import { type Notice, reasonOf } from '../../history/commit/notices/notices.ts';
import { type NoticeGroup, noticedPaths, noticeGroups, whyOf } from '../../review/notice-groups.ts';
import { label } from '../../sys/bytes.ts';
import { grouped } from '../../sys/grouped.ts';
import type { Paint } from './terminal.ts';

/** Steps that are shown one by one. */
const MOST_STEPS = 40;

/** With a heading; nothing where there is nothing to tell. `whole`: each by itself, however many. */
export function noticeLines(notices: readonly Notice[], from: Viewpoint, paint: Paint, whole = false): string[] {
  if (notices.length === 0) return [];
  const each = noticedPaths(notices);
  const lines = whole
    ? each.map((one) => noticeLine({ members: [one], why: whyOf(one) }, from, paint))
    : noticeGroups(notices, from.project).map((group) => noticeLine(group, from, paint));
  return [paint.bold(`Look at this first (${each.length})`), ...lines];
}

function noticeLine(group: NoticeGroup, from: Viewpoint, paint: Paint): string {
  const [{ kind }] = group.members;
  const isCommon = group.place !== undefined || kind === 'executable' || kind === 'symlink' || kind === 'build';
  return `  ${(isCommon ? paint.yellow : paint.red)(placeText(group, from))}  ${paint.dim(group.why)}`;
}

/** The path that a line of the list is about, or how many and where. */
export function placeText({ members, place }: NoticeGroup, from: Viewpoint): string {
  if (place === undefined) return showPath(members[0].path, from);
  return `${members.length} ${place.word} ${showPath(place.directory, from, 'directory')}`;
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
