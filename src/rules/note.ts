/**
 * What the journal keeps of rules: the fields of `G` (an access that was refused or asked about) and `C` (a rule that
 * changed) records. FORMAT.md of history has them in words.
 */
import type { BytePath } from '../sys/bytes.ts';
import type { GatedOp } from './asker.ts';
import { type Access, isState, type State } from './states.ts';

/**
 * How it came out: a rule refuses (`refused`); a person `allowed` or `denied` it. Without an answer it was granted or refused for
 * want of one: nobody was there to be asked, nobody answered in time, who was asked hung up, too many questions were open. What a
 * source could not say has `failed`: its `pattern` is the cause.
 */
export type Outcome = 'refused' | 'allowed' | 'denied' | 'failed' | Unanswered;
type Unanswered = `${'nobody' | 'timeout' | 'hung-up' | 'too-many'}${'' | '-allowed'}`;

export interface GateNote {
  readonly outcome: Outcome;
  readonly access: Access;
  readonly op: GatedOp;
  readonly path: BytePath;
  /** The rule that decided, as written (bytes), and its state. */
  readonly state: State;
  readonly pattern: string;
  /** How often, with those that were left out before. */
  readonly times: number;
  /** Who answered, as the front end calls itself (bytes). */
  readonly by?: string;
  /** The path for which the answer became a rule. */
  readonly always?: BytePath;
}

export interface ChangeNote {
  /** Bytes, as written. */
  readonly pattern: string;
  readonly layer: string;
  /** Undefined: there was, or is now, no such rule. */
  readonly before: State | undefined;
  readonly after: State | undefined;
}

export function gateFields(note: GateNote): readonly string[] {
  const { outcome, access, op, path, state, pattern, times, by, always } = note;
  const answered = by === undefined ? [] : [by, ...(always === undefined ? [] : [always])];
  return [outcome, access, op, path, state, pattern, String(times), ...answered];
}

/** Whether the access went through. */
export function wentThrough({ outcome }: GateNote): boolean {
  return outcome === 'allowed' || outcome.endsWith('-allowed');
}

/** What came of it, in words for people. */
export function outcomeWord(outcome: Outcome): string {
  switch (outcome) {
    case 'nobody':
    case 'hung-up':
      return 'not answered';
    case 'timeout':
      return 'timed out';
    case 'too-many':
      return 'not asked';
    default:
      return outcome.replace(/^.*-/, '');
  }
}

/** Undefined for fields of a later version. */
export function gateNote(fields: readonly string[]): GateNote | undefined {
  const [outcome, access, op, path, state = '', pattern, times, by, always] = fields;
  if (path === undefined || pattern === undefined || !isState(state) || (access !== 'read' && access !== 'write')) {
    return undefined;
  }
  return {
    outcome: outcome as Outcome,
    access,
    op: op as GatedOp,
    path: path as BytePath,
    state,
    pattern,
    times: Number(times ?? 1),
    ...(by === undefined ? {} : { by }),
    ...(always === undefined ? {} : { always: always as BytePath }),
  };
}

export function changeFields({ pattern, layer, before, after }: ChangeNote): readonly string[] {
  return [pattern, layer, before ?? 'none', after ?? 'none'];
}

/** Undefined for fields of a later version. */
export function changeNote(fields: readonly string[]): ChangeNote | undefined {
  const [pattern, layer, before = '', after = ''] = fields;
  if (pattern === undefined || layer === undefined) return undefined;
  return { pattern, layer, before: isState(before) ? before : undefined, after: isState(after) ? after : undefined };
}
