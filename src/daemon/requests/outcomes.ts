/**
 * What a commit or abort has made of the requests that waited. The journal has it, so it is known, too, after a daemon that
 * died before it could say so, and without one.
 */
import type { Journal } from '../../history/log/journal.ts';
import { ABORT_OF } from '../../history/timeline/turns.ts';
import type { CommitRequest } from './commit-request.ts';

const THROWN_AWAY = { state: 'rejected', reason: 'all that was staged was thrown away' } as const;
const COMMITTED = { state: 'committed' } as const;
const IN_PART = { state: 'committed', reason: 'a part of it: the rest was thrown away' } as const;
const ENDS = new Set(['K', 'A', 'T', 'P'] as const);

type Outcome = Pick<CommitRequest, 'state' | 'reason'>;

/** A commit of a part, or an abort of one, that brings nothing along but its own snapshot. */
const ALONE = 1;

/**
 * The requests with what became of them. A commit or an abort after which nothing is staged closes what waited, whether it was of
 * everything or part by part; it has the number of a generation, which no later request can have.
 */
export function withOutcomes(requests: readonly CommitRequest[], journal: Journal): readonly CommitRequest[] {
  if (requests.every(({ state }) => state !== 'pending')) return requests;
  const ends = endsIn(journal);
  return requests.map((request) => {
    if (request.state !== 'pending') return request;
    const since = ends.filter(({ generation }) => generation >= request.generation);
    const last = since.findIndex(({ isLast }) => isLast);
    return last < 0 ? request : { ...request, ...outcomeOf(since.slice(0, last + 1)) };
  });
}

interface End {
  readonly tag: 'K' | 'A' | 'T';
  readonly generation: number;
  /** Nothing is staged after it. */
  readonly isLast: boolean;
}

/** Commits and aborts, also of parts. */
function endsIn(journal: Journal): End[] {
  const ends: End[] = [];
  let carried = 0;
  for (const { record } of journal.scan({ only: ENDS })) {
    const { body, generation } = record;
    if (body.tag === 'A') ends.push({ tag: 'A', generation, isLast: true });
    else if (body.tag === 'K') ends.push({ tag: 'K', generation, isLast: (body.carried ?? 0) <= ALONE });
    else if (body.tag === 'P' && carried > 0 && body.name.startsWith(ABORT_OF))
      ends.push({ tag: 'T', generation, isLast: carried === ALONE });
    carried = body.tag === 'T' ? (body.carried ?? 0) : 0;
  }
  return ends;
}

function outcomeOf(ends: readonly End[]): Outcome {
  if (ends.at(-1)?.tag === 'K') return ends.some(({ tag }) => tag === 'T') ? IN_PART : COMMITTED;
  return ends.some(({ tag }) => tag === 'K') ? IN_PART : THROWN_AWAY;
}
