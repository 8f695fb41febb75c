/** Looks on while requests are served: lines of a trace, and how long each kind of request takes. Nobody looks on by default. */
import type { Errno } from '../sys/errno.ts';
import { openTrace, type Trace } from '../sys/trace.ts';
import { OUT_HEADER_SIZE } from './codec/abi.ts';
import { renderReply, renderRequest } from './codec/print.ts';
import type { Reply } from './codec/reply.ts';
import type { Request } from './codec/request.ts';

/** All requests of one kind while they were measured. */
export interface Measured {
  requests: number;
  /** Bytes of requests and of replies. */
  received: number;
  sent: number;
  /** Requests that were answered, from when each was read until its reply is ready. */
  answered: number;
  microseconds: number;
  slowest: number;
}

export class Observer {
  readonly #trace: Trace | undefined;
  readonly #measured: Map<string, Measured> | undefined;
  #current: Measured | undefined;
  #since = 0;

  constructor(looking: { readonly trace?: Trace | undefined; readonly measured?: Map<string, Measured> | undefined }) {
    this.#trace = looking.trace;
    this.#measured = looking.measured;
  }

  /** Who looks on from the start, because the environment says so. */
  static fromEnvironment(): Observer | undefined {
    const trace = openTrace('fuse');
    return trace && new Observer({ trace });
  }

  /** A request has been read. */
  received(name: string, request: Request, bytes: number): void {
    this.#trace?.(renderRequest(name, request));
    if (this.#measured === undefined) return;
    let current = this.#measured.get(name);
    if (current === undefined) {
      current = { requests: 0, received: 0, sent: 0, answered: 0, microseconds: 0, slowest: 0 };
      this.#measured.set(name, current);
    }
    current.requests += 1;
    current.received += bytes;
    this.#current = current;
    this.#since = performance.now();
  }

  /** Its reply is about to be sent. */
  replied(request: Request, reply: Reply, errno: Errno): void {
    this.#trace?.(renderReply(request, reply, errno));
    const current = this.#current;
    if (current === undefined) return;
    const took = (performance.now() - this.#since) * 1000;
    current.answered += 1;
    current.sent += OUT_HEADER_SIZE + (errno === 0 ? reply.length : 0);
    current.microseconds += took;
    current.slowest = Math.max(current.slowest, took);
  }
}
