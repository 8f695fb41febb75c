/** `yolofs log`: the snapshots since the last commit or abort, the newest first. */
import type { Command } from 'commander';
import { currentEpoch, liveMarkers, type Marker } from '../../history/segments.ts';
import { label } from '../../sys/bytes.ts';
import { writePieces } from '../output.ts';
import { type Reading, readSession, timelineOf } from '../read-session.ts';
import { sessionOf } from '../session.ts';
import { type Paint, paintFor } from '../terminal.ts';

/** Characters of a command that the text listing shows; `--json` has all. */
const LONGEST_COMMAND = 100;

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
}

export function define(command: Command): void {
  command.option('--json', 'list as JSON').action(log);
}

async function log(options: { json?: true }, command: Command): Promise<void> {
  await readSession(sessionOf(command), async (reading) => {
    const entries = reading === undefined ? [] : entriesOf(reading);
    if (options.json) return writePieces([`${JSON.stringify(entries)}\n`]);
    if (entries.length === 0) return writePieces(['no snapshots\n']);
    const paint = paintFor(process.stdout);
    return writePieces(entries.reverse().map((entry) => `${renderEntry(entry, paint)}\n`));
  });
}

function entriesOf(reading: Reading): Entry[] {
  const epoch = currentEpoch(timelineOf(reading));
  const live = liveMarkers(epoch);
  return epoch.markers.map((marker) => toEntry(marker, live.has(marker.generation)));
}

function toEntry(marker: Marker, live: boolean): Entry {
  const { generation, kind, name, target, command, time } = marker;
  return {
    generation,
    kind,
    name: label(name),
    ...(target === undefined ? {} : { target }),
    live,
    time: new Date(time.sec * 1000 + time.nsec / 1e6).toISOString(),
    ...(command === undefined ? {} : { command: label(command) }),
  };
}

function renderEntry(entry: Entry, paint: Paint): string {
  const { generation, name, target, live, time, command } = entry;
  const when = new Date(time).toLocaleString('sv-SE');
  const what = [
    target === undefined ? '' : `travel to ${target}`,
    name && paint.bold(name),
    command?.slice(0, LONGEST_COMMAND),
  ].filter(Boolean);
  const line = `${live ? '*' : ' '} ${String(generation).padStart(4)}  ${when}  ${what.join('  ')}`;
  return live ? line : paint.dim(line);
}
