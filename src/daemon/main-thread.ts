/** The FUSE thread's way to the main thread, and to the requests that wait for what that one says. */
import type { MessagePort } from 'node:worker_threads';
import type { Ticket } from '../fuse/filesystem.ts';
import type { FuseSession } from '../fuse/session.ts';
import type { Invalidation } from '../staging/invalidation.ts';
import type { Name, NodeId } from '../sys/bytes.ts';
import { failureOf } from './failure.ts';
import type { OrderName, Orders, ThreadMessage } from './orders/orders.ts';
import { type Addressed, addressed, packFor } from './view/invalidate.ts';

/** The connections by their devices, and what is the root of each. */
type Roots = ReadonlyMap<number, NodeId | undefined>;
type Answer = Orders[OrderName]['answer'];

export class MainThread {
  readonly #port: MessagePort;
  #session: Pick<FuseSession, 'knowing' | 'resume'> | undefined;
  #roots: Roots = new Map();

  constructor(port: MessagePort) {
    this.#port = port;
  }

  /** From now on the kernel is served, and knows what it may have to forget. */
  connect(session: Pick<FuseSession, 'knowing' | 'resume'>, roots: Roots): void {
    this.#session = session;
    this.#roots = roots;
  }

  tell(message: ThreadMessage): void {
    this.#port.postMessage(message);
  }

  /** What the kernel is told of what an order has changed goes with its answer. */
  answer(id: number, answer: Answer): void {
    if (answer === null || !('invalidations' in answer)) {
      this.tell({ id, answer });
      return;
    }
    const { invalidations, ...rest } = answer;
    const forget = packFor(invalidations, this.#roots, (node) => this.#session?.knowing(node) ?? []);
    // Copied, not transferred: with the first ArrayBuffer that is detached V8 throws away all code of the thread that reads typed arrays.
    this.tell({ id, answer: { ...rest, forget } });
  }

  fail(id: number, error: unknown): void {
    this.tell({ id, failure: failureOf(error) });
  }

  failedToLoad(error: unknown): void {
    this.tell({ event: 'failed', failure: failureOf(error) });
  }

  /** The base was changed outside, or is seen as another one: the kernel must forget. */
  tellChanges(invalidations: readonly Invalidation[]): void {
    if (invalidations.length === 0) return;
    this.tell({
      event: 'changed',
      invalidations: addressed(invalidations, (node) => this.#session?.knowing(node)),
    });
  }

  /** A name was given to something else by one connection: another must forget it. */
  tellRenamed(parent: NodeId, name: Name, device: number): void {
    const entry: Addressed = { kind: 'entry', parent, name, devices: [device] };
    this.tell({ event: 'changed', invalidations: [entry] });
  }

  /** Has a request of the kernel served anew. */
  resume(ticket: Ticket): void {
    this.#session?.resume(ticket);
  }
}
