/**
 * What a commit or abort has made of the requests that waited. The journal has it, so it is known, too, after a daemon that
 * died before it could say so, and without one.
 */
import type { Journal } from '../../history/log/journal.ts';
import type { CommitRequest } from './commit-request.ts';

const THROWN_AWAY = { state: 'rejected', reason: 'all that was staged was thrown away' } as const;
const COMMITTED = { state: 'committed' } as const;
const ENDS = new Set(['K', 'A'] as const);

/**
 * The requests with what became of them. A commit after which nothing is staged (it carries nothing on) and an abort of
 * everything close what waited; they have the number of the generation that they were of, which no later request can have.
 */
export function withOutcomes(requests: readonly CommitRequest[], journal: Journal): readonly CommitRequest[] {
  if (requests.every(({ state }) => state !== 'pending')) return requests;
  const ends = [...journal.scan({ only: ENDS })].flatMap(({ record: { body, generation } }) =>
    (body.tag === 'K' && !body.carried) || body.tag === 'A' ? { tag: body.tag, generation } : [],
  );
  return requests.map((request) => {
    if (request.state !== 'pending') return request;
    const end = ends.find(({ generation }) => generation >= request.generation);
    if (end === undefined) return request;
    return { ...request, ...(end.tag === 'K' ? COMMITTED : THROWN_AWAY) };
  });
}
