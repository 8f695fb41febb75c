/** How `log` looks: one line a marker, beside the tree; the ends of epochs between them. */
import { amount } from '../../agents/amount.ts';
import type { Log } from '../../history/audit/log.ts';
import { currentEpoch, destinationOf, type Epoch, type Marker } from '../../history/segments.ts';
import { label } from '../../sys/bytes.ts';
import { drawTree, type Row } from './log-tree.ts';
import type { Paint } from './terminal.ts';
import { localTime } from './when.ts';

/** Characters of a command that the listing shows; `--json` has all. */
const LONGEST_COMMAND = 100;

/** The lines, the newest first, without their ends. */
export function* logLines(log: Log, paint: Paint): Generator<string, void, undefined> {
  const epochs = [...log.timeline].reverse();
  const drawn = epochs.map((epoch) => [...drawTree(epoch)]);
  const width = Math.max(...drawn.flatMap((rows) => rows.map(({ graph }) => graph.length)));
  const pad = (graph: string): string => graph.padEnd(width);
  if (log.sinceLast > 0) yield `${pad('@')}   now  ${amount(log.sinceLast, 'path')} since then`;
  let isPresent = log.sinceLast === 0;
  for (const [i, epoch] of epochs.entries()) {
    for (const row of drawn[i] ?? []) {
      const isBase = row.index === 0;
      const graph = isPresent ? row.graph.replace('●', '@') : row.graph;
      isPresent = false;
      yield isBase
        ? baseLine(log, { epoch: epochs[i + 1], pad, paint })
        : line(log, { row: { ...row, graph: pad(graph) }, epoch, paint });
    }
  }
}

/** The base of an epoch: what ended the one before it made it. */
function baseLine(
  { endOf }: Log,
  { epoch, pad, paint }: { epoch: Epoch | undefined; pad: (graph: string) => string; paint: Paint },
): string {
  const end = epoch === undefined ? undefined : endOf(epoch);
  if (end === undefined) return `${pad('◆')}     0  the files as they were`;
  const { body, time } = end;
  const number = 'commit' in body && body.commit !== undefined ? ` ${body.commit}` : '';
  const what = { K: `commit${number}`, A: 'abort', U: `undo of commit${number}` }[body.tag as 'K' | 'A' | 'U'];
  const count = 'changes' in body ? body.changes : 0;
  return `${pad('◆')}        ${localTime(time)}  ${paint.bold(what)}  ${amount(count, 'change')}`;
}

function line(log: Log, { row, epoch, paint }: { row: Row; epoch: Epoch; paint: Paint }): string {
  const marker = epoch.markers[(row.index ?? 0) - 1];
  if (row.index === undefined || marker === undefined) return row.graph.trimEnd();
  const dead = !row.live || epoch.ended === 'abort';
  const told = { ...marker, target: destinationOf(marker, epoch) };
  const text = `${row.graph}  ${markerText(told, log.touched.get(marker.generation) ?? 0, dead ? undefined : paint)}`;
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
