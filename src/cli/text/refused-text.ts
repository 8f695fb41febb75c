/** What `status` says of accesses that rules refused or asked about. */

import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import { type GateNote, outcomeWord, wentThrough } from '../../rules/note.ts';
import { label } from '../../sys/bytes.ts';
import type { Paint } from './terminal.ts';

/** `title` and one line each, at most `most`; nothing when there are none. */
export function refusedLines(notes: readonly GateNote[], from: Viewpoint, paint: Paint, most: number): string[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, most).map((note) => lineOf(note, from, paint));
  const left = notes.length - lines.length;
  if (left > 0) lines.push(paint.dim(`  … and ${left} more: 'yolofs audit' lists them`));
  const isRefused = notes.some((note) => !wentThrough(note) && note.outcome !== 'failed');
  const isAsked = notes.some(({ outcome }) => outcome === 'nobody' || outcome === 'timeout');
  const watch = isAsked ? "'yolofs watch' in another terminal answers questions; " : '';
  const hint = `${watch}to allow one: 'yolofs rule set PATH allow' (outside the view); 'yolofs rule explain PATH' tells why`;
  return isRefused ? [...lines, paint.dim(hint)] : lines;
}

function lineOf(note: GateNote, from: Viewpoint, paint: Paint): string {
  const { outcome, access, path, times, by, always, pattern, state } = note;
  const what = paint.yellow(`${outcomeWord(outcome).padEnd(12)} ${access.padEnd(5)} ${showPath(path, from)}`);
  const often = times > 1 ? ` (${times} times)` : '';
  const lasting = always === undefined ? '' : `, always for ${showPath(always, from)}`;
  const who = by === undefined ? '' : ` by ${label(by)}${lasting}`;
  const why = outcome === 'failed' ? label(pattern) : `'${label(pattern)}' is ${state}`;
  return `  ${what}${often}${who}${paint.dim(`  ${why}`)}`;
}
