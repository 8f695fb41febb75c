/**
 * What the journal keeps of rules: the fields of `G` (an access that was refused or asked about) and `C` (a rule that
 * changed) records. FORMAT.md of history has them in words.
 */
import type { BytePath } from '../sys/bytes.ts';
import type { GatedOp } from './asker.ts';
import { type Access, isState, type State } from './states.ts';

/** How it came out: a rule refuses (`refused`), or a person was to be asked. */
export type Outcome = 'refused' | 'allowed' | 'denied' | 'timeout' | 'nobody' | 'interrupted';

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
}

export interface ChangeNote {
  /** Bytes, as written. */
  readonly pattern: string;
  readonly layer: string;
  /** Undefined: there was, or is now, no such rule. */
  readonly before: State | undefined;
  readonly after: State | undefined;
}

export function gateFields({ outcome, access, op, path, state, pattern, times }: GateNote): readonly string[] {
  return [outcome, access, op, path, state, pattern, String(times)];
}

/** Undefined for fields of a later version. */
export function gateNote(fields: readonly string[]): GateNote | undefined {
  const [outcome, access, op, path, state = '', pattern, times] = fields;
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
