/** The JSON of a POST, read up to a bound of bytes, and its fields with the types they must have. */
import type { IncomingMessage } from 'node:http';
import { Rejection } from './reject.ts';

const MOST_BYTES = 4 << 20;

export type Fields = Readonly<Record<string, unknown>>;

/** Rejects with a Rejection. */
export async function readBody(request: IncomingMessage): Promise<Fields> {
  const type = request.headers['content-type']?.split(';')[0]?.trim();
  if (type !== 'application/json') throw new Rejection(415, 'usage', 'a POST has JSON, and says so');
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return parse(Buffer.concat(chunks).toString('utf8'));
}

function tooLarge(): Rejection {
  return new Rejection(413, 'usage', `a request has at most ${MOST_BYTES} bytes`);
}

function parse(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('the body');
  return value as Fields;
}

/** What is not of its type. */
export function wrong(what: string): Rejection {
  return new Rejection(400, 'usage', `${what} makes no sense`);
}

export function textIn(fields: Fields, name: string, longest = 10_000): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > longest) throw wrong(name);
  return value;
}

export function numberIn(fields: Fields, name: string): number {
  const value = fields[name];
  if (!isNumber(value)) throw wrong(name);
  return value;
}

/** Missing is empty. */
export function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) throw wrong(name);
  return value;
}

export function numbersIn(fields: Fields, name: string): readonly number[] {
  const value = fields[name];
  if (!Array.isArray(value) || !value.every(isNumber)) throw wrong(name);
  return value;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
