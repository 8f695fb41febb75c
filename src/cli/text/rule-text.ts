/** How what the journal has of rules is told: as text, as JSON. */
import { changeNote, type GateNote, gateNote } from '../../rules/note.ts';
import { type BytePath, label } from '../../sys/bytes.ts';

type Show = (path: BytePath) => string;

export function gateText(fields: readonly string[], show: Show): string {
  const note = gateNote(fields);
  return note === undefined ? fields.map(label).join(' ') : refusalText(note, show);
}

/** An access and what decided, e.g. `read .env  (open; '.env' is deny)`. */
function refusalText({ outcome, access, op, path, state, pattern, times, by, always }: GateNote, show: Show): string {
  const who = by === undefined ? '' : `; by ${label(by)}${always === undefined ? '' : `, always for ${show(always)}`}`;
  const often = times > 1 ? `, ${times} times` : '';
  // What failed names its cause there, and no rule.
  const why = outcome === 'failed' ? label(pattern) : `'${label(pattern)}' is ${state}`;
  return `${access} ${show(path)}  (${op}${often}; ${why}${who})`;
}

export function gateJson(fields: readonly string[]): object {
  const note = gateNote(fields);
  return note === undefined ? { fields: fields.map(label) } : noteJson(note);
}

/** What is bytes, as text. */
export function noteJson({ path, pattern, by, always, ...note }: GateNote): object {
  return {
    ...note,
    ...{ path: label(path), pattern: label(pattern) },
    ...(by === undefined ? {} : { by: label(by) }),
    ...(always === undefined ? {} : { always: label(always) }),
  };
}

export function changeText(fields: readonly string[]): string {
  const note = changeNote(fields);
  if (note === undefined) return fields.map(label).join(' ');
  const { pattern, layer, before = 'none', after = 'none' } = note;
  return `'${label(pattern)}' (${layer}): ${before} → ${after}`;
}

export function changeJson(fields: readonly string[]): object {
  const note = changeNote(fields);
  return note === undefined ? { fields: fields.map(label) } : { ...note, pattern: label(note.pattern) };
}
