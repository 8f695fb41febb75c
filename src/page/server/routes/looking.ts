/** What is staged: GET /api/review, /api/entries, /api/file. */
import { reasonOf } from '../../../history/commit/notices/notices.ts';
import { asRename } from '../../../history/diff/text/renames.ts';
import type { BlameRange, EntriesReply, FileReply, Group, GroupName, ReviewReply, ShownHunk } from '../../protocol.ts';
import { wrong } from '../http/body.ts';
import { type Answer, type Call, countOf } from '../http/routes.ts';
import { type ModelEntry, shownEntry } from '../model/entry.ts';
import { fileBody, type Page } from '../model/file-reply.ts';
import { type FirstRows, GROUPS, type Model } from '../model/model.ts';
import { shownNotices } from '../model/notices.ts';
import { shownPath } from '../model/show.ts';
import { blameOf } from '../model/written.ts';
import type { PageState } from '../state.ts';
import { contentStamp } from '../text/latest.ts';
import { readText } from '../text/read-text.ts';

const FIRST_PAGE = 1000;
const MOST_ENTRIES = 5000;
const MOST_ROWS = 10_000;
const FEW_ROWS = 2000;

/** All of it; before very much was read, what is known of the project by then. */
export async function reviewSoon(state: PageState, { query }: Pick<Call, 'query'>): Promise<Answer> {
  const whole = state.inTurn(() => review(state));
  if (state.isRead || query.has('whole')) return whole;
  whole.catch(() => undefined);
  return Promise.race([whole, state.firstRows.then((rows) => partOf(state, rows))]);
}

/** Nothing of it can be decided before all is read: whoever asks waits for that. */
function partOf(state: PageState, { generation, facts, entries }: FirstRows): Answer {
  const count = entries.length;
  const files = entries.filter(({ change }) => change.type !== 'directory').length;
  const deleted = entries.filter(({ change }) => change.change === 'deleted').length;
  const reply: ReviewReply = {
    ...{ version: 1, project: state.host.layout.project, generation, notices: [], count, fallen: [] },
    groups: [{ name: 'project', count, files, deleted, size: 0, said: [], choice: 'leave' }],
    entries: entries.map((entry) => shownEntry(entry, 'leave', facts)),
    counts: { take: 0, leave: count, reject: 0, mixed: 0 },
    isPartial: true,
  };
  return { json: reply };
}

async function review(state: PageState): Promise<Answer> {
  const model = await state.fresh();
  const groups = GROUPS.filter((name) => model.of(name).length > 0);
  const first = [...model.of('project'), ...model.of('outside')].slice(0, FIRST_PAGE);
  const reply: ReviewReply = {
    ...{ version: model.version, project: state.host.layout.project, generation: model.generation },
    notices: shownNotices(model.notices, model, state.host.layout.project),
    groups: groups.map((name) => groupOf(state, model, name)),
    entries: first.map((entry) => state.shown(entry, model)),
    count: model.entries.size,
    counts: state.decisions.countsOf(model.entries.values()),
    fallen: state.takeFallen().map(({ change }) => shownPath(change.path)),
  };
  return { json: reply };
}

function groupOf(state: PageState, model: Model, name: GroupName): Group {
  const entries = model.of(name);
  const of = (isMeant: (entry: ModelEntry) => boolean): number => entries.filter(isMeant).length;
  return {
    ...{ name, count: entries.length },
    files: of(({ change }) => change.type !== 'directory'),
    deleted: of(({ change }) => change.change === 'deleted'),
    size: model.sizeOf(name),
    said: model.saidOf(name),
    choice: state.choiceOfGroup(model, name),
  };
}

export async function entries(state: PageState, { query }: Call): Promise<Answer> {
  const group = GROUPS.find((name) => name === query.get('group'));
  if (group === undefined) throw wrong('group');
  const model = await state.model();
  const [from, count] = [countOf(query, 'from', 0), countOf(query, 'count', FIRST_PAGE, MOST_ENTRIES)];
  const all = model.of(group);
  const page = all.slice(from, from + count).map((entry) => state.shown(entry, model));
  const reply: EntriesReply = { version: model.version, entries: page, total: all.length };
  return { json: reply };
}

export async function file(state: PageState, { query }: Call): Promise<Answer> {
  const model = await state.model();
  const entry = state.entryOf(model, query.get('id') ?? '');
  const partOf = (key: string): ReturnType<typeof state.decisions.partOf> => state.decisions.partOf(entry, key);
  const facts = state.factsOf(model);
  const similar = await state.similar.of(entry, model);
  const isCompared = entry.change.change === 'added' && similar?.isText === true && !query.has('whole');
  const change = isCompared ? asRename(entry.change, similar.entry.change) : entry.change;
  const stamp = contentStamp(change, facts);
  const text = await state.text.of(stamp, () => readText(change, facts));
  const body = fileBody({ change, facts, text, page: pageOf(query), partOf: isCompared ? undefined : partOf });
  entry.lines = { added: body.added, removed: body.removed };
  const why = model.notices.filter(({ path }) => path === entry.change.path).map((notice) => reasonOf(notice));
  const choice = state.decisions.choiceOf(entry);
  const ranges = await state.blame.of(stamp && `${model.version} ${stamp}`, () => rangesOf(entry, body.hunks, model));
  const hunks = withCommands(body.hunks, ranges);
  const reply: FileReply = {
    version: model.version,
    entry: shownEntry(entry, choice, facts),
    ...body,
    hunks,
    notices: why,
    ...(similar && { similar: { id: similar.entry.id, ...shownPath(similar.entry.change.path) } }),
  };
  return { json: reply };
}

/** Journals that are read for each file that somebody looks at. */
const MOST_READ = 4 << 20;

function rangesOf(entry: ModelEntry, hunks: readonly ShownHunk[], { opened, facts }: Model): readonly BlameRange[] {
  if (opened === undefined || facts === undefined || hunks.length === 0) return [];
  return opened.reading.session.journal.size > MOST_READ ? [] : blameOf(entry, opened, facts);
}

/** Each with the command that wrote the last of its lines. */
function withCommands(hunks: readonly ShownHunk[], ranges: readonly BlameRange[]): readonly ShownHunk[] {
  if (ranges.length === 0) return hunks;
  return hunks.map((hunk) => {
    const own = writtenLines(hunk);
    const within = ranges.filter(({ start, count }) => own.some((line) => line >= start && line < start + count));
    const last = within.reduce<BlameRange | undefined>(laterOf, undefined);
    return last?.command === undefined ? hunk : { ...hunk, command: last.command };
  });
}

/** The numbers of its new lines. */
function writtenLines({ lines, newStart, newAt = newStart }: ShownHunk): number[] {
  let at = newAt;
  return lines.flatMap((line) => {
    if (line.startsWith('+') || line.startsWith(' ')) at += 1;
    return line.startsWith('+') ? [at - 1] : [];
  });
}

function laterOf(last: BlameRange | undefined, range: BlameRange): BlameRange {
  return last !== undefined && last.generation > range.generation ? last : range;
}

export function pageOf(query: URLSearchParams): Page {
  const [from, count] = [countOf(query, 'from', 0), countOf(query, 'count', FEW_ROWS, MOST_ROWS)];
  return { from, count, hunk: query.has('hunk') ? countOf(query, 'hunk', 0) : undefined };
}
