/** How it came to be: GET /api/timeline, /api/audit, /api/blame; POST /api/travel. */
import { noteDecision } from '../../../agents/decisions.ts';
import { outputsOf } from '../../../agents/outputs.ts';
import { Journal } from '../../../history/log/journal.ts';
import {
  buildTimeline,
  type Epoch,
  liveMarkers,
  MARKER_TAGS,
  type Marker,
} from '../../../history/timeline/segments.ts';
import { label } from '../../../sys/bytes.ts';
import type { AuditReply, BlameReply, TimelineEntry, TimelineReply, TravelReply } from '../../protocol.ts';
import type { Opened } from '../host.ts';
import { numberIn } from '../http/body.ts';
import type { Answer, Call } from '../http/routes.ts';
import { blameOf } from '../model/written.ts';
import type { PageState } from '../state.ts';

const MOST_RECORDS = 500;

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
