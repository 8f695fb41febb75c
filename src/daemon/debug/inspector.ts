/**
 * The main thread's side of `yolofs debug`. It answers whatever the FUSE thread is at: who waits must be seen just when
 * nothing moves. Only clients of the host's socket come here; there is no way to it from the view.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../sys/user-error.ts';
import type { FuseWorker } from '../fuse-worker.ts';
import { askOf } from '../orders/asked.ts';
import type { Replies, Request } from '../protocol.ts';
import type { Guest } from '../sockets/control.ts';
import type { DebugAsk, DebugReply, Inspect, Inspected, Underway } from './messages.ts';

/** For an answer of the FUSE thread, which may be at a commit. */
const PATIENCE_MS = 2000;

export class Inspector {
  readonly #worker: FuseWorker;
  readonly #underway = new Map<object, { readonly what: string; readonly since: number }>();

  constructor(worker: FuseWorker) {
    this.#worker = worker;
  }

  /** A client whose requests are seen while they are under way, and whose questions of this kind are answered here. */
  admit(guest: Guest<Exclude<Request, { op: 'debug' }>>): Guest {
    return {
      answer: async (request, onProgress) => {
        if (request.op === 'debug') return this.#answer(request);
        return this.#watch(request, () => guest.answer(request, onProgress));
      },
      left: () => guest.left(),
    };
  }

  async #watch(request: Request, work: () => Promise<Replies[Request['op']]>): Promise<Replies[Request['op']]> {
    const key = {};
    this.#underway.set(key, { what: request.op, since: performance.now() });
    try {
      return await work();
    } finally {
      this.#underway.delete(key);
    }
  }

  async #answer(ask: DebugAsk): Promise<DebugReply> {
    switch (ask.what) {
      case 'pending': {
        const before = this.#worker.unanswered;
        const inspected = await this.#soon(ask);
        return { pending: { clients: this.#clients, orders: before, waiting: inspected?.waiting } };
      }
      case 'plan': {
        const { steps } = await this.#worker.order('plan', askOf({ dryRun: true }));
        return { lines: steps };
      }
      case 'stats':
        return { ...(await this.#inspect(ask)), process: figures() };
      case 'trace':
      case 'tree':
      case 'inode':
        return this.#inspect(ask);
      default:
        throw new UserError(`there is nothing of that kind to look at: ${(ask as { what: string }).what}`, undefined, {
          code: 'usage',
        });
    }
  }

  get #clients(): readonly Underway[] {
    const now = performance.now();
    return [...this.#underway.values()].map(({ what, since }) => ({ what, age: now - since }));
  }

  async #inspect(ask: Inspect): Promise<Inspected> {
    const inspected = await this.#soon(ask);
    if (inspected !== undefined) return inspected;
    const [first] = this.#worker.unanswered;
    throw new UserError(
      `the thread that serves the view is at work (${first?.what})`,
      "'yolofs debug pending' says more",
      {
        code: 'busy',
      },
    );
  }

  /** Undefined when the thread does not come to it; it will, and nobody hears of it. */
  #soon(ask: Inspect): Promise<Inspected | undefined> {
    const answer = this.#worker.order('inspect', ask);
    answer.catch(() => undefined);
    return Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })]);
  }
}

function figures(): NonNullable<DebugReply['process']> {
  const { rss, heapUsed } = process.memoryUsage();
  return { pid: process.pid, rss, heap: heapUsed, uptime: process.uptime() };
}
