/** How `audit` tells one record: as a line, as JSON. */

import { amount } from '../../agents/amount.ts';
import { showPath, type Viewpoint } from '../../agents/show-path.ts';
import type { Body, Tag } from '../../history/log/record.ts';
import type { AuditEntry } from '../../history/past/audit.ts';
import { pathsOf } from '../../history/past/audit.ts';
import { gateNote } from '../../rules/note.ts';
import { type BytePath, label } from '../../sys/bytes.ts';
import { changeJson, changeText, gateJson, gateText } from './rule-text.ts';
import type { Paint } from './terminal.ts';
import { localTime, rfc3339 } from './when.ts';

const WORDS: Readonly<Record<Tag, string>> = {
  S: 'staged',
  D: 'deleted',
  R: 'renamed',
  L: 'linked',
  M: 'attributes',
  P: 'snapshot',
  T: 'travel',
  K: 'commit',
  A: 'abort',
  U: 'undo',
  X: 'dropped',
  G: 'asked',
  C: 'rule',
  N: 'note',
};

const LONGEST_COMMAND = 80;

/** What a record tells that was done; what nobody did where it stands is carried. */
export function auditWord({ body, carried }: Pick<AuditEntry, 'body' | 'carried'>): string {
  if (carried) return 'carried';
  return (body.tag === 'G' ? gateNote(body.fields)?.outcome : undefined) ?? WORDS[body.tag];
}

/** One line, without its end. What was abandoned or aborted begins with `○`. */
export function auditLine(entry: AuditEntry, from: Viewpoint, paint: Paint): string {
  const { time, generation, body, who, live } = entry;
  const process = who.process === undefined ? (who.pid === 0 ? 'kernel' : '?') : label(who.process);
  const head = [
    localTime(time),
    String(generation).padStart(4),
    (who.run === 0 ? '' : `run ${who.run}`).padEnd(7),
    `${process}${who.pid === 0 ? '' : `[${who.pid}]`}`.padEnd(16),
    auditWord(entry).padEnd(10),
    subject(body, (path) => showPath(path, from)),
  ];
  const tells = body.tag === 'P' || body.tag === 'N';
  const command = tells || entry.command === undefined ? '' : `  (${shorten(label(entry.command))})`;
  if (!live) return paint.dim(`○ ${head.join('  ')}${command}`.trimEnd());
  return `  ${head.join('  ')}${paint.dim(command)}`.trimEnd();
}

/** The same for programs. */
export function auditJson(entry: AuditEntry): object {
  const { time, generation, body, who, command, live } = entry;
  const { run, pid } = who;
  return {
    time: rfc3339(time),
    generation,
    tag: body.tag,
    what: auditWord(entry),
    ...details(body),
    run,
    ...(command === undefined ? {} : { command: label(command) }),
    pid,
    ...(who.process === undefined ? {} : { process: label(who.process) }),
    live,
  };
}

function details(body: Body): object {
  const [first, second] = pathsOf(body).map(label);
  if (second !== undefined) return { path: second, from: first };
  if (first !== undefined) return { path: first };
  switch (body.tag) {
    case 'P':
      return { name: label(body.name) };
    case 'T':
      return { target: body.target, name: label(body.name) };
    case 'K':
    case 'A':
    case 'U':
      return {
        changes: body.changes,
        ...(body.tag === 'A' || body.commit === undefined ? {} : { commit: body.commit }),
      };
    case 'X':
      return { generations: body.generations.map(({ from, to }) => [from, to]), commit: body.commit };
    case 'G':
      return gateJson(body.fields);
    case 'C':
      return changeJson(body.fields);
    default:
      return 'fields' in body ? { fields: body.fields.map(label) } : {};
  }
}

/** What a record is about. */
function subject(body: Body, show: (path: BytePath) => string): string {
  const [first, second] = pathsOf(body).map(show);
  if (second !== undefined) return `${first} ${body.tag === 'R' && body.exchange ? '↔' : '→'} ${second}`;
  if (first !== undefined) return first;
  switch (body.tag) {
    case 'P':
      return [label(body.name), body.command === undefined ? '' : `(${shorten(label(body.command))})`].join(' ').trim();
    case 'T':
      return `to ${body.target} ${label(body.name)}`.trim();
    case 'K':
    case 'A':
      return amount(body.changes, 'change');
    case 'U':
      return `of commit ${body.commit}: ${amount(body.changes, 'change')}`;
    case 'X':
      return `generations ${body.generations.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(', ')}`;
    case 'G':
      return gateText(body.fields, show);
    case 'C':
      return changeText(body.fields);
    default:
      return 'fields' in body ? body.fields.map(label).join(' ') : '';
  }
}

function shorten(text: string): string {
  return text.length <= LONGEST_COMMAND ? text : `${text.slice(0, LONGEST_COMMAND)}…`;
}
