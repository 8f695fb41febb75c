/** The records of a checkpoint, or of two: what begins something, what is staged from then on, and a snapshot of that. */
import type { OverrideTree } from '../../../staging/override-tree.ts';
import type { Gen } from '../../../sys/bytes.ts';
import type { Body, JournalRecord } from '../../log/record.ts';
import type { SessionState } from '../../log/session-state.ts';
import { checkpointOf, dateContent } from './checkpoint.ts';

/** What begins an epoch, or goes back to the base of one, while something is staged. */
export type CheckpointBody =
  | { readonly tag: 'K'; readonly changes: number; readonly commit: number }
  | { readonly tag: 'U'; readonly changes: number; readonly commit: number }
  | { readonly tag: 'T'; readonly target: Gen; readonly name: string };

/** What is staged from then on, and the name of the snapshot of that. */
export interface Checkpoint {
  readonly head: CheckpointBody;
  readonly tree: OverrideTree;
  readonly name: string;
}

/** Each is of the state that those before it have led to, as `state` says by then; a head brings along all that follow. */
export function* checkpointRecords(
  all: readonly Checkpoint[],
  state: Readonly<SessionState>,
  how: Pick<JournalRecord, 'who' | 'time'>,
): Generator<JournalRecord> {
  const next = (): Gen => (state.generation + 1) as Gen;
  const told = all.map(({ head, tree, name }) => ({ head, mutations: [...checkpointOf(tree)], name }));
  let left = told.reduce((sum, { mutations }) => sum + mutations.length + 2, 0);
  for (const { head, mutations, name } of told) {
    const first: Body = { ...head, carried: left - 1 };
    left -= mutations.length + 2;
    yield { ...how, generation: head.tag === 'T' ? next() : state.generation, body: first };
    for (const body of mutations) yield { ...how, generation: state.generation, body };
    yield { ...how, generation: next(), body: { tag: 'P', name, command: undefined } };
  }
}

/** Once they are recorded: contents in the trees are as old as their records. `generation`: before the first. */
export function dateContents(all: readonly Checkpoint[], generation: Gen): void {
  let before: number = generation;
  for (const { head, tree } of all) {
    const gen = head.tag === 'T' ? before + 1 : before;
    dateContent(tree, gen as Gen);
    before = gen + 1;
  }
}
