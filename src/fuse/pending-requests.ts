/**
 * Requests that the kernel waits for and that cannot be answered yet: a copy of each, by its ticket. Each is a thread
 * of the view that sleeps in its system call, so their number is bounded, and with it the memory.
 */
import type { NodeId } from '../sys/bytes.ts';
import { headerOf } from './codec/request.ts';
import type { Ticket } from './filesystem.ts';
import { OPERATIONS, UNKNOWN } from './ops.ts';

export interface PendingLimits {
  readonly requests: number;
  readonly bytes: number;
}

/** A request that is put off, for people. */
export interface WaitingRequest {
  readonly ticket: Ticket;
  readonly name: string;
  readonly nodeId: NodeId;
  readonly pid: number;
  /** Milliseconds for which it waits. */
  readonly age: number;
}

interface Kept {
  readonly request: Buffer;
  readonly since: number;
}

/** Many more threads than anybody answers for, and all the WRITEs that the kernel has under way at once (64 of up to 1 MiB). */
const LIMITS: PendingLimits = { requests: 4096, bytes: 96 * 2 ** 20 };

export class PendingRequests {
  readonly #limits: PendingLimits;
  readonly #requests = new Map<Ticket, Kept>();
  #bytes = 0;

  constructor(limits: PendingLimits = LIMITS) {
    this.#limits = limits;
  }

  /** Keeps a copy of `request`; false when there is no room for it. */
  keep(ticket: Ticket, request: Buffer): boolean {
    const { requests, bytes } = this.#limits;
    if (this.#requests.size >= requests || this.#bytes + request.length > bytes) return false;
    this.#requests.set(ticket, { request: Buffer.from(request), since: performance.now() });
    this.#bytes += request.length;
    return true;
  }

  /** Gives a request back; undefined: it is not kept, perhaps no longer. */
  take(ticket: Ticket): Buffer | undefined {
    const kept = this.#requests.get(ticket);
    if (kept === undefined) return undefined;
    this.#requests.delete(ticket);
    this.#bytes -= kept.request.length;
    return kept.request;
  }

  /** All of them, the oldest first. */
  list(): WaitingRequest[] {
    const now = performance.now();
    return [...this.#requests].map(([ticket, { request, since }]) => {
      const { opcode, nodeId, pid } = headerOf(request);
      return { ticket, name: (OPERATIONS[opcode] ?? UNKNOWN).name, nodeId, pid, age: now - since };
    });
  }

  /** Forgets all of them; returns their tickets. */
  clear(): Ticket[] {
    const tickets = [...this.#requests.keys()];
    this.#requests.clear();
    this.#bytes = 0;
    return tickets;
  }
}
