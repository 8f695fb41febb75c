/**
 * The commits that an agent has asked for: kept on the disk before anybody is told, decided once. An agent asks as often as
 * it likes, so there are only so many, of only such a length.
 */
import type { Journal } from '../../history/log/journal.ts';
import { label, toBytes } from '../../sys/bytes.ts';
import { saveText } from '../../sys/files/text-files.ts';
import { log } from '../../sys/log.ts';
import { UserError } from '../../sys/user-error.ts';
import type { EventLine } from '../protocol.ts';
import { type CommitRequest, loadRequests, type RequestState } from './commit-request.ts';
import { withOutcomes } from './outcomes.ts';

/** Waiting for a person at the same time. */
const MOST_PENDING = 5;
/** With those that are decided, for the agent to see what became of them. */
const MOST_KEPT = 20;
/** In UTF-16 code units: a commit message, not a book. */
const LONGEST_MESSAGE = 2000;
const LONGEST_REASON = 500;

/** What is asked for. */
export type Wanted = Pick<CommitRequest, 'message' | 'generation' | 'changes'>;

export class CommitRequests {
  readonly #path: string;
  readonly #send: (line: EventLine) => void;
  #all: readonly CommitRequest[];

  /** Those kept at `path`; `tell` hears of new ones, and of what becomes of them. Throws a SystemError. */
  constructor(path: string, tell: (line: EventLine) => void) {
    this.#path = path;
    this.#send = tell;
    this.#all = loadRequests(path);
  }

  /** Closes what a commit or abort has decided since it was asked for. Throws what a scan of the journal throws. */
  catchUp(journal: Journal): void {
    for (const [at, { id, state, reason }] of withOutcomes(this.#all, journal).entries()) {
      if (state !== 'pending' && this.#all[at]?.state === 'pending') this.close(id, state, reason);
    }
  }

  /** What waits for a person, the oldest first. */
  get pending(): readonly CommitRequest[] {
    return this.#all.filter(({ state }) => state === 'pending');
  }

  /** Throws a UserError for a message that nobody can be asked with, or when too many wait. */
  check(message: string): void {
    if (message.trim() === '') throw new UserError('a request needs a message that says what it is for');
    if (message.length > LONGEST_MESSAGE) {
      throw new UserError(`the message is too long: ${message.length} characters of ${LONGEST_MESSAGE}`);
    }
    if (this.pending.length >= MOST_PENDING) {
      throw new UserError(`${MOST_PENDING} requests wait for a decision already`, "'status' shows them", {
        code: 'busy',
      });
    }
  }

  /** Keeps a request and tells of it. Throws a UserError, or a SystemError when it cannot be written down. */
  add(wanted: Wanted): CommitRequest {
    this.check(wanted.message);
    const id = (this.#all.at(-1)?.id ?? 0) + 1;
    const message = harmless(wanted.message);
    const request: CommitRequest = { id, ...wanted, message, time: new Date().toISOString(), state: 'pending' };
    const all = shortened([...this.#all, request]);
    this.#save(all);
    this.#all = all;
    this.#send({ request });
    return request;
  }

  /** The request that waits under this number. Throws a UserError when none does. */
  open(id: number): CommitRequest {
    const found = this.pending.find((request) => request.id === id);
    if (found === undefined) throw new UserError(`no request ${id} waits for a decision`);
    return found;
  }

  /** What became of a request. It has happened, so that it cannot be written down is logged only. */
  close(id: number, state: Exclude<RequestState, 'pending'>, reason?: string): void {
    const said = harmless(reason ?? '').slice(0, LONGEST_REASON);
    const outcome = said === '' ? { state } : { state, reason: said };
    this.#all = this.#all.map((request) => (request.id === id ? { ...request, ...outcome } : request));
    try {
      this.#save(this.#all);
    } catch (error) {
      log(`request ${id} was ${state}: ${(error as Error).message}`);
    }
    this.#send({ settled: { id, ...outcome } });
  }

  #save(all: readonly CommitRequest[]): void {
    saveText(this.#path, `${JSON.stringify(all)}\n`);
  }
}

/** Lines of printable text: whoever shows them need not wonder what they do to a terminal. */
function harmless(text: string): string {
  const lines = text.trim().split(/\r\n|\r|\n/);
  return lines.map((line) => label(toBytes(line))).join('\n');
}

/** Without the oldest that are decided. */
function shortened(all: readonly CommitRequest[]): readonly CommitRequest[] {
  const kept = [...all];
  while (kept.length > MOST_KEPT) {
    const oldest = kept.findIndex(({ state }) => state !== 'pending');
    kept.splice(Math.max(0, oldest), 1);
  }
  return kept;
}
