/**
 * Commits that an agent has asked a person for, as `requests.json` of the session keeps them. The daemon alone writes the file;
 * commands that look at the session read it without one. The message is an agent's: it is printable, and whoever shows
 * it sees to it that nobody takes it for ours.
 */
import { readText } from '../../sys/files/text-files.ts';
import { parseJson } from '../parse-json.ts';

/**
 * `committed`: what was staged is the base's now, by this request or by any other commit of everything. `rejected`: a
 * person said no, or threw everything away. `stale`: a person agreed, and nothing was staged any more.
 */
export type RequestState = 'pending' | 'committed' | 'rejected' | 'stale';

const STATES: ReadonlySet<unknown> = new Set<RequestState>(['pending', 'committed', 'rejected', 'stale']);

export interface CommitRequest {
  readonly id: number;
  /** What the agent says: printable text, several lines perhaps. */
  readonly message: string;
  /** What was staged then; when it is still that, nothing was staged since. */
  readonly generation: number;
  /** How many changes that were; COUNTED_CHANGES: that many or more. */
  readonly changes: number;
  /** RFC 3339. */
  readonly time: string;
  readonly state: RequestState;
  /** What a person has to say to it. */
  readonly reason?: string;
}

/** The requests that are kept, the oldest first; none when the file is not one. Throws a SystemError. */
export function loadRequests(path: string): readonly CommitRequest[] {
  const value = parseJson(readText(path) ?? '[]');
  return Array.isArray(value) && value.every(isRequest) ? value : [];
}

function isRequest(value: unknown): value is CommitRequest {
  const { id, message, generation, changes, time, state, reason } = (value ?? {}) as Partial<CommitRequest>;
  return (
    [id, generation, changes].every(Number.isSafeInteger) &&
    [message, time, reason ?? ''].every((text) => typeof text === 'string') &&
    STATES.has(state)
  );
}
