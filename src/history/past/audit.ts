/**
 * Every record of the journal as something to tell people: who did what, when, for which command, and whether it is
 * still on the way to the present. Streams, in the order of the journal; of all records it holds only the markers and
 * the command lines of runs.
 */
import type { Time } from '../../staging/inode.ts';
import type { BytePath, Gen } from '../../sys/bytes.ts';
import { isWithin } from '../../sys/bytes.ts';
import type { Journal, Scanned } from '../log/journal.ts';
import type { Body, JournalRecord, Tag, Who } from '../log/record.ts';
import type { Range, StatePoint } from '../timeline/ranges.ts';
import {
  buildTimeline,
  liveMarkers,
  liveSegments,
  MARKER_TAGS,
  type Run,
  type Timeline,
} from '../timeline/segments.ts';

/** One record, told. Names, paths and command lines are bytes. */
export interface AuditEntry {
  readonly time: Time;
  readonly generation: Gen;
  readonly body: Body;
  readonly who: Who;
  /** The command line of its run, where the journal tells it. */
  readonly command: string | undefined;
  /** Whether it is on the way to the present state, not on an abandoned branch or aborted. */
  readonly live: boolean;
  /** Nobody did it there: it makes anew what stayed staged over another base. */
  readonly carried: boolean;
}

export interface AuditQuery {
  /** Default: everything. What comes between its ends in the journal, whatever the branch. */
  readonly range?: Range | undefined;
  /** Only what happened to these and below them; nothing = everything. */
  readonly paths: readonly BytePath[];
}

/** What `audit` needs to know of the whole journal before it begins. */
export interface AuditIndex {
  readonly timeline: Timeline;
  /** Command lines by run. */
  readonly commands: ReadonlyMap<number, string>;
  /** Where carried records are, in the order of the journal. */
  readonly carried: readonly Run[];
}

const INDEXED: ReadonlySet<Tag> = new Set<Tag>([...MARKER_TAGS, 'N']);

/** Reads markers and command lines. Throws JournalDamaged. */
export function indexJournal(journal: Journal, start: number): AuditIndex {
  const commands = new Map<number, string>();
  const carried: Run[] = [];
  const records = notingCarried(noting(journal.scan({ only: INDEXED }), commands), carried);
  return { timeline: buildTimeline(records, { start, end: journal.size }), commands, carried };
}

/** Yields the records that are asked for, the oldest first. Throws JournalDamaged. */
export function* audit(journal: Journal, index: AuditIndex, query: AuditQuery): Generator<AuditEntry, void, undefined> {
  const [from, to] = query.range === undefined ? [0, journal.size] : windowOf(query.range, journal.size);
  const isLive = liveness(index.timeline);
  const isCarried = within(index.carried);
  for (const { offset, record } of journal.scan({ from, to })) {
    const { time, generation, who } = record;
    if (!concerns(record.body, query.paths)) continue;
    const { body } = record;
    const command = index.commands.get(who.run);
    yield { time, generation, body, who, command, live: isLive(offset, record), carried: isCarried(offset) };
  }
}

/** The paths that a record is about: for a rename or a link the old one, then the new one. */
export function pathsOf(body: Body): BytePath[] {
  switch (body.tag) {
    case 'S':
    case 'D':
    case 'M':
      return [body.path];
    case 'R':
      return [body.from, body.to];
    case 'L':
      return [body.existing, body.path];
    default:
      return [];
  }
}

/** The same, and what a rule was asked about. */
export function mentionedIn(body: Body): BytePath[] {
  return body.tag === 'G' && body.fields[3] !== undefined ? [body.fields[3] as BytePath] : pathsOf(body);
}

/** The note that SessionHistory writes when a run changes something for the first time. */
function* noting(records: Iterable<Scanned>, commands: Map<number, string>): Generator<Scanned> {
  for (const scanned of records) {
    const { body, who } = scanned.record;
    if (body.tag === 'N' && body.fields[0] === 'run' && body.fields[1] !== undefined) {
      commands.set(who.run, body.fields[1]);
    } else if (body.tag === 'P' && body.command !== undefined && !commands.has(who.run)) {
      commands.set(who.run, body.command);
    }
    yield scanned;
  }
}

/** Notes from where to where what a record carries along reaches: the snapshot that is its last is a state by itself. */
function* notingCarried(records: Iterable<Scanned>, carried: Run[]): Generator<Scanned> {
  let start: number | undefined;
  for (const scanned of records) {
    const { body } = scanned.record;
    if (body.tag === 'P' && start !== undefined) {
      carried.push({ start, end: scanned.offset });
      start = undefined;
    }
    if ('carried' in body && (body.carried ?? 0) > 0) start = scanned.next;
    yield scanned;
  }
}

/** Whether offsets are in one of these, which are asked in the order of the journal. */
export function within(runs: readonly Run[]): (offset: number) => boolean {
  let at = 0;
  return (offset) => {
    while (offset >= (runs[at]?.end ?? Number.POSITIVE_INFINITY)) at += 1;
    return offset >= (runs[at]?.start ?? Number.POSITIVE_INFINITY);
  };
}

/** Bytes of the journal: from after the marker of the earlier end to the marker of the later one. */
function windowOf({ from, to }: Range, size: number): [number, number] {
  const [a, b] = [offsetOf(from, size), offsetOf(to, size)];
  return a < b ? [a, b] : [b, a];
}

function offsetOf({ epoch, generation }: StatePoint, size: number): number {
  if (generation === undefined) return size;
  return epoch.markers.find((marker) => marker.generation === generation)?.next ?? epoch.start;
}

/** Whether something happened to one of the paths, or any without one; what happened to a directory above moved it, too. */
export function concerns(body: Body, paths: readonly BytePath[]): boolean {
  if (paths.length === 0) return true;
  const moves = body.tag === 'R';
  return mentionedIn(body).some((path) =>
    paths.some((asked) => isWithin(path, asked) || (moves && isWithin(asked, path))),
  );
}

/** Answers for records in the order of the journal. */
function liveness(timeline: Timeline): (offset: number, record: JournalRecord) => boolean {
  const kept = timeline.filter((epoch) => epoch.ended !== 'abort');
  const segments = kept.flatMap((epoch) => liveSegments(epoch));
  const markers = new Set(kept.flatMap((epoch) => [...liveMarkers(epoch)]));
  const isInSegment = within(segments);
  const isInEpoch = within(timeline);
  return (offset, { body, generation }) => {
    if (body.tag === 'P' || body.tag === 'T') return markers.has(generation);
    // What ends an epoch lies outside of all of them.
    return !isInEpoch(offset) || isInSegment(offset);
  };
}
