/** What `status` and the summary of `run` say of accesses that rules refused or asked about. */
import type { GateNote } from '../rules/note.ts';
import { label } from '../sys/bytes.ts';
import { showPath, type Viewpoint } from './show-path.ts';
import type { Paint } from './terminal.ts';

/** `title` and one line each, at most `most`; nothing when there are none. */
export function refusedLines(notes: readonly GateNote[], from: Viewpoint, paint: Paint, most: number): string[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, most).map((note) => {
    const often = note.times > 1 ? ` (${note.times} times)` : '';
    return `  ${paint.yellow(`${note.outcome.padEnd(8)} ${note.access.padEnd(5)} ${showPath(note.path, from)}`)}${often}${paint.dim(`  '${label(note.pattern)}' is ${note.state}`)}`;
  });
  const left = notes.length - lines.length;
  if (left > 0) lines.push(paint.dim(`  … and ${left} more: 'yolofs audit' lists them`));
  const isRefused = notes.some(({ outcome }) => outcome !== 'allowed');
  const hint = "to allow one: 'yolofs rule set PATH allow' (outside the view); 'yolofs rule explain PATH' tells why";
  return isRefused ? [...lines, paint.dim(hint)] : lines;
}
