/** How `log` looks: one line a marker, beside the tree; the ends of epochs between them. */
import { amount } from '../../agents/amount.ts';
import type { Log } from '../../history/past/log.ts';
import { currentEpoch, type Epoch, liveMarkers, type Marker } from '../../history/timeline/segments.ts';
import { isPartialAbort } from '../../history/timeline/turns.ts';
import { label } from '../../sys/bytes.ts';
import { drawTree, idleTravels, type Row } from './log-tree.ts';
import type { Paint } from './terminal.ts';
import { localTime } from './when.ts';

/** Characters of a command that the listing shows; `--json` has all. */
const LONGEST_COMMAND = 100;

/** The lines, the newest first, without their ends. Travels that led nowhere are a number in the last one, unless `all`. */
export function* logLines(log: Log, paint: Paint, all = true): Generator<string, void, undefined> {
  const epochs = [...log.timeline].reverse();
  const idle = epochs.map((epoch) => (all ? new Set<number>() : idleTravels(epoch, log.touched)));
  const drawn = epochs.map((epoch, i) => [...drawTree(epoch, idle[i])]);
  const width = Math.max(...drawn.flatMap((rows) => rows.map(({ graph }) => graph.length)));
  const pad = (graph: string): string => graph.padEnd(width);
  if (log.sinceLast > 0) yield `${pad('@')}   now  ${amount(log.sinceLast, 'path')} since then`;
  let isPresent = log.sinceLast === 0;
  for (const [i, epoch] of epochs.entries()) {
    for (const row of drawn[i] ?? []) {
      if (isToldElsewhere(row, epoch)) continue;
      const graph = isPresent ? row.graph.replace('●', '@') : row.graph;
      const base = { before: epochs[i + 1], epoch, mark: isPresent ? '@' : '◆', pad, paint };
      isPresent = false;
      yield row.index === 0 ? baseLine(log, base) : line(log, { row: { ...row, graph: pad(graph) }, epoch, paint });
    }
  }
  const left = epochs.flatMap(({ markers }, i) =>
    markers.filter(({ kind }, at) => kind === 'travel' && idle[i]?.has(at + 1)),
  );
  if (left.length > 0)
    yield paint.dim(`${amount(left.length, 'travel')} back and forth not shown: 'yolofs log --all' does`);
}

/** Of a log that is about paths: the markers before which something happened to them, the newest first, without the tree. */
export function* markerLines(log: Log, paint: Paint): Generator<string, void, undefined> {
  if (log.sinceLast > 0) yield `@   now  ${amount(log.sinceLast, 'path')} since then`;
  for (const epoch of [...log.timeline].reverse()) {
    const live = epoch.ended === 'abort' ? new Set() : liveMarkers(epoch);
    for (const [at, marker] of [...epoch.markers.entries()].reverse()) {
      if (log.touched(marker.generation) === 0) continue;
      const isLive = live.has(marker.generation);
      yield line(log, { row: { graph: isLive ? '●' : '○', index: at + 1, live: isLive }, epoch, paint });
    }
  }
}

/** A commit and an abort are one line each: the snapshot after it gives the first its number, the travel before it is the other. */
function isToldElsewhere({ index }: Row, epoch: Epoch): boolean {
  if (index === undefined || index === 0) return false;
  return (index === 1 && opener(epoch) !== undefined) || isPartialAbort(epoch, index - 1);
}

/** The snapshot that was taken with the end of the epoch before. */
function opener({ base, markers }: Epoch): Marker | undefined {
  const [first] = markers;
  return base > 0 && first?.kind === 'snapshot' && /^after (abort|commit|undo)\b/.test(first.name) ? first : undefined;
}

interface Base {
  /** The one that ended. */
  readonly before: Epoch | undefined;
  /** The one that began. */
  readonly epoch: Epoch;
  readonly mark: string;
  readonly pad: (graph: string) => string;
  readonly paint: Paint;
}

/** The base of an epoch: what ended the one before it made it. */
function baseLine({ endOf }: Log, { before, epoch, mark, pad, paint }: Base): string {
  const end = before === undefined ? undefined : endOf(before);
  if (end === undefined) return `${pad(mark)}     0  the files as they were`;
  const { body, time } = end;
  const commit = 'commit' in body && body.commit !== undefined ? ` ${body.commit}` : '';
  const what = { K: `commit${commit}`, A: 'abort', U: `undo of commit${commit}` }[body.tag as 'K' | 'A' | 'U'];
  const count = 'changes' in body ? body.changes : 0;
  const number = String(opener(epoch)?.generation ?? '').padStart(4);
  return `${pad(mark)}  ${number}  ${localTime(time)}  ${paint.bold(what)}  ${amount(count, 'change')}`;
}

function line(log: Log, { row, epoch, paint }: { row: Row; epoch: Epoch; paint: Paint }): string {
  const marker = epoch.markers[(row.index ?? 0) - 1];
  if (row.index === undefined || marker === undefined) return row.graph.trimEnd();
  const dead = !row.live || epoch.ended === 'abort';
  const text = `${row.graph}  ${markerText(marker, log.touched(marker.generation), dead ? undefined : paint)}`;
  const isBase = marker.generation === currentEpoch(log.timeline).base;
  const lost = epoch.dropped.has(marker.generation) && !isBase ? '  (no longer kept)' : '';
  return dead ? paint.dim(text + lost) : text + lost;
}

function markerText(marker: Marker, touched: number, paint: Paint | undefined): string {
  const { generation, name, target, command, time } = marker;
  const shown = label(name);
  const what = [
    target === undefined ? '' : `travel to ${target}`,
    shown && (paint?.bold(shown) ?? shown),
    command === undefined ? '' : shorten(label(command)),
    touched === 0 ? '' : `(${amount(touched, 'path')})`,
  ].filter(Boolean);
  return [String(generation).padStart(4), localTime(time), ...what].join('  ');
}

function shorten(text: string): string {
  return text.length <= LONGEST_COMMAND ? text : `${text.slice(0, LONGEST_COMMAND)}…`;
}
