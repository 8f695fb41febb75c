/** `yolofs log`: snapshots, travels, commits and aborts as a tree, the newest first. */
import { type Command, InvalidArgumentError } from 'commander';
import { Journal } from '../../history/log/journal.ts';
import { type Log, readLog } from '../../history/past/log.ts';
import { type Epoch, liveMarkers, type Marker, type Timeline } from '../../history/timeline/segments.ts';
import { type BytePath, type Gen, label } from '../../sys/bytes.ts';
import { isForGuest, unseenNames, veilFor } from '../look/guest-sight.ts';
import { toPaths } from '../look/path-words.ts';
import { type Reading, readSession, timelineOf } from '../look/read-session.ts';
import { LOG } from '../schemas/listings.ts';
import { jsonOption } from '../schemas/schema.ts';
import { sessionOf } from '../session.ts';
import { logLines, markerLines } from '../text/log-text.ts';
import { jsonItems, withEnds, writePieces } from '../text/output.ts';
import { paintFor } from '../text/terminal.ts';
import { rfc3339 } from '../text/when.ts';

/** One marker, as `--json` lists it. */
interface Entry {
  readonly generation: number;
  readonly kind: 'snapshot' | 'travel';
  readonly name: string;
  readonly target?: number;
  /** Whether it lies on the way to the present state. */
  readonly live: boolean;
  /** RFC 3339. */
  readonly time: string;
  readonly command?: string;
  /** False: gc has given it up, it cannot be gone to. */
  readonly kept?: false;
  /** What ended its epoch; missing in the present one. */
  readonly ended?: NonNullable<Epoch['ended']>;
}

export function define(command: Command): void {
  jsonOption(command, 'list as JSON', LOG)
    .argument('[path...]', 'only those that changed something there or below')
    .option('--all', 'each travel, also those that led nowhere')
    .option('-n, --max-count <number>', 'only so many snapshots, travels and commits, the latest', toCount)
    .action(log);
}

interface Options {
  readonly json?: true;
  readonly all?: true;
  readonly maxCount?: number;
}

function toCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a number.');
}

async function log(paths: readonly string[], options: Options, command: Command): Promise<void> {
  const most = options.maxCount ?? Number.POSITIVE_INFINITY;
  const asked = toPaths(paths);
  await readSession(sessionOf(command), async (reading) => {
    const told = reading === undefined ? undefined : await readAsked(reading, asked);
    if (options.json) {
      const isMeant = ({ generation }: Entry): boolean =>
        asked.length === 0 || (told?.touched(generation as Gen) ?? 0) > 0;
      const timeline = told?.timeline ?? timelineOf(undefined);
      const latest = first([...entriesOf(timeline)].reverse(), most, isMeant);
      return writePieces(jsonItems(latest.reverse()));
    }
    const paint = paintFor(process.stdout);
    if (told !== undefined && asked.length > 0) {
      const lines = first(markerLines(told, paint), most);
      return writePieces(withEnds(lines.length === 0 ? ['no snapshot changed anything there'] : lines));
    }
    if (told === undefined || (told.sinceLast === 0 && told.timeline.length === 1 && isEmpty(told.timeline[0]))) {
      return writePieces(['no snapshots\n']);
    }
    return writePieces(withEnds(firstOf(logLines(told, paint, options.all === true), most)));
  });
}

/** As whoever asks may see it: of what rules hide there is nothing to tell. */
async function readAsked(reading: Reading, asked: readonly BytePath[]): Promise<Log> {
  const unseen = await unseenNames(reading, asked);
  const seen = asked.filter((path) => !unseen.has(path));
  const isHidden = asked.length > 0 && seen.length === 0;
  const read = readLog(reading.session.journal, Journal.start, seen);
  const timeline = await shown(read.timeline, reading);
  return isHidden ? { ...read, timeline, touched: () => 0, sinceLast: 0 } : { ...read, timeline };
}

/** The first `most` that are meant; what comes after them is not looked at. */
function first<T>(items: Iterable<T>, most: number, isMeant: (item: T) => boolean = () => true): T[] {
  const found: T[] = [];
  if (most > 0) for (const item of items) if (isMeant(item) && found.push(item) === most) break;
  return found;
}

/** Lines that have a number or `now`; those between them only draw. */
function* firstOf(lines: Iterable<string>, most: number): Generator<string, void> {
  let left = most;
  for (const line of lines) {
    if (/\d| now /.test(line)) left -= 1;
    if (left < 0) return;
    yield line;
  }
}

/** As whoever asks may see it. */
async function shown(timeline: Timeline, reading: Reading | undefined): Promise<Timeline> {
  if (reading === undefined || !isForGuest()) return timeline;
  const texts = timeline.flatMap(({ markers }) => markers.flatMap(({ name, command = '' }) => [name, command]));
  const veil = await veilFor(reading, texts);
  const veiled = (marker: Marker): Marker => {
    const { name, command } = marker;
    return { ...marker, name: veil(name), command: command === undefined ? undefined : veil(command) };
  };
  const [first, ...others] = timeline;
  const shownOf = (epoch: Epoch): Epoch => ({ ...epoch, markers: epoch.markers.map(veiled) });
  return [shownOf(first), ...others.map(shownOf)];
}

function isEmpty({ markers }: Epoch): boolean {
  return markers.length === 0;
}

function* entriesOf(timeline: Timeline): Generator<Entry, void> {
  for (const epoch of timeline) {
    const live = epoch.ended === 'abort' ? new Set() : liveMarkers(epoch);
    for (const marker of epoch.markers) {
      const kept = !epoch.dropped.has(marker.generation);
      yield { ...toEntry(marker, live.has(marker.generation), epoch.ended), ...(kept ? {} : { kept }) };
    }
  }
}

function toEntry(marker: Marker, live: boolean, ended: Epoch['ended']): Entry {
  const { generation, kind, name, target, command, time } = marker;
  return {
    generation,
    kind,
    name: label(name),
    ...(target === undefined ? {} : { target }),
    live,
    time: rfc3339(time),
    ...(command === undefined ? {} : { command: label(command) }),
    ...(ended === undefined ? {} : { ended }),
  };
}
