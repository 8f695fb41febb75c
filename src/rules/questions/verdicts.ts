/**
 * What was decided for a thread: it holds for the request that had to wait, which asks again when it is served anew, and
 * leave to change a path a moment longer. One open(2) that creates a file is several requests of one thread (the
 * name, then the open, perhaps a truncation), and nobody is to be asked about each of them.
 */
import type { Caller, Ticket } from '../../fuse/filesystem.ts';
import type { BytePath } from '../../sys/bytes.ts';
import type { Access } from '../states.ts';

/** How long, in milliseconds, leave to change a path holds for the thread that has it. */
const LINGER_MS = 2000;
/** Threads that are remembered; the oldest are forgotten first. */
const MOST_THREADS = 4096;

interface Thread {
  readonly ticket: Ticket;
  /** By path; of several kinds of access the last. */
  readonly verdicts: Map<BytePath, { readonly access: Access; readonly allow: boolean }>;
  readonly until: number;
}

export class Verdicts {
  readonly #threads = new Map<number, Thread>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What was decided, if it was and still holds. */
  of({ pid, ticket }: Pick<Caller, 'pid' | 'ticket'>, access: Access, path: BytePath): boolean | undefined {
    const thread = this.#threads.get(pid);
    const verdict = thread?.verdicts.get(path);
    if (thread === undefined || verdict === undefined) return undefined;
    const covers = verdict.access === access || (verdict.access === 'write' && verdict.allow);
    if (!covers) return undefined;
    if (thread.ticket === ticket) return verdict.allow;
    const lingers = pid !== 0 && verdict.access === 'write' && verdict.allow && thread.until > this.#now();
    return lingers ? true : undefined;
  }

  /** Remembers what was decided for a request. */
  note(
    { pid, ticket }: Pick<Caller, 'pid' | 'ticket'>,
    { access, path }: { readonly access: Access; readonly path: BytePath },
    allow: boolean,
  ): void {
    const before = this.#threads.get(pid);
    const verdicts = before?.ticket === ticket ? before.verdicts : new Map();
    verdicts.set(path, { access, allow });
    this.#threads.delete(pid);
    this.#threads.set(pid, { ticket, verdicts, until: this.#now() + LINGER_MS });
    if (this.#threads.size <= MOST_THREADS) return;
    const [oldest] = this.#threads.keys();
    if (oldest !== undefined) this.#threads.delete(oldest);
  }
}
