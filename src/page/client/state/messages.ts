/** What the page tells at its foot. */
import { ApiError } from './api.ts';
import { current, type Message, update } from './store.ts';

let next = 0;

export function tell(kind: Message['kind'], text: string, details: readonly string[] = []): void {
  update({ messages: [...current().messages.slice(-2), { id: next++, kind, text, details }] });
}

/** A request that failed; anything else is a defect of the page. */
export function fail(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  const { message, hint, details = [] } = error.failure;
  if (error.status === 0 || error.status === 401) update({ ended: error.failure });
  else tell('failed', message, [...details, ...(hint === undefined ? [] : [hint])]);
}

export function putAway(id: number): void {
  update({ messages: current().messages.filter((message) => message.id !== id) });
}
