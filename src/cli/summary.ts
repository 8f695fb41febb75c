/**
 * What `run` says on stderr when its command has changed something, or rules refused it something. An agent reads it too, so it is short: about
 * 1 KB, the most telling paths first, nothing at all when nothing changed.
 */
import type { ChangeKind, ChangeLine, RunSummary } from '../daemon/protocol.ts';
import { refusedLines } from './refused-text.ts';
import { isOutside, showPath, type Viewpoint } from './show-path.ts';
import type { Paint } from './terminal.ts';

const ROOM_FOR_PATHS = 700;
/** Refusals that are told. */
const MOST_REFUSED = 5;
const LONGEST_PATH = 120;

const KINDS: readonly ChangeKind[] = ['deleted', 'modified', 'renamed', 'metadata', 'added'];

/** The summary with its line ends; empty when nothing changed. */
export function renderSummary(summary: RunSummary, from: Viewpoint, paint: Paint): string {
  const total = KINDS.reduce((sum, kind) => sum + summary.counts[kind], 0);
  const refused = refusedLines(summary.refused, from, paint, MOST_REFUSED);
  if (total === 0)
    return refused.length === 0 ? '' : `${paint.bold('yolofs:')} refused by rules\n${refused.join('\n')}\n`;
  const lines = tellingLines(summary.changes, from, paint);
  const left = total - lines.length;
  if (left > 0) lines.push(paint.dim(`  … and ${left} more`));
  const counts = renderCounts(summary.counts);
  const where = summary.snapshot ? `snapshot ${summary.generation}` : `generation ${summary.generation}, no snapshot`;
  const next = `${where}; staged only: 'yolofs status' lists, 'yolofs commit' applies, 'yolofs abort' discards`;
  return `${[`${paint.bold('yolofs:')} ${counts}`, ...lines, ...refused, paint.dim(next)].join('\n')}\n`;
}

/** Counts as a phrase, e.g. `1 deleted, 2 added`. */
export function renderCounts(counts: Readonly<Record<ChangeKind, number>>): string {
  return KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(', ');
}

function tellingLines(changes: readonly ChangeLine[], from: Viewpoint, paint: Paint): string[] {
  const lines: string[] = [];
  let room = ROOM_FOR_PATHS;
  for (const change of [...changes].sort((a, b) => rank(a, from) - rank(b, from))) {
    const line = renderLine(change, from, paint);
    room -= Buffer.byteLength(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  return lines;
}

/** Deletions first, then what lies outside of the project, then the rest by kind; sorting is stable below that. */
function rank(change: ChangeLine, from: Viewpoint): number {
  if (change.change === 'deleted') return isOutside(change.path, from) ? 0 : 1;
  return isOutside(change.path, from) ? 2 : 2 + KINDS.indexOf(change.change);
}

function renderLine(change: ChangeLine, from: Viewpoint, paint: Paint): string {
  const path = shorten(showPath(change.path, from, change.type));
  const text = change.from === undefined ? path : `${shorten(showPath(change.from, from, change.type))} → ${path}`;
  const line = `  ${change.change.padEnd(8)} ${text}`;
  if (isOutside(change.path, from)) return paint.yellow(`${line}  (outside the project)`);
  return change.change === 'deleted' ? paint.red(line) : line;
}

function shorten(text: string): string {
  if (text.length <= LONGEST_PATH) return text;
  const half = LONGEST_PATH / 2 - 1;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
