/** How it came to be: GET /api/timeline, /api/compare, /api/audit; POST /api/travel. */
import { noteDecision } from '../../../agents/decisions.ts';
import { outputsOf } from '../../../agents/outputs.ts';
import type { PathChange } from '../../../history/diff/changes.ts';
import { Facts } from '../../../history/diff/facts.ts';
import { Journal } from '../../../history/log/journal.ts';
import {
  buildTimeline,
  type Epoch,
  liveMarkers,
  MARKER_TAGS,
  type Marker,
} from '../../../history/timeline/segments.ts';
import { isWithin, label, toBytePath } from '../../../sys/bytes.ts';
import { UserError } from '../../../sys/user-error.ts';
import type {
  AuditReply,
  BlameReply,
  CompareReply,
  FileReply,
  ShownEntry,
  TimelineEntry,
  TimelineReply,
  TravelReply,
} from '../../protocol.ts';
import type { Opened } from '../host.ts';
import { numberIn } from '../http/body.ts';
import { type Answer, type Call, countOf } from '../http/routes.ts';
import { fileBody } from '../model/file-reply.ts';
import { idOf, shownPath } from '../model/show.ts';
import { blameOf } from '../model/written.ts';
import type { PageState } from '../state.ts';
import { contentStamp } from '../text/latest.ts';
import { readText } from '../text/read-text.ts';
import { pageOf } from './looking.ts';

const MOST_RECORDS = 500;
const FIRST_PAGE = 1000;
const MOST_ENTRIES = 5000;

export async function timeline(state: PageState): Promise<Answer> {
  const { opened, generation } = await state.fresh();
  const reply: TimelineReply = { generation, entries: opened === undefined ? [] : timelineEntries(opened, state) };
  return { json: reply };
}

function timelineEntries({ reading: { session } }: Opened, { host }: PageState): TimelineEntry[] {
  const outputs = outputsOf(host.layout);
  const { journal } = session;
  const epochs = buildTimeline(journal.scan({ only: MARKER_TAGS }), { start: Journal.start, end: journal.size });
  return epochs.flatMap((epoch, number) => {
    const live = epoch.ended === 'abort' ? new Set<number>() : new Set<number>(liveMarkers(epoch));
    return epoch.markers.map((marker, index) => {
      const before = epoch.markers[index - 1]?.generation ?? epoch.base;
      const place = { epoch, number, before, live: live.has(marker.generation) };
      return timelineEntry(marker, { ...place, output: outputs.get(marker.generation) });
    });
  });
}

interface Place {
  readonly epoch: Epoch;
  readonly number: number;
  /** The generation in force before it. */
  readonly before: number;
  readonly live: boolean;
  readonly output: string | undefined;
}

function timelineEntry(marker: Marker, { epoch, number, before, live, output }: Place): TimelineEntry {
  const { generation, kind, name, target, time, command } = marker;
  return {
    ...{ generation, kind, name: label(name), live, epoch: number, kept: !epoch.dropped.has(generation) },
    ...{ parent: target ?? before, time: new Date(time.sec * 1000 + time.nsec / 1e6).toISOString() },
    ...(target === undefined ? {} : { target }),
    ...(command === undefined ? {} : { command: label(command) }),
    ...(output === undefined ? {} : { output }),
    ...(epoch.ended === undefined ? {} : { ended: epoch.ended }),
  };
}

export async function travel(state: PageState, { body }: Call): Promise<Answer> {
  const { layout } = state.host;
  const done = await state.host.ask({ op: 'travel', to: String(numberIn(body, 'generation')) });
  const { target, name, from, changes, running } = done;
  noteDecision(layout, `the person went to snapshot ${target}: the files in the view are as of then`);
  const model = await state.renew();
  state.stream.send({ event: 'changed', generation: model.generation });
  const reply: TravelReply = { target, name: label(name), from, changes, running };
  return { json: reply };
}

export async function compare(state: PageState, { query }: Call): Promise<Answer> {
  const { changes } = await compared(state, query);
  const [from, count] = [countOf(query, 'from', 0), countOf(query, 'count', FIRST_PAGE, MOST_ENTRIES)];
  const project = toBytePath(state.host.layout.project);
  const entries = changes.slice(from, from + count).map((change) => comparedEntry(change, project));
  const reply: CompareReply = { entries, total: changes.length };
  return { json: reply };
}

/** GET /api/file of a comparison: nothing in it is decided. */
export async function comparedFile(state: PageState, { query }: Call): Promise<Answer> {
  const { changes, version, opened } = await compared(state, query);
  const change = changes.find(({ path }) => idOf(path) === query.get('id'));
  if (change === undefined) throw new UserError('nothing is different there', undefined, { code: 'outdated' });
  const facts = new Facts(opened.reading.base, opened.reading.store);
  const text = await state.text.of(contentStamp(change, facts), () => readText(change, facts));
  const body = fileBody({ change, facts, text, page: pageOf(query), partOf: undefined });
  const entry = comparedEntry(change, toBytePath(state.host.layout.project));
  const reply: FileReply = { version, entry, ...body, notices: [] };
  return { json: reply };
}

interface Compared {
  readonly version: number;
  readonly opened: Opened;
  readonly changes: readonly PathChange[];
}

/** The last comparison, for the pages of it. */
const LATEST = new WeakMap<Opened, { readonly words: string; readonly changes: readonly PathChange[] }>();

/** Between generation `a` and `b`, or the present state. Throws a UserError for one that cannot be shown. */
export async function compared(state: PageState, query: URLSearchParams): Promise<Compared> {
  const { opened, version } = await state.model();
  if (opened === undefined) throw new UserError('there are no snapshots yet');
  const [a, b] = [countOf(query, 'a', 0), query.has('b') ? countOf(query, 'b', 0) : undefined];
  const words = `${a}..${b ?? ''}`;
  const known = LATEST.get(opened);
  const changes = known?.words === words ? known.changes : [...opened.changes({ a, b })];
  LATEST.set(opened, { words, changes });
  return { version, opened, changes };
}

function comparedEntry({ path, change, type, from }: PathChange, project: PathChange['path']): ShownEntry {
  const group = isWithin(path, project) ? 'project' : 'outside';
  const shown = { id: idOf(path), group, ...shownPath(path), change, type, choice: 'leave' } as const;
  return from === undefined ? shown : { ...shown, from: shownPath(from) };
}

export async function audit(state: PageState, { query }: Call): Promise<Answer> {
  const model = await state.model();
  const { change } = state.entryOf(model, query.get('id') ?? '');
  const records = [...(model.opened?.audit(change.path) ?? [])].slice(-MOST_RECORDS).reverse();
  const reply: AuditReply = { records };
  return { json: reply };
}

export async function blame(state: PageState, { query }: Call): Promise<Answer> {
  const model = await state.model();
  const entry = state.entryOf(model, query.get('id') ?? '');
  const { opened, facts } = model;
  const reply: BlameReply = { ranges: opened && facts ? blameOf(entry, opened, facts) : [] };
  return { json: reply };
}
