/** Commits that an agent asks for, as `status` tells of them. */
import { type CommitRequest, loadRequests } from '../../daemon/requests/commit-request.ts';
import { withOutcomes } from '../../daemon/requests/outcomes.ts';
import type { Layout } from '../../history/layout.ts';
import { isForGuest } from '../look/guest-sight.ts';
import type { Reading } from '../look/read-session.ts';
import { paintFor } from '../text/terminal.ts';
import { requestLines } from './request-text.ts';

/** The latest are listed. */
const MOST_REQUESTS = 5;

/** A person sees what waits for them, an agent what became of what it asked for lately. */
export function requestGroup(reading: Reading | undefined, session: Layout): readonly string[] {
  const isAgent = isForGuest();
  const requests = requestsOf(reading, session).filter(({ state }) => isAgent || state === 'pending');
  const paint = paintFor(process.stdout);
  const lines = requests
    .slice(-MOST_REQUESTS)
    .flatMap((request) => requestLines(request, 'movedOn' in movedOn(request, reading), paint));
  const help = isAgent ? [] : [paint.dim("'yolofs watch' decides on them; a commit or abort of everything does, too")];
  return lines.length === 0 ? [] : ['', paint.bold('Commits that an agent asks for'), ...lines.map(indented), ...help];
}

export function requestsOf(reading: Reading | undefined, session: Layout): readonly CommitRequest[] {
  const requests = loadRequests(session.requests);
  return reading === undefined ? requests : withOutcomes(requests, reading.session.journal);
}

/** Something was done in the view after it was made: what waits for a person is not just what it was made for. */
export function movedOn(
  { state, generation }: CommitRequest,
  reading: Reading | undefined,
): { readonly movedOn?: true } {
  const now = reading?.session.state;
  const isSame = now === undefined || (now.generation === generation && !now.changedSinceMarker);
  return state === 'pending' && !isSame ? { movedOn: true } : {};
}

function indented(line: string): string {
  return `  ${line}`;
}
