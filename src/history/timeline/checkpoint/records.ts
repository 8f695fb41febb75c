/** The records of a checkpoint, or of two: what begins something, what is staged from then on, and a snapshot of that. */
import type { Mutation } from '../../../staging/recorder.ts';
import type { Gen } from '../../../sys/bytes.ts';
import type { Body, JournalRecord } from '../../log/record.ts';
import type { SessionState } from '../../log/session-state.ts';

/** What begins an epoch, or goes back to the base of one, while something is staged. */
export type CheckpointBody =
  | { readonly tag: 'K'; readonly changes: number; readonly commit: number }
  | { readonly tag: 'U'; readonly changes: number; readonly commit: number }
  | { readonly tag: 'T'; readonly target: Gen; readonly name: string };

/** What is staged from then on, as `mutations` make it anew, and the name of the snapshot of that. */
export interface Checkpoint {
  readonly head: CheckpointBody;
  readonly mutations: readonly Mutation[];
  readonly name: string;
}

/** Each is of the state that those before it have led to, as `state` says by then; a head brings along all that follow. */
export function* checkpointRecords(
  all: readonly Checkpoint[],
  state: Readonly<SessionState>,
  how: Pick<JournalRecord, 'who' | 'time'>,
): Generator<JournalRecord> {
  const next = (): Gen => (state.generation + 1) as Gen;
  let left = all.reduce((sum, { mutations }) => sum + mutations.length + 2, 0);
  for (const { head, mutations, name } of all) {
    const first: Body = { ...head, carried: left - 1 };
    left -= mutations.length + 2;
    yield { ...how, generation: head.tag === 'T' ? next() : state.generation, body: first };
    for (const body of mutations) yield { ...how, generation: state.generation, body };
    yield { ...how, generation: next(), body: { tag: 'P', name, command: undefined } };
  }
}
