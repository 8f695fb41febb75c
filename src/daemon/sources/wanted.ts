/** What the FUSE thread has the thread of the sources asked. */
import type { MessagePort } from 'node:worker_threads';
import type { SourceOrderName, SourceOrders } from './messages.ts';
import type { ModelWish } from './models.ts';
import type { FetchWish } from './pending-fetches.ts';

/** An order for the thread of the sources, and whom to answer. */
export interface SourceQuestion {
  readonly name: SourceOrderName;
  readonly ask: SourceOrders[SourceOrderName]['ask'];
  readonly reply: MessagePort;
}

/** What the FUSE thread wants to know. */
export type Wanted =
  | ({ readonly event: 'fetch' } & FetchWish)
  | ({ readonly event: 'ask' } & SourceQuestion)
  | ({ readonly event: 'consult' } & ModelWish);
