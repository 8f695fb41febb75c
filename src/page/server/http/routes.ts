/** What a route gets and what it answers, and numbers of a query. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fields, wrong } from './body.ts';

export interface Call {
  readonly query: URLSearchParams;
  /** Of a POST. */
  readonly body: Fields;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Without `json` and `bytes` there is nothing to say. */
export interface Answer {
  readonly status?: number;
  readonly json?: object;
  readonly bytes?: Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined: it has taken the response. */
export type Handler = (call: Call) => Promise<Answer | undefined>;

/** By method and path. */
export type Routes = ReadonlyMap<string, Handler>;

/** A whole number, at most `most`. Throws a Rejection. */
export function countOf(
  query: URLSearchParams,
  name: string,
  otherwise: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw wrong(name);
  return Math.min(Number(text), most);
}
